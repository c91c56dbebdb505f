// The match as it was: entry by entry, with the table, the ruling, the pictures it rests on, and what it changed.

import { drawBoard } from "./board/still.js";
import { changesOf } from "./changed.js";
import { h, patch } from "./keyed.js";
import { whyOf } from "./log.js";
import { $, mayAct } from "./page.js";
import { rule, STEP_SIGN, STEP_WORD } from "./verdict.js";
import { people, t, told } from "./words.js";

const base = document.body.dataset.match ? `/api/matches/${document.body.dataset.match}` : ""; // a match that is kept
const ROLES = [["before", "Before"], ["after", "After, with what was read"], ["frame", "The whole frame"]];
let view = null, at = 0, mend = {}; // by which an entry is put right: back, gone, otherwise

// What the page shows now: which entries there are, and whether somebody may go back.
export function pastKnows(shown, mends) {
  view = shown;
  mend = mends ?? {};
  if ($("past").open) buttons();
}

const order = () => [...view.log.filter((step) => step.counts).map((step) => step.place), ...(view.mends ?? []).filter((one) => one.counts).map((one) => one.entry)].sort((a, b) => a - b);

function near(way) {
  const all = order(), place = all.indexOf(at);
  return { first: all[0], back: all[place - 1], on: all[place + 1], last: all.at(-1) }[way];
}

function buttons() {
  const held = document.activeElement;
  for (const way of ["first", "back", "on", "last"]) {
    const to = near(way), button = $(`past-${way}`);
    button.disabled = to === undefined || to === at;
    button.onclick = () => lookBack(to);
  }
  if (held.disabled) $(["past-first", "past-back"].includes(held.id) ? "past-on" : "past-back").focus(); // at an end: the way back
  const step = view.log.find((one) => one.place === at), may = step && mend.back && view.offers?.includes("typed") && mayAct();
  for (const [id, act] of [["past-return", mend.back], ["past-gone", mend.gone], ["past-else", mend.otherwise]]) {
    $(id).hidden = !may || (act === mend.back && step === view.log.at(-1));
    $(id).onclick = () => { $("past").close(); act(step); };
  }
}

// What is burned into a picture is too small to be read on a phone: a tap shows it as large as it was taken, over all of
// the page, to be pushed about; another one, or Escape, puts it back.
let whole = ""; // which of them

function pictures(entry) {
  patch($("past-pictures"), ROLES.map(([role, words]) => {
    const over = whole === role, turn = () => enlarge(over ? "" : role), said = t(over ? "As it was" : "Larger");
    return h("figure", { key: `${entry} ${role}`, class: over ? "whole" : null, inert: Boolean(whole) && !over },
      h("figcaption", {}, h("span", {}, t(words)), h("button", { type: "button", class: "larger", "aria-label": `${t(words)}: ${said}`, onclick: turn }, said)),
      h("img", { alt: t(words), src: `${base}/evidence/${entry}/${role}.jpg`, onclick: turn, onerror: (event) => { event.target.closest("figure").hidden = true; } }));
  }));
  for (const one of document.querySelectorAll("#past form > :not(#past-pictures)")) one.inert = Boolean(whole);
}

function enlarge(role) {
  const over = () => document.querySelector("#past figure.whole .larger"), was = over();
  whole = role;
  pictures(at);
  (over() ?? was)?.focus();
}
$("past").addEventListener("cancel", (event) => { if (whole) { event.preventDefault(); enlarge(""); } });
$("past").addEventListener("close", () => { whole = ""; });

function ruled(told_) {
  const { step } = told_, ruling = step?.ruling;
  return [
    ruling && h("p", { key: "what", class: `what ${ruling.status}` }, h("span", { class: "mark", "aria-hidden": "true" }, STEP_SIGN[ruling.status]), h("strong", {}, t(STEP_WORD[ruling.status])), rule(told_.game, ruling.rule)),
    ruling && ruling.status === "legal" && h("p", { key: "reason" }, told(ruling.reason, told_.players)),
    step && whyOf(told_, step),
    step && h("p", { key: "score", class: "soft" }, told_.players.map((name, k) => `${name} ${told_.scores.totals[k]}`).join("   ")),
    changesOf(told_, view.game, view.players),
  ];
}

export async function lookBack(entry) {
  at = entry;
  const answer = await fetch(base ? `${base}/history/${entry}` : `/api/history/${entry}`).catch(() => null);
  if (at !== entry) return; // somebody has gone on
  const told_ = answer?.ok ? await answer.json() : null;
  if (told_?.players) told_.players = people(told_.players);
  const words = told_?.step?.text ?? told((view.mends ?? []).find((one) => one.entry === entry)?.words ?? "");
  $("past-title").textContent = told_ ? `${entry}: ${words}` : t("This entry cannot be shown just now.");
  patch($("past-ruling"), told_ ? ruled(told_) : []);
  $("past-board").hidden = !told_?.layout;
  if (told_?.layout) drawBoard(document.querySelector("#past-board .frame"), told_.game, told_.layout, { ...told_, log: [told_.step] });
  whole = "";
  pictures(entry);
  buttons();
  if (!$("past").open) $("past").showModal();
}

addEventListener("keydown", (event) => {
  if (!$("past").open || whole) return; // the arrows push it about then
  const way = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (!way || !view || near(way) === undefined) return;
  event.preventDefault();
  lookBack(near(way));
});
