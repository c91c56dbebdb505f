// What a correction did: to the score, to rulings and to what stands in the record. It is told until it is dealt with.

import { h, patch } from "./keyed.js";
import { $ } from "./page.js";
import { labelled } from "./scores.js";
import { rule, STEP_WORD } from "./verdict.js";
import { t, told } from "./words.js";

const AGAIN_MS = 400, TIMES = 8; // a correction may be on the page a moment before it is on the disk
const FEW = 3; // so many lines are open at once
let at = 0, light = true; // the correction that is told, and whether neither a score nor a ruling is another one by it

const score = ([before, after], players) => before.every((points, k) => points === after[k]) ? t("The score stays as it was.")
  : players.map((name, k) => before[k] === after[k] ? `${name} ${after[k]}` : `${name} ${before[k]} → ${after[k]}`).join("   ");

const ruled = ({ status, stands }) => stands ? t("Let stand") : status === "impossible" ? t("Impossible") : t(STEP_WORD[status] ?? "As seen");

// One place of the record: what stood there and what stands there now, and how it is ruled now.
function place(game, { entry, was, now }) {
  const text = !was || !now || was.text === now.text ? (now ?? was).text : `${was.text} → ${now.text}`;
  const other = was && now && (was.status !== now.status || was.rule !== now.rule || was.stands !== now.stands);
  return h("li", { key: `place ${entry}` }, `${entry}: `, h("span", { class: "notation" }, text), " ", !now && t("taken back"), !was && t("counts again"),
    other && [`${ruled(was)} → ${ruled(now)} `, rule(game, now.rule)]);
}

// Lines of the score: what went, what came, and what is worth something else.
function lines(all, players) {
  const found = new Map();
  for (const { player, label, points, now } of all) {
    const key = `${player} ${label}`, one = found.get(key) ?? { player, label, was: 0, now: 0 };
    one[now ? "now" : "was"] += points;
    found.set(key, one);
  }
  return [...found].map(([key, { player, label, was, now }]) => h("li", { key: `line ${key}` }, `${players[player - 1]}, ${labelled(label)}: `, h("b", {}, `${was} → ${now}`)));
}

// What an entry changed that speaks of others, or of the table as it lies; nothing of any other entry.
export function changesOf(told_, game, players) {
  if (!told_.totals.length) return [];
  const each = [...told_.changes.map((one) => place(game, one)), ...lines(told_.lines, players)];
  return [
    h("p", { key: "score", class: "score" }, score(told_.totals, players)),
    each.length > 0 && h("details", { key: `each ${told_.entry}`, open: each.length <= FEW }, h("summary", {}, t("What this changed")), h("ul", {}, each)),
  ];
}

function newest({ log, mends }) {
  const set = log.findLast((step) => step.kind === "set" && step.counts);
  return Math.max(0, mends?.findLast((one) => one.counts)?.entry ?? 0, set?.entry ?? 0); // what waits for a confirmation is in no record yet
}

function close() {
  $("changed").hidden = true;
  sessionStorage.setItem("dealt", String(at));
}

async function tell(entry, view, times = TIMES) {
  const answer = await fetch(`/api/history/${entry}`).catch(() => null);
  if (entry !== at) return; // something else was put right meanwhile
  if (!answer?.ok) { if (times) setTimeout(() => { if (entry === at) tell(entry, view, times - 1); }, AGAIN_MS); return; }
  const told_ = await answer.json(), [before, after] = told_.totals;
  if (!before) return;
  light = before.join() === after.join() && told_.changes.every(({ was, now }) => !was || !now);
  const mended = (view.mends ?? []).find((one) => one.entry === entry), many = entry - told_.first + 1;
  const words = many > 1 ? t("{many} entries were taken back.", { many }) : mended ? told(mended.words) : told_.step?.text;
  patch($("changed"), [h("div", { key: `${entry}` }, h("p", { key: "what" }, h("span", { "aria-hidden": "true" }, "↺ "), h("b", {}, words)), changesOf(told_, view.game, view.players)),
    h("button", { key: "close", type: "button", onclick: close }, t("All right"))]);
  $("changed").hidden = false;
}

// A page that is loaded anew tells the last correction again, unless it was dealt with or something came after it.
export function showChanged(view) {
  if (!view.saved) return; // what is not on the disk yet nobody can be told
  const entry = newest(view), later = view.log.some((step) => step.place > entry);
  if (entry < at && view.pending) return; // what takes this one back waits to be confirmed
  if (entry === at) { if (later && light && !$("changed").hidden) close(); return; }
  const first = at === 0;
  at = entry;
  $("changed").hidden = true;
  if (!entry || (first && (later || Number(sessionStorage.getItem("dealt")) >= entry))) return;
  light = true;
  tell(entry, view);
}
