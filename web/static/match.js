// Shows the match and passes on what people press. It decides nothing: every word comes from the match.

import { drawBoard } from "./board.js";
import { look as ask } from "./join.js";

const $ = (id) => document.getElementById(id);
const token = document.querySelector('meta[name="token"]').content;
const SIGN = { illegal: "✗", "out of step": "≠", asking: "?", ruled: "…", unfinished: "½", finished: "★", paused: "‖" };
const STEP_SIGN = { legal: "✓", illegal: "✗", incomplete: "…", unverifiable: "?" };
const BUTTONS = [
  ["put back", "Put it back"], ["let stand", "Let it stand"], ["misread", "I was misread"],
  ["as it is", "Take the table as it is"], ["undo", "Undo"], ["pause", "Pause"],
];
const ANSWERS = new Set(["confirm", "choose", "undo", "put back", "let stand", "misread"]);
const stays = "stays" in document.body.dataset; // the page of a box, which has a lobby
let shown = null;
let ended = false; // the match has been closed: there are no more pictures of it

// An answer says what it was given to, so that it never counts for something that came in between.
async function press(kind, more = {}, key = ANSWERS.has(kind) ? shown?.key : undefined) {
  const answer = await fetch("/api/do", {
    method: "POST", headers: { "Content-Type": "application/json", "X-Pipwatch-Token": token },
    body: JSON.stringify({ kind, ...more, key }),
  }).catch(() => null);
  if (answer?.status === 401) ask(); // the phone was forgotten: the field for the code comes up
  if (answer?.status === 403 && stays) location.reload(); // the box was started anew
  else if (!answer?.ok) $("notice").textContent = answer?.status === 401 ? "Enter the code to play along." : answer?.status === 403 ? "This page is out of date: load it again." : "The referee does not answer.";
  return Boolean(answer?.ok);
}

function made(name, text = "", attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text; // text, never markup
  Object.assign(element, attributes);
  return element;
}

function showVerdict(view) {
  document.body.dataset.phase = view.phase;
  $("headline").textContent = view.headline;
  $("headline").dataset.sign = SIGN[view.phase] ?? "";
  const last = view.log?.at(-1);
  const ruling = last?.ruling;
  $("ruling").replaceChildren();
  if (ruling) {
    $("ruling").append(made("span", ruling.rule, { className: "rule" }), `${last.text} — ${ruling.reason}`);
  }
  $("words").textContent = ruling && view.words === ruling.reason ? "" : view.words;
  $("places").replaceChildren(...view.places.map((place) => made("li", place)));
  $("nearest").textContent = view.phase === "illegal" && ruling?.nearest.length ? `Nearest legal: ${ruling.nearest.join("  ·  ")}` : "";
  $("notice").textContent = view.notice || view.answered;
  const acts = document.body.dataset.may === "act"; // whoever only looks reads what is asked
  $("choices").replaceChildren(...view.choices.map((text, number) => !acts ? made("p", text) : made("button", text, { type: "button", onclick: () => press("choose", { number }) })));
}

function showScores(view) {
  $("scores").replaceChildren(...view.players.map((name, k) => {
    const card = made("div", "", { className: `p${k + 1}${view.movers.includes(k + 1) ? " moves" : ""}` });
    card.append(made("span", name), made("b", String(view.scores.totals[k])));
    card.title = view.scores.lines.filter((line) => line.player === k + 1).map((line) => `${line.label} ${line.points}`).join("\n");
    return card;
  }));
}

function showButtons(view) {
  const made_ = [];
  if (view.offers.includes("confirm") && (view.pending || view.phase === "illegal")) {
    (view.players ?? ["A", "B"]).forEach((name, k) => made_.push(made("button",
      view.pending ? `${name}: confirm` : `${name}: let it stand${view.agreed.includes(k + 1) ? " ✓" : ""}`,
      { type: "button", className: `p${k + 1}`, onclick: () => press("confirm", { number: k + 1 }) })));
  }
  for (const [kind, words] of BUTTONS) {
    if (!view.offers.includes(kind)) continue;
    const text = kind === "undo" && view.pending ? "Challenge" : kind === "undo" && view.phase === "asking" ? "None of these"
      : kind === "pause" && view.phase === "paused" ? "Go on" : words;
    if (kind === "undo" && view.phase === "illegal") continue; // there it means the same as “misread”
    made_.push(made("button", text, { type: "button", className: kind === "pause" && view.phase === "paused" ? "strong" : "", onclick: () => press(kind) }));
  }
  if (view.game === "kingdomino-duel") {
    made_.push(made("button", "Score the sheets", { type: "button", onclick: () => location.assign("/sheets#table") }));
  }
  $("buttons").replaceChildren(...made_);
}

