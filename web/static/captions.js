// What was read, written over the camera's picture: in letters of the page, as large as can be read whatever the size of
// the picture, and in its language. Each word stands beside its thing where it hides least of things and of other words.

import { $ } from "./page.js";
import { t, told } from "./words.js";

const LEAST_REM = 0.75, MOST_REM = 1.5, SHARE = 0.022; // letters grow with the picture, within these bounds
const NAMES = { map: () => t("map"), down: () => t("face down") };
const img = $("picture"), pane = document.createElement("div");
let shown = null, known = "";

document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/captions.css", onload: () => place() }));
pane.id = "captions";
pane.ariaHidden = "true"; // the board says the same, and better
img.after(pane);

// “suns ace?”: each word by itself, with the signs that stand behind it.
const inWords = (text) => text.split(" ").map((one) => {
  const [, word, signs] = /^(.*?)([?+]*)$/.exec(one);
  return (NAMES[word]?.() ?? told(word)) + signs;
}).join(" ");

const hides = (box, others) => others.reduce((sum, one) => sum + Math.max(0, Math.min(box[2], one[2]) - Math.max(box[0], one[0])) * Math.max(0, Math.min(box[3], one[3]) - Math.max(box[1], one[1])), 0);
const within = (at, most) => Math.max(0, Math.min(at, most));

// Below, above, right or left of the thing, or on it, wherever these letters hide least; never outside of the picture.
function beside([left, top, right, bottom], [wide, high], taken, [across, down]) {
  const x = (left + right - wide) / 2, y = (top + bottom - high) / 2;
  const boxes = [[x, bottom + 1], [x, top - high - 1], [right + 1, y], [left - wide - 1, y], [x, y]]
    .map(([from, above]) => [within(from, across - wide), within(above, down - high)]).map(([from, above]) => [from, above, from + wide, above + high]);
  const cost = boxes.map((box) => hides(box, taken));
  return boxes[cost.indexOf(Math.min(...cost))];
}

function place() {
  if (!shown || img.hidden || !img.clientWidth) { pane.hidden = true; return; }
  const { clientWidth: wide, clientHeight: high, offsetLeft, offsetTop } = img, [across, down] = shown.size;
  const share = Math.min(wide / across, high / down), dx = (wide - share * across) / 2, dy = (high - share * down) / 2; // as object-fit: contain
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  pane.hidden = false;
  Object.assign(pane.style, { left: `${offsetLeft}px`, top: `${offsetTop}px`, width: `${wide}px`, height: `${high}px`, fontSize: `${Math.min(MOST_REM * rem, Math.max(LEAST_REM * rem, SHARE * wide))}px` });
  const nodes = [...pane.children], sizes = nodes.map((one) => [one.offsetWidth, one.offsetHeight]); // all are measured before any is moved
  const things = shown.words.map(([, ...box]) => box.slice(0, 4).map((side, k) => share * side + (k % 2 ? dy : dx)));
  const taken = [...things];
  nodes.forEach((one, k) => {
    const box = beside(things[k], sizes[k], taken, [wide, high]);
    taken.push(box);
    one.style.transform = `translate(${box[0]}px, ${box[1]}px)`;
  });
}

// The words of a picture that has come, as its answer tells them; none where it is wanted plain.
export function caption(answer) {
  const text = answer?.headers.get("X-Captions") ?? "";
  if (text === known) return;
  known = text;
  shown = text ? JSON.parse(text) : null;
  pane.replaceChildren(...(shown?.words ?? []).map(([words, , , , , odd]) => {
    const one = document.createElement("span");
    one.textContent = `${odd ? "≠ " : ""}${inWords(words)}`.trim();
    one.className = odd ? "odd" : "";
    return one;
  }));
  place();
}

new ResizeObserver(place).observe(img);
img.addEventListener("load", place);
