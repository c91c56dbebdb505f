// Shows the match and passes on what people press. It decides nothing: every word comes from the match.

import { openBoard, sayOtherwise, showBoard } from "./board/touch.js";
import { asked } from "./consent.js";
import { look as ask } from "./join.js";
import { hear } from "./hear.js";
import { h, patch } from "./keyed.js";
import "./larger.js";
import "./look.js";
import { showLog } from "./log.js";
import { $, calmly, post } from "./page.js";
import { lookBack, pastKnows } from "./past.js";
import { showFinal, showPad, showScores } from "./scores.js";
import { say, showVerdict } from "./verdict.js";
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

function show(news) {
  const view = { ...news, players: people(news.players) };
  shown = news;
  if (view.format !== undefined && view.format !== FORMAT) { say(t("This page is out of date: load it again.")); return; }
  const focused = document.activeElement;
  showVerdict(view, press);
  showButtons(view);
  // What had the focus may be gone with what it was for: who uses the keyboard goes on where it is asked next.
  if (focused !== document.body && !focused.isConnected) ($("consent").querySelector("button") ?? $("headline")).focus({ preventScroll: true });
  hear(view);
  if (!view.game) return;
  $("title").textContent = view.title;
  document.title = `${view.scores.totals.join(" : ")} · ${view.title}`;
  const { players, scores, movers, outcome, log, mends } = view; // what is the same object did not change
  if (differs("scores", players, scores, movers)) showScores(view);
  if (differs("pad", players, scores)) showPad(view);
  if (differs("final", players, scores, outcome)) showFinal(view);
  if (differs("log", players, log, mends)) showLog(view, lookBack);
  pastKnows(view, MENDS);
  showBoard(view, press);
  $("notation").href = `/notation/${view.game}`;
}

// — lamps blink in the match's own rhythm —
setInterval(() => {
  if (!shown) return;
  const part = Math.floor(Date.now() / 125) % 8;
  for (const lamp of ["green", "amber", "red"]) {
    document.querySelector(`#lamps .${lamp}`).classList.toggle("lit", shown.lamps[lamp][part] === "#");
  }
  const words = t("lamps: {phase}", { phase: told(shown.phase) });
  if ($("lamps").ariaLabel !== words) $("lamps").ariaLabel = words;
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
    $("no-picture").textContent = answer?.status === 401 ? t("Enter the PIN or the code to see the table.") : t("No picture");
    if (answer?.status === 401) { $("picture").removeAttribute("src"); etag = ""; }
    $("picture").hidden = !$("picture").src;
    $("no-picture").hidden = Boolean($("picture").src);
  }
  setTimeout(picture, $("picture").hidden ? 2000 : 400);
}
$("plain").onchange = () => { etag = ""; };

// — what is new comes by itself; a sleeping page holds no line —
if ($("print")) $("print").onclick = () => print();

const FOLLOWED = {
  live: "", asking: "This screen asks for news once a second.", lost: "The referee does not answer.",
  full: "Too many screens follow this match: this one asks for news once a second.",
};
follow({
  show: (view) => calmly(() => show(view)),
  state: (how, status) => {
    if (how === "lost" && status === 404 && stays) return location.reload(); // the lobby is the page now
    if (how === "lost" && status === 401) return location.reload();
    const words = t(FOLLOWED[how]);
    if ($("followed").textContent !== words) $("followed").textContent = words;
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
if (stays) lookForCamera();

// — leaving: at once when the game is over, else after a question —
async function leave() {
  if (!(await post("/api/box/do", { kind: "leave" }))?.ok) say(t("The box does not answer."));
}
if (stays) {
  $("leave").onclick = () => shown?.phase === "finished" ? leave() : $("leaving").showModal();
  $("leaving").onclose = () => { if ($("leaving").returnValue === "leave") leave(); };
}

// — a line that is typed stays until it was taken, also when the page is loaded anew —
$("line").value = sessionStorage.getItem("line") ?? "";
$("line").oninput = () => sessionStorage.setItem("line", $("line").value);
$("typed").onsubmit = async (event) => {
  event.preventDefault();
  const words = $("line").value.trim();
  if (words && await press("typed", { words })) { $("line").value = ""; sessionStorage.removeItem("line"); }
};

picture();
