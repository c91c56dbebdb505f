// Shows the match and passes on what people press. It decides nothing: every word comes from the match.

import { openBoard, sayOtherwise, showBoard, showDock } from "./board/touch.js";
import { asked } from "./consent.js";
import { look as ask } from "./join.js";
import { h, patch } from "./keyed.js";
import "./larger.js";
import { kept } from "./look.js";
import "./menu.js";
import { showLog } from "./log.js";
import { $, calmly, post, put } from "./page.js";
import { showFinal, showPad, showScores } from "./scores.js";
import { say, showVerdict } from "./verdict.js";
import { answerTyped, openTyped } from "./typed.js";
import { follow } from "./wire.js";
import { people, t, told } from "./words.js";

const FORMAT = 1; // of the views that this page understands
const BUTTONS = [
  ["put back", "Put it back"], ["misread", "I was misread"],
  ["as it is", "Take the table as it is"], ["undo", "Undo"], ["pause", "Pause"],
];
const ANSWERS = new Set(["confirm", "choose", "undo", "put back", "let stand", "misread"]);
const stays = "stays" in document.body.dataset; // the page of a box, which has a lobby
let shown = null;
let blind = false; // the match was opened without its camera after crashes, and may have it back
let ended = false; // the match has been closed: there are no more pictures of it

// An answer says what it was given to, so that it never counts for something that came in between.
async function press(kind, more = {}, key = ANSWERS.has(kind) ? shown?.key : undefined) {
  if (kind === "undo" && shown?.phase === "asking") openBoard(); // none of the answers: the board says what it was
  const answer = await post("/api/do", { kind, ...more, key });
  if (answer?.status === 401) ask(); // the phone was forgotten: the field for the code comes up
  if (answer?.status === 403 && stays) location.reload(); // the box was started anew
  else if (!answer?.ok) say(answer?.status === 401 ? t("Enter the code to play along.") : answer?.status === 403 ? t("This page is out of date: load it again.") : t("The referee does not answer."));
  return Boolean(answer?.ok);
}

function confirms(view) {
  if (!view.offers.includes("confirm") || !view.pending || asked(view)) return []; // what both agree to stands below the verdict
  return (view.players ?? ["A", "B"]).map((name, k) => h("button", {
    key: `confirm ${k}`, type: "button", class: `p${k + 1}`, onclick: () => press("confirm", { number: k + 1 }),
  }, t("{name}: confirm", { name })));
}

function wordsOf(kind, words, view) {
  if (kind === "undo") return view.pending ? t("Challenge") : view.phase === "asking" ? t("None of these") : [t("Undo"), view.undoes && h("small", {}, told(view.undoes))];
  if (kind === "pause" && view.phase === "paused") return t("Go on");
  return t(words);
}

function showButtons(view) {
  const plain = BUTTONS.filter(([kind]) => view.offers.includes(kind) && !(kind === "undo" && view.phase === "illegal") // there it means the same as “misread”
    && !(kind === "as it is" && asked(view) === kind));
  patch($("buttons"), [
    ...confirms(view),
    ...plain.map(([kind, words]) => h("button", {
      key: kind, type: "button", class: kind === "pause" && view.phase === "paused" ? "strong" : null, onclick: () => press(kind),
    }, wordsOf(kind, words, view))),
    blind && h("button", { key: "camera", type: "button", onclick: again }, t("Try the camera again")),
    view.redoes && view.offers.includes("typed") && h("button", { key: "redo", type: "button", onclick: () => press("typed", { words: "redo" }) }, t("Redo"), h("small", {}, told(view.redoes))),
    view.game === "kingdomino-duel" && h("button", { key: "sheets", type: "button", onclick: () => location.assign("/sheets#table") }, t("Score the sheets")),
  ]);
}

const drawn = {};
function differs(part, ...from) {
  const before = drawn[part];
  drawn[part] = from;
  return !before || from.some((one, k) => one !== before[k]);
}

const MENDS = { // how an entry is put right from where it is looked at
  back: (step) => press("typed", { words: `back to ${step.entry}` }),
  gone: (step) => press("typed", { words: `take back ${step.place}` }),
  otherwise: (step) => sayOtherwise(step.place),
};

// What looks back, and what tells of corrections, comes when it is wanted first.
let past = null;
async function lookBack(entry) {
  past ??= await import("./past.js").catch(() => null);
  if (!past) return say(t("The referee does not answer."));
  past.pastKnows(inWords, MENDS);
  past.lookBack(entry);
}
function showChanged(view) {
  if (view.mends?.length || view.log.some((step) => step.kind === "set")) import("./changed.js").then((part) => part.showChanged(view)).catch(() => {});
}

// Who wishes for neither voice nor sounds need not load them.
let before = null;
function hear(view) {
  const last = before;
  before = view;
  if (["speech", "sounds"].some((one) => kept(one) === "yes")) import("./hear.js").then((part) => part.hear(view, last)).catch(() => {});
}

