// What every page needs: its elements, requests that change something, and calm under a finger.

import { t, told } from "./words.js";

export const $ = (id) => document.getElementById(id);
export const token = document.querySelector('meta[name="token"]')?.content ?? "";
export const mayAct = () => document.body.dataset.may !== "look" && document.documentElement.dataset.view !== "watch";

// Words are put where they differ alone: the same ones again would be laid out, and read aloud, once more.
export function put(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

// Ask for something that changes something; null where nobody answers.
export async function post(path, body = {}) {
  return fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json", "X-Pipwatch-Token": token },
    body: JSON.stringify(body),
  }).catch(() => null);
}

// The sentence of a refusal, as every answer of the box tells it, in the language of the page. Something that stands
// before the box, as a proxy, may refuse in its own way: then its number is all that can be told.
export async function refusal(answer) {
  const given = await answer?.json().catch(() => null);
  return told(given?.error) || t("This was refused ({status}).", { status: answer?.status ?? "?" });
}

// — while a finger or the mouse is down on something, nothing on the page moves —
const LONGEST_MS = 1500; // a finger that rests there must not hold the page for ever
const AFTER_MS = 60; // browsers tell of the press itself a moment after the finger has gone
let down = 0, waiting = new Map();

function flush() {
  down = 0;
  const due = waiting;
  waiting = new Map();
  for (const update of due.values()) update();
}

// Carry out an update now, or as soon as nobody is just pressing; of each kind the last one counts.
export function calmly(update, kind = "") {
  if (down) waiting.set(kind, update);
  else update();
}

addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.("button, a, label, input, select, summary, [data-press]")) return;
  clearTimeout(down);
  down = setTimeout(flush, LONGEST_MS);
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    if (!down) return;
    clearTimeout(down);
    down = setTimeout(flush, AFTER_MS);
  }, true);
}