function showLog(view) {
  $("log").replaceChildren(...view.log.map((step) => {
    const status = step.ruling?.status ?? "";
    const row = made("li", "", { className: `${status}${step.stands ? " stands" : ""}${step.counts ? "" : " waits"}` });
    row.append(made("span", String(step.entry), { className: "n" }), made("span", STEP_SIGN[status] ?? "·", { className: "sign" }), made("span", step.text, { className: "text" }));
    const acts = made("span", "", { className: "acts" });
    acts.append(made("button", "Look", { type: "button", title: "The pictures that this rests on", onclick: () => look(step), hidden: !step.counts }));
    acts.append(made("button", "Back to here", { type: "button", title: "Take back all that was done after this", onclick: () => press("typed", { words: `back to ${step.entry}` }), hidden: !step.counts || step === view.log.at(-1) || !view.offers.includes("typed") }));
    row.append(acts);
    const why = [step.problem, step.why, step.alike.length ? `Or it was ${step.alike.join(" or ")}.` : "", step.ruling && status !== "legal" ? `${step.ruling.rule}: ${step.ruling.reason}` : "", step.stands ? "The players let it stand." : "",
      ...step.late.map((late) => `Proves illegal: ${late.move} — ${late.ruling.rule}: ${late.ruling.reason}`)].filter(Boolean).join(" ");
    if (why) row.append(made("span", why, { className: "why" }));
    return row;
  }).reverse());
}

function look(step) {
  $("evidence-title").textContent = `${step.entry}: ${step.text}`;
  $("evidence-pictures").replaceChildren(...["before", "after", "frame"].map((role) => {
    const figure = made("figure");
    const picture = made("img", "", { alt: `${role} the move`, src: `/evidence/${step.entry}/${role}.jpg` });
    picture.onerror = () => {
      figure.remove();
      if (!$("evidence-pictures").childNodes.length) $("evidence-pictures").textContent = "No pictures belong to this entry.";
    };
    figure.append(made("figcaption", { before: "Before", after: "After, with what was read", frame: "The whole frame" }[role]), picture);
    return figure;
  }));
  $("evidence").showModal();
}

function show(view) {
  shown = view;
  showVerdict(view);
  showButtons(view);
  if (!view.game) return;
  $("title").textContent = view.title;
  document.title = `${view.scores.totals.join(" : ")} · ${view.title}`;
  showScores(view);
  showLog(view);
  drawBoard(document.querySelector("#board .frame"), view.game, view.layout);
}

// — lamps blink in the match's own rhythm —
setInterval(() => {
  if (!shown) return;
  const part = Math.floor(Date.now() / 125) % 8;
  for (const lamp of ["green", "amber", "red"]) {
    document.querySelector(`#lamps .${lamp}`).classList.toggle("lit", shown.lamps[lamp][part] === "#");
  }
  $("lamps").ariaLabel = `lamps: ${shown.phase}`;
}, 125);

// — the picture: one at a time, and none while nobody looks —
let etag = "";
async function picture() {
  if (ended) return;
  if (!document.hidden) {
    const answer = await fetch(`/frame.jpg${$("plain").checked ? "?plain" : ""}`, { headers: etag ? { "If-None-Match": etag } : {} }).catch(() => null);
    if (answer?.status === 200) {
      etag = answer.headers.get("ETag") ?? "";
      const url = URL.createObjectURL(await answer.blob());
      const old = $("picture").src;
      $("picture").src = url;
      if (old) URL.revokeObjectURL(old);
    }
    $("picture").hidden = !$("picture").src;
    $("no-picture").hidden = Boolean($("picture").src);
  }
  setTimeout(picture, 400);
}
$("plain").onchange = () => { etag = ""; };

// — what is new comes by itself; a sleeping page holds no line —
let events = null;
function toLobby() {
  setTimeout(() => location.reload(), 700);
}
function follow() {
  events?.close();
  events = null;
  if (document.hidden) return;
  events = new EventSource("/api/events");
  events.onmessage = (message) => show(JSON.parse(message.data));
  events.addEventListener("ended", () => { ended = true; events.close(); $("headline").textContent = "The match has been closed."; if (stays) toLobby(); });
  let lost = false;
  events.onopen = () => { if (lost && stays) location.reload(); }; // the box was started anew: its page is, too
  events.onerror = () => { lost = true; if (!events || events.readyState === EventSource.CLOSED) $("notice").textContent = "The referee does not answer."; };
}
document.addEventListener("visibilitychange", follow);
document.addEventListener("may", () => { if (shown) show(shown); });

// — leaving: at once when the game is over, else after a question —
async function leave() {
  const answer = await fetch("/api/box/do", {
    method: "POST", headers: { "Content-Type": "application/json", "X-Pipwatch-Token": token },
    body: JSON.stringify({ kind: "leave" }),
  }).catch(() => null);
  if (!answer?.ok) $("notice").textContent = "The box does not answer.";
}
if (stays) {
  $("leave").onclick = () => shown?.phase === "finished" ? leave() : $("leaving").showModal();
  $("leaving").onclose = () => { if ($("leaving").returnValue === "leave") leave(); };
}

$("typed").onsubmit = async (event) => {
  event.preventDefault();
  const words = $("line").value.trim();
  if (words && await press("typed", { words })) $("line").value = "";
};

follow();
picture();