let inWords = null; // what is shown, with the names of people
function show(news) {
  if (news.format !== undefined && news.format !== FORMAT) { say(t("This page is out of date: load it again.")); return; } // nothing of it is known here
  const view = { ...news, players: people(news.players) };
  shown = news;
  const focused = document.activeElement;
  showVerdict(view, press);
  showButtons(view);
  showDock();
  // What had the focus may be gone with what it was for: who uses the keyboard goes on where it is asked next.
  if (focused !== document.body && !focused.isConnected) ($("consent").querySelector("button") ?? $("headline")).focus({ preventScroll: true });
  hear(view);
  answerTyped(view);
  if (!view.game) return;
  inWords = view;
  const { game, title, players, scores, movers, outcome, log, mends } = view; // what is the same object did not change
  if (differs("title", title, scores)) {
    put($("title"), title);
    document.title = `${scores.totals.join(" : ")} · ${title}`;
  }
  if (differs("scores", players, scores, movers)) showScores(view);
  if (differs("pad", players, scores)) showPad(view);
  if (differs("final", players, scores, outcome)) showFinal(view);
  if (differs("log", players, log, mends)) showLog(view, lookBack);
  if (differs("changed", log, mends, view.saved)) showChanged(view);
  past?.pastKnows(view, MENDS);
  showBoard(view, press);
  showCamera();
  if (differs("notation", game)) $("notation").href = `/notation/${game}`;
}

// — lamps blink in the match's own rhythm; nothing is touched that stays as it is —
const lamps = ["green", "amber", "red"].map((lamp) => ({ lamp, node: document.querySelector(`#lamps .${lamp}`), lit: false }));
setInterval(() => {
  if (!shown || document.hidden) return;
  const part = Math.floor(Date.now() / 125) % 8;
  for (const one of lamps) {
    const lit = shown.lamps[one.lamp][part] === "#";
    if (lit !== one.lit) one.node.className = (one.lit = lit) ? `${one.lamp} lit` : one.lamp;
  }
  if (!differs("lamps", shown.phase)) return;
  $("lamps").ariaLabel = t("lamps: {phase}", { phase: told(shown.phase) });
}, 125);

// — the picture: one at a time, and none while nobody looks —
let etag = "";
async function picture() {
  if (ended) return;
  if (!document.hidden) {
    const answer = await fetch(`/frame.jpg?${$("plain").checked ? "plain" : "outlined"}`, { headers: etag ? { "If-None-Match": etag } : {} }).catch(() => null);
    if (answer?.status === 200) {
      etag = answer.headers.get("ETag") ?? "";
      const url = URL.createObjectURL(await answer.blob());
      const old = $("picture").src;
      $("picture").src = url;
      if (old) URL.revokeObjectURL(old);
      import("./captions.js").then(({ caption }) => caption(answer)).catch(() => {}); // without a camera nobody needs it
    }
    $("no-picture").textContent = answer?.status === 401 ? t("Enter the PIN or the code to see the table.") : t("No picture");
    if (answer?.status === 401) { $("picture").removeAttribute("src"); etag = ""; }
    $("picture").hidden = !$("picture").src;
    $("no-picture").hidden = Boolean($("picture").src);
    showCamera();
  }
  setTimeout(picture, $("picture").hidden ? 2000 : 400);
}
// A match by hand has no picture as a rule, and then no empty frame either.
function showCamera() {
  const away = Boolean(shown?.by_hand) && $("picture").hidden;
  if ($("camera").hidden !== away) $("camera").hidden = away;
  if ($("table").classList.contains("alone") !== away) $("table").classList.toggle("alone", away);
}
$("plain").onchange = () => { etag = ""; };

// — what is new comes by itself; a sleeping page holds no line —
const FOLLOWED = {
  live: "", asking: "This screen asks for news once a second.", lost: "The referee does not answer.",
  full: "Too many screens follow this match: this one asks for news once a second.",
};
follow({
  show: (view) => calmly(() => show(view)),
  state: (how, status) => {
    if (how === "lost" && status === 404 && stays) return location.reload(); // the lobby is the page now
    if (how === "lost" && status === 401) return location.reload();
    put($("followed"), t(FOLLOWED[how]));
  },
  ended: () => {
    ended = true;
    $("headline").textContent = t("The match has been closed.");
    if (stays) setTimeout(() => location.reload(), 700);
  },
  renewed: () => location.reload(),
});
document.addEventListener("may", () => { if (shown) show(shown); });

// — a match that was opened without its camera is closed and opened again with it —
async function again() {
  if (!(await post("/api/box/do", { kind: "camera" }))?.ok) say(t("The box does not answer."));
}
async function lookForCamera() {
  const answer = await fetch("/api/box", { cache: "no-store" }).catch(() => null);
  blind = answer?.ok ? (await answer.json()).blind : blind;
  if (shown) show(shown);
}
if (stays) {
  lookForCamera();
  import("./glance.js").catch(() => {}); // how the box is
}

// — leaving: at once when the game is over, else after a question —
async function leave() {
  if (!(await post("/api/box/do", { kind: "leave" }))?.ok) say(t("The box does not answer."));
}
if (stays) {
  $("leave").onclick = () => shown?.phase === "finished" ? leave() : $("leaving").showModal();
  $("leaving").onclose = () => { if ($("leaving").returnValue === "leave") leave(); };
}

openTyped(press);
picture();
