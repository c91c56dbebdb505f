// What stands on a square, in words, and the little that every part of the page for sheets needs.

import { t } from "./words.js";

export const COATS = ["dot", "two-dots", "stripe", "two-stripes", "quarters", "black"];
export const LETTERS = "dDsSqb";
export const coatWords = () => [t("dot"), t("two dots"), t("stripe"), t("two stripes"), t("quarters"), t("black")];
export const coatOf = (token) => token === "." ? null : LETTERS.indexOf(token[0]);
export const crossesOf = (token) => Number(token.slice(1) || 0);
export const placeOf = (name) => [name[1] - 1, name[3] - 1];

export function tokenWords(token) {
  if (token === ".") return t("empty");
  const coat = coatWords()[coatOf(token)], n = crossesOf(token);
  return n ? n > 1 ? t("{coat} with {n} crosses", { coat, n }) : t("{coat} with one cross", { coat }) : coat;
}

// The picture of one square, out of that of its map, as the background of an element.
const MARGIN = 14 / 110; // of a square, around the squares of a map's picture
export function crop(pane, address, name) {
  const [r, c] = placeOf(name), wide = 7 + 2 * MARGIN, tall = 5 + 2 * MARGIN, seen = 1 + 2 * MARGIN;
  pane.style.backgroundImage = `url(${address})`;
  pane.style.backgroundSize = `${100 * wide / seen}% ${100 * tall / seen}%`;
  pane.style.backgroundPosition = `${100 * c / (wide - seen)}% ${100 * r / (tall - seen)}%`;
}
