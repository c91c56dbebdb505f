// What happened, entry by entry: steps with their rulings, and what was put right later, where it was put right.

import { h, memo, patch } from "./keyed.js";
import { $ } from "./page.js";
import { rule, STEP_SIGN, STEP_WORD } from "./verdict.js";
import { t, told } from "./words.js";

export function whyOf(view, step) {
  const { ruling } = step, status = ruling?.status ?? "";
  const said = [
    told(step.problem, view.players), told(step.why), step.alike.length ? t("Or it was {others}.", { others: step.alike.join(t(" or ")) }) : "",
    ruling && status !== "legal" ? told(ruling.reason, view.players) : "", step.stands ? t("The players let it stand.") : "",
  ].filter(Boolean).join(" ");
  const late = step.late.map((one, k) => h("p", { key: `late ${k}`, class: "late" }, t("Proves illegal:"), " ", h("span", { class: "notation" }, one.move), " ", told(one.ruling.reason, view.players), " ", rule(view.game, one.ruling.rule)));
  return Boolean(said || late.length) && h("div", { key: "why", class: "why" }, said, said && ruling && status !== "legal" ? [" ", rule(view.game, ruling.rule)] : [], late);
}

const known = memo(); // what has not changed is not described anew
function row(view, step, look) {
  const status = step.ruling?.status ?? "";
  return h("li", { key: `step ${step.place}`, class: [status, step.stands && "stands", !step.counts && "waits"].filter(Boolean).join(" ") },
    h("button", { class: "entry", type: "button", disabled: !step.counts, onclick: () => look(step.place) },
      h("span", { class: "n" }, String(step.entry)),
      h("span", { class: "sign", ...status ? { role: "img", "aria-label": t(STEP_WORD[status]) } : { "aria-hidden": "true" } }, STEP_SIGN[status] ?? "·"),
      h("span", { class: "text" }, step.text)),
    whyOf(view, step));
}

const mend = (one, look) => h("li", { key: `mend ${one.entry}`, class: one.counts ? "mend" : "mend waits" },
  h("button", { class: "entry", type: "button", disabled: !one.counts, onclick: () => look(one.entry) },
    h("span", { class: "n" }, String(one.entry)), h("span", { class: "sign", "aria-hidden": "true" }, "↺"), h("span", { class: "text" }, told(one.words))),
  one.why && h("div", { key: "why", class: "why" }, told(one.why)));

// Rows stand in blocks: a new one moves those below it as wholes, which the browser need not lay out or paint again.
const BLOCK = 6;
function blocks(rows) {
  const count = Math.ceil(rows.length / BLOCK);
  return Array.from({ length: count }, (_, k) => h("ol", { key: `block ${k}`, reversed: true }, rows.slice(k * BLOCK, (k + 1) * BLOCK).reverse())).reverse();
}

// The newest first: what was put right stands where it was put right, after the entries that were there then.
export function showLog(view, look) {
  const rows = [], mends = [...(view.mends ?? [])], mended = (one) => known(one, [look], () => mend(one, look));
  for (const step of view.log) {
    while (mends.length && mends[0].entry < step.place) rows.push(mended(mends.shift()));
    rows.push(known(step, [view.players, look], () => row(view, step, look)));
  }
  patch($("log"), blocks([...rows, ...mends.map(mended)]));
}
