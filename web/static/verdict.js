// Whose turn it is, what was seen of the last move, by which rule, and what is asked.

import { showConsent } from "./consent.js";
import { h, patch } from "./keyed.js";
import { crop, nearby, picturesOf } from "./board/pictures.js";
import { $, mayAct, put } from "./page.js";
import { openRule } from "./rules.js";
import { t, told } from "./words.js";

const SIGN = {
  illegal: "✗", "out of step": "≠", asking: "?", ruled: "…", unfinished: "½", finished: "★", paused: "‖",
  "camera lost": "⌨", watching: "➤", hands: "✋", settling: "◔", "setting up": "◔",
};
export const STEP_SIGN = { legal: "✓", illegal: "✗", incomplete: "…", unverifiable: "?" };
export const STEP_WORD = { legal: "Legal", illegal: "Illegal", incomplete: "Not finished", unverifiable: "Cannot be told yet" };
const CALM = new Set(["watching", "hands", "settling", "setting up", "camera lost"]); // the last ruling is history there
const UNRULED = new Set(["asking", "out of step"]); // of what is asked, or disagrees, nothing is ruled yet
const AFAR = new Set(["table", "overlay"]); // no record stands beside it there: the last move stays until the next one

export const rule = (game, id) => id && h("button", { type: "button", class: "rule", key: `rule ${id}`, "aria-label": t("Rule {id}", { id }), onclick: () => openRule(game, id) }, id);

function ruled(view, step, since) {
  const { ruling } = step, also = ruling.also ?? [];
  return [
    since && h("p", { key: "since", class: "soft" }, t("The last move")),
    h("p", { key: "what", class: `what ${ruling.status}` },
      h("span", { class: "mark", "aria-hidden": "true" }, STEP_SIGN[ruling.status]),
      h("strong", {}, t(STEP_WORD[ruling.status])), " ", h("span", { class: "notation" }, step.text), rule(view.game, ruling.rule)),
    h("p", { key: "why", class: "why" }, told(ruling.reason, view.players)),
    also.length > 0 && view.phase === "illegal" && h("ul", { key: "also", class: "also" }, also.map((fault, k) => h("li", { key: k }, told(fault.sentence, view.players), " ", rule(view.game, fault.rule)))),
  ];
}

// What was ruled last, and whether something has happened since; the whole page tells that in its record. A move that was
// refused and put back is none that was made.
function ruling(view) {
  const last = view.log?.at(-1), open = UNRULED.has(view.phase);
  if (last?.ruling && !open) return ruled(view, last, false);
  const step = AFAR.has(document.documentElement.dataset.view) && view.log?.findLast((one) => one.ruling && (one.stands || one.ruling.status !== "illegal"));
  return step ? ruled(view, step, true) : [];
}

// The pictures of the nearest moves come with the board; the words with the ruling.
function nearest(view, { nearest: lines }, press) {
  const pictures = view.marks?.refused?.nearest ?? [], acts = mayAct() && view.offers.includes("typed");
  return nearby(view, lines.map((text, k) => ({ text, changed: pictures[k] })), acts && ((words) => press("typed", { words }, view.key)));
}

export function showVerdict(view, press) {
  if (document.body.dataset.phase !== view.phase) document.body.dataset.phase = view.phase;
  const headline = told(view.headline, view.players), { ruling: now } = view.log?.at(-1) ?? {};
  const turn = view.movers?.length === 1 && CALM.has(view.phase) ? `p${view.movers[0]}` : "";
  patch($("headline"), [h("span", { class: `sign ${turn}`, "aria-hidden": "true" }, SIGN[view.phase] ?? ""), h("span", { class: turn }, headline)]);
  const who = (view.awaited ?? []).map((player) => view.players[player - 1]).join(t(" or "));
  put($("expected"), CALM.has(view.phase) ? [who, told(view.expected ?? "", view.players)].filter(Boolean).join(": ") : "");
  patch($("ruling"), ruling(view));
  put($("words"), view.words.replace(/\.$/, "") === view.headline || (now && view.words === now.reason) ? "" : told(view.words, view.players));
  showConsent(view, press);
  patch($("places"), view.places.map((place, k) => h("li", { key: k }, told(place, view.players))));
  patch($("nearest"), view.phase === "illegal" && now ? [nearest(view, now, press)] : []);
  say(told(view.notice || view.answered, view.players));
  const each = view.pictures?.some(({ seen }) => seen); // then nobody needs the picture of all that is asked about
  if ($("choices").classList.contains("seen") !== Boolean(each)) $("choices").classList.toggle("seen", Boolean(each));
  patch($("choices"), [view.choices.length > 0 && view.seen && !each && crop(view.key), ...view.choices.map((text, number) => {
    const pictures = picturesOf(view, number), key = `${view.key} ${number}`, look = pictures ? "pictured" : null;
    return mayAct() ? h("button", { key, type: "button", class: look, onclick: () => press("choose", { number }) }, pictures, told(text, view.players))
      : h("p", { key, class: look }, pictures, told(text, view.players));
  })]);
}

export const say = (words) => put($("notice"), words);
