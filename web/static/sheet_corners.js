// Where the map is in a photo: its four corners, tapped, or set by keys. It decides nothing: done(corners) is told of all four.

import { $ } from "./page.js";
import { t } from "./words.js";

const BEGIN = [[.2, .2], [.8, .2], [.8, .8], [.2, .8]]; // where the cross waits for each corner, as shares of the photo
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEP = .005, FURTHER = 10;
const NAMES = () => [t("upper left"), t("upper right"), t("lower right"), t("lower left")];
const percent = (share) => Math.round(100 * share);
const within = (share) => Math.min(1, Math.max(0, share));

const img = $("photo"), pane = img.parentElement;
let set = [], cross = BEGIN[0], done = null, keyed = false; // the cross is shown to who uses keys alone

function dot(place, className) {
  const made = document.createElement("div");
  made.className = className; made.style.left = `${100 * place[0]}%`; made.style.top = `${100 * place[1]}%`;
  pane.append(made);
}

function show() {
  pane.querySelectorAll(".dot").forEach((one) => one.remove());
  set.forEach((place) => dot(place, "dot"));
  if (keyed && done) dot(cross, "dot cross");
  $("corner-back").disabled = !set.length || !done;
  const where = { n: set.length, corner: NAMES()[set.length], x: percent(cross[0]), y: percent(cross[1]) };
  $("corner-told").textContent = !done ? ""
    : keyed ? t("{n} of 4 corners are set. Next is {corner}: the cross is {x} % from the left, {y} % from above.", where)
    : t("{n} of 4 corners are set. Next is {corner}.", where);
}

function add(place) {
  if (!done) return;
  set = [...set, place];
  cross = BEGIN[set.length] ?? place;
  const all = set.length === 4 ? done : null;
  if (all) done = null; // they are being looked at: nothing more is set meanwhile
  show();
  all?.(set.map(([x, y]) => [x * img.naturalWidth, y * img.naturalHeight]));
}

function back() {
  if (!done || !set.length) return;
  cross = set.at(-1);
  set = set.slice(0, -1);
  show();
}

// Ask for the corners, from the first one on; asked() with nothing when they are wanted no more.
export function asked(wanted) {
  set = []; cross = BEGIN[0]; done = wanted ?? null;
  show();
}

pane.onclick = ({ clientX, clientY }) => {
  const box = img.getBoundingClientRect();
  keyed = false;
  add([within((clientX - box.left) / box.width), within((clientY - box.top) / box.height)]);
};
pane.onkeydown = (event) => {
  const arrow = ARROWS[event.key], step = STEP * (event.shiftKey ? FURTHER : 1);
  if (event.ctrlKey || event.altKey || event.metaKey || !(arrow || event.key === "Enter" || event.key === "Backspace")) return;
  event.preventDefault(); // the page neither scrolls nor goes back
  keyed = true;
  if (arrow) { cross = [within(cross[0] + step * arrow[0]), within(cross[1] + step * arrow[1])]; show(); pane.lastChild.scrollIntoView({ block: "nearest" }); }
  else if (event.key === "Enter") add(cross);
  else back();
};
pane.onfocus = () => { if (pane.matches(":focus-visible")) { keyed = true; show(); } };
$("corner-back").onclick = () => { back(); if ($("corner-back").disabled) pane.focus(); };
