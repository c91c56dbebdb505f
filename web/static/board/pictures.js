// Small pictures: a part of the board with what would change, and a sketch of what a button says.

import { h, keyed, memo } from "../keyed.js";
import * as dominoids from "./dominoids.js";
import * as drawGame from "./draw_game.js";
import * as duel from "./duel.js";
import { Marks } from "./marks.js";
import { at, BOXES, COAT_INK, coat, coin, cube, domino, letters, s, small, suitDie } from "./pieces.js";
import * as war from "./war.js";
import { t } from "../words.js";

const GAMES = { dominoids, "draw-game": drawGame, "dominoes-of-war": war, "kingdomino-duel": duel };
const quiet = () => new Marks(null, false);

const board = (nodes) => nodes.flat(3).filter(Boolean).flatMap((node) => node.attributes?.class?.startsWith("board") ? [node] : node.inside ? board(node.inside) : []);

// The board with some pieces as ghosts, cut out around them.
const thumbs = memo();
export const thumb = (view, changed) => thumbs(changed, [view.game, view.layout], () => cutOut(view, changed));
function cutOut(view, { spots = [], gone = [] }) {
  const drawn = board(GAMES[view.game].draw({ ...view, marks: null }, quiet(), { ghosts: spots }));
  const map = spots.find((spot) => spot.name.startsWith("map "));
  const svg = map ? drawn[Number(map.name.slice(4)) - 1] : drawn[0];
  const on = [...spots, ...gone].filter((spot) => spot.region === "board" && spot.x !== null);
  if (!svg || (!on.length && !map)) return null;
  const attributes = { ...svg.attributes, role: "img", "aria-hidden": "true", class: "thumb" };
  attributes.viewBox = map ? aroundCells(map, view.layout.spots) : around(view.game, on);
  return { ...keyed(svg, "thumb"), attributes };
}

function around(game, spots) {
  const up = game === "dominoids" ? (y) => 9 - y : (y) => -y;
  return square(spots.map((spot) => [spot.x, up(spot.y)]));
}

// Of a map the squares on which a coat would be drawn, with those around them.
function aroundCells(map, lying) {
  const player = Number(map.name.slice(4)), fresh = [...duel.spots(map.value.map, duel.mapOf(lying, player))];
  return fresh.length ? square(fresh.map((name) => { const [, y, x] = /r(\d)c(\d)/.exec(name).map(Number); return [x - 0.5, y - 0.5]; })) : "-.1 -.1 7.2 5.2";
}

function square(places) {
  const xs = places.map(([x]) => x), ys = places.map(([, y]) => y);
  const size = Math.max(4.4, Math.max(...xs) - Math.min(...xs) + 2.6, Math.max(...ys) - Math.min(...ys) + 2.6);
  return `${(Math.min(...xs) + Math.max(...xs)) / 2 - size / 2} ${(Math.min(...ys) + Math.max(...ys)) / 2 - size / 2} ${size} ${size}`;
}

// The nearest legal moves, each as it would lie; where somebody may act, a tap on one plays it.
export function nearby(view, moves, act, look = () => ({})) {
  const each = moves.map(({ text, changed }) => {
    const inside = [changed && thumb(view, changed), h("span", { key: "words", class: "notation" }, text)];
    return act ? h("button", { key: text, type: "button", class: "near", onclick: () => act(text), ...look(changed) }, inside) : h("span", { key: text, class: "near" }, inside);
  });
  return moves.length > 0 && h("div", { key: "nearest", class: "nearby" }, h("p", { key: "title" }, act ? t("Nearest legal, a tap plays it:") : t("Nearest legal:")), h("div", { key: "each", class: "each" }, each));
}

// What a button says, where that is a face, a value or a tile.
export function sketch(game, tap) {
  const [kind, ...rest] = tap.split(" "), name = rest.join(" ");
  const one = (inside) => small(inside, BOXES.one, { key: "sketch", class: "sketch" });
  if (game === "dominoids") {
    if (kind === "face" && rest.length === 2) return one(suitDie(rest[0], rest[1]));
    if (kind === "with" || (kind === "die" && rest.length === 1)) return one(suitDie(name, "ace"));
    if (kind === "value" && /^[0-5]$/.test(name)) return one(coin({ value: Number(name) }));
    if (kind === "stack") return one(coin({ suit: name, value: null }));
    if (kind === "domino") return small(domino({ pips: name.split("-").map(Number) }), BOXES.domino, { key: "sketch", class: "sketch wide" });
    if (kind === "lie") return lie(name);
  }
  if (game === "kingdomino-duel" && ["face", "shows", "coat", "mark"].includes(kind)) {
    const written = name.split("@")[0].split(" ").at(-1);
    const inside = coat(written[0], Number(written.slice(1) || 0));
    return one(kind === "mark" || kind === "coat" ? inside : cube(COAT_INK[written[0]], [inside]));
  }
  if (game === "dominoes-of-war" && (kind === "pool" || kind === "kind")) return one(war.soldier(kind === "pool" ? Number(rest[0]) : 1, rest.at(-1), null));
  if (kind === "tile" && /^\d-\d$/.test(name)) return small(domino({ pips: name.split("-").map(Number) }), BOXES.domino, { key: "sketch", class: "sketch wide" });
  return null;
}

// A domino as it would lie: 2@b4-3@c4.
function lie(name) {
  const found = /^(\d)@([a-z]\d+)-(\d)@([a-z]\d+)$/.exec(name);
  if (!found) return null;
  const spot = (square) => [square.charCodeAt(0) - 96, Number(square.slice(1))];
  const [a, b] = [spot(found[2]), spot(found[4])];
  const turn = -Math.round(Math.atan2(b[1] - a[1], b[0] - a[0]) * 180 / Math.PI);
  return small([s("g", { key: "lie", transform: at(0, 0, turn) }, domino({ pips: [Number(found[1]), Number(found[3])] })), letters("", 0.1, { key: "none" })], [-1.05, -1.05, 2.1, 2.1], { key: "sketch", class: "sketch" });
}

// What the camera saw: of the place of one answer, or of all that is asked about. Its room is kept, whether it comes or not.
const seen = (className, alt, src) => h("img", {
  key: "crop", class: className, alt, width: 288, height: 288, loading: "lazy", decoding: "async", src, onload: ({ target }) => target.classList.remove("away"), onerror: ({ target }) => target.classList.add("away"),
});
export const crop = (key) => seen("crop all", "", `/asked/after.jpg?${key}`);
export const answerCrop = (key, number) => seen("crop", t("As the camera sees it"), `/asked/answer/${number}.jpg?key=${key}`);

// An answer to a question as pictures: the board with what it would change, and the camera's picture of that place.
export function picturesOf(view, number) {
  const told = view.pictures?.[number];
  const both = [told?.spots?.length && thumb(view, told), told?.seen && answerCrop(view.key, number)].filter(Boolean);
  return both.length > 0 && h("span", { key: "views", class: "views" }, both);
}
