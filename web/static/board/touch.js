// The board that is touched: what is tapped or dragged becomes a line, and the line goes to the match as if typed.
//
// What may be tapped next, what it says and what the rules say of it is asked of the box; the page decides nothing.

import { h, patch } from "../keyed.js";
import { $, mayAct } from "../page.js";
import { rule } from "../verdict.js";
import { t, told } from "../words.js";
import * as dominoids from "./dominoids.js";
import * as drawGame from "./draw_game.js";
import * as duel from "./duel.js";
import { Marks } from "./marks.js";
import { nearby, sketch, thumb } from "./pictures.js";
import * as war from "./war.js";

const GAMES = { dominoids, "draw-game": drawGame, "dominoes-of-war": war, "kingdomino-duel": duel };
const GROUPS = { move: "A move", fact: "What was seen", put: "Set right by hand", change: "Change what was said" };
const GOOD = new Set(["legal", "unverifiable"]);
const NONE = { taps: [], said: [], next: [], line: "", prompt: "" };
const board = { view: null, press: null, marks: null, touch: NONE, on: false, known: "", forms: [], asked: 0, peek: null, sent: "" };

const active = (view) => mayAct() && view.offers.includes("typed") && (view.by_hand || board.on);
const names = (words) => told(words, board.view.players);
const inForm = () => board.touch.taps[0]?.startsWith("form ") ?? false;

// — asking —

async function ask(taps) {
  const number = ++board.asked;
  const query = new URLSearchParams(taps.map((tap) => ["tap", tap]));
  const answer = await fetch(`/api/touch?${query}`).catch(() => null);
  const touch = answer?.ok ? await answer.json() : null;
  if (number !== board.asked || !touch) return;
  if (touch.forms) board.forms = touch.forms;
  board.touch = touch;
  board.peek = null;
  sessionStorage.setItem("taps", JSON.stringify([board.known, touch.taps])); // what is half said outlives a page that is loaded anew
  if (touch.line && allowed(touch)) return send(touch.line);
  render();
  if (touch.line) requestAnimationFrame(() => requestAnimationFrame(seeWhy)); // once the dock has the size of what it says
}

// What proves it wrong comes into sight, however much is said at the edge of the window.
function seeWhy() {
  const squares = frame.querySelectorAll(".broken"), proof = squares.length ? squares : frame.querySelectorAll(".ghosts.wrong > g");
  for (const one of [...proof].reverse()) one.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const allowed = (touch) => !touch.problem && (!touch.ruling || GOOD.has(touch.ruling.status));

async function send(line) {
  board.touch = NONE;
  board.peek = null; // what is pressed is taken away now, and loses the focus while the page is drawn
  board.sent = line;
  render();
  await board.press("typed", { words: line });
  board.known = ""; // whatever comes of it is asked anew
  refresh();
}

function refresh() {
  if (!board.view?.game || !active(board.view)) return;
  const { view } = board, last = view.log.at(-1);
  const known = [view.game, view.log.length, last?.entry, last?.text, last?.stands, view.phase, view.notice, view.movers].join();
  if (known === board.known) return;
  board.known = known;
  const taps = recalled(known);
  if (taps.length && !board.forms.length) learnForms();
  ask(taps);
}

// All that can be said is told where nothing is said yet: after a page is loaded anew in its midst, that is asked beside.
async function learnForms() {
  const answer = await fetch("/api/touch").catch(() => null), told = answer?.ok ? await answer.json() : null;
  if (told?.forms) board.forms = told.forms;
}

function recalled(known) {
  const [was, taps] = board.asked ? [] : JSON.parse(sessionStorage.getItem("taps") ?? "[]");
  return was === known ? taps : [];
}

// — tapping —

// One after the other: a tap that comes before the answer to the one before is not lost.
let busy = Promise.resolve();
function tap(candidates) {
  busy = busy.then(() => tapped(candidates));
  return busy;
}

function tapped(candidates) {
  const { touch } = board, lit = new Set(touch.next.map((choice) => choice.tap));
  const one = candidates.find((name) => lit.has(name));
  const again = candidates.find((name) => touch.taps.includes(name));
  if (!one && again && !inForm()) return ask(touch.taps.filter((name) => name !== again));
  if (!one && inForm()) return;
  const before = touch.ruling || touch.problem ? [] : touch.taps;
  return ask([...before, one ?? candidates[0]]);
}

const clear = () => ask([]);

// — drawing —

function shown() {
  const { touch, peek } = board;
  const wrong = Boolean(touch.ruling && !GOOD.has(touch.ruling.status));
  const ghosts = peek?.spots ?? (wrong ? touch.ghost?.spots : null) ?? [];
  const player = Number(/^[12](?=:)/.exec(touch.line ?? "")?.[0]) || null; // whose map it is about
  return { ghosts, wrong: wrong && !peek, player, squares: wrong ? touch.ruling.squares : [], nearest: wrong && !peek ? touch.nearest : [], places: touch.places ?? {} };
}

function render() {
  const { view, touch } = board;
  if (!view?.game) return;
  const { layout, marks, detail, players, movers, log } = view;
  const from = [layout, marks, detail, players, movers, log, touch, board.peek, active(view)];
  if (board.from?.every((one, k) => one === from[k])) return renderPanel(view);
  board.from = from;
  const table = touch.layout ? { ...view, layout: touch.layout, marks: null } : view;
  board.marks = new Marks(touch, active(view), players);
  patch(frame, GAMES[view.game].draw(table, board.marks, shown()));
  if (frame.dataset.game !== view.game) frame.dataset.game = view.game;
  const { dataset } = $("board"), now = active(view) ? "on" : "off", said = touch.taps.join("|");
  if (dataset.touch !== now) dataset.touch = now;
  if (dataset.said !== said) dataset.said = said;
  renderPanel(view);
}

function renderPanel(view) {
  patch($("say"), panel(view));
  showDock();
}

// The edge of the window is there for what can be said or pressed.
export function showDock() {
  const { classList, dataset } = $("dock"), asks = Boolean($("say").querySelector(".prompt")), offers = !asks && Boolean($("say").firstChild);
  const count = $("buttons").childElementCount + offers, holds = asks || count > 0;
  if ($("dock").hidden === holds) $("dock").hidden = !holds;
  if (classList.contains("says") !== asks) classList.toggle("says", asks);
  if (dataset.count !== String(count)) dataset.count = count;
  if ($("verdict").classList.contains("asked") !== asks) $("verdict").classList.toggle("asked", asks); // what is expected stands there already
}

function choiceButton(choice) {
  const ghost = board.touch.ghosts?.[choice.tap];
  const look = ghost ? peeking(ghost) : {};
  const picture = ghost ? thumb(board.view, ghost) : sketch(board.view.game, choice.tap);
  return h("button", { key: choice.tap, type: "button", class: picture ? "choice pictured" : "choice", "data-say": choice.tap, onclick: () => tap([choice.tap]), ...look }, picture, h("span", { key: "words" }, names(choice.words)));
}

// While it is pointed at, the board shows what it would come to.
const peeking = (ghost) => ({ onpointerenter: () => peek(ghost), onpointerleave: () => peek(null), onfocus: () => peek(ghost), onblur: () => peek(null) });

function peek(ghost) {
  if (board.peek === ghost) return;
  board.peek = ghost;
  render();
}

// Why not, by which rule; what can be done about it comes before all that more could be read.
function refusal(touch) {
  const { ruling } = touch, { game } = board.view;
  if (touch.problem) return [h("p", { key: "no", class: "no", role: "alert" }, h("b", {}, "✗ "), names(touch.problem)), acts([["Leave it", clear]])];
  if (!ruling || GOOD.has(ruling.status)) return [];
  return [
    h("p", { key: "no", class: "no", role: "alert" }, h("b", {}, ruling.status === "incomplete" ? `… ${t("Not finished")} ` : `✗ ${t("Not allowed")} `), rule(game, ruling.rule), ` ${names(ruling.reason)}`),
    acts([["Leave it", clear], ["It was played so", () => send(touch.line)]]),
    nearby(board.view, (touch.nearest ?? []).map((near) => ({ text: near.text, changed: near })), send, peeking),
    ruling.also.length > 0 && h("ul", { key: "also" }, ruling.also.map((fault, k) => h("li", { key: k }, rule(game, fault.rule), ` ${names(fault.sentence)}`))),
  ];
}

const acts = (buttons) => h("div", { key: "acts", class: "choices" }, buttons.map(([words, act]) => h("button", { key: words, type: "button", class: "choice", onclick: act }, t(words))));

function panel(view) {
  const { touch } = board;
  if (!mayAct() || !view.offers.includes("typed")) return [];
  if (!active(view)) return [h("button", { key: "on", type: "button", onclick: () => turn(true) }, t("Say it by touch"))];
  const chosen = touch.taps.map((name, k) => [name, touch.said?.[k] ?? name]).filter(([name]) => !name.startsWith("form "));
  const refused = touch.line ? refusal(touch) : [];
  const rest = refused.length ? [] : touch.next.filter((choice) => !board.marks.drawn.has(choice.tap));
  return [
    h("p", { key: "prompt", class: "prompt", "aria-live": "polite" }, refused.length ? "" : names(touch.prompt || (chosen.length ? t("And then?") : ""))),
    chosen.length > 0 && !refused.length && h("p", { key: "chosen", class: "chips" }, chosen.map(([name, words], k) => h("span", { key: `${k} ${name}` }, names(words)))),
    ...refused,
    rest.length > 0 && h("div", { key: "choices", class: `choices${rest.length > 8 ? " many" : ""}` }, rest.map(choiceButton)),
    !refused.length && h("div", { key: "tools", class: "tools" },
      touch.taps.length > 0 && h("button", { key: "clear", type: "button", onclick: clear }, t("Start again")),
      h("button", { key: "more", type: "button", onclick: () => { listForms(); $("forms").showModal(); } }, t("Something else …")),
      !view.by_hand && h("button", { key: "off", type: "button", onclick: () => turn(false) }, t("Leave the board alone"))),
  ];
}

function listForms() {
  patch($("forms-list"), Object.entries(GROUPS).map(([group, words]) => h("section", { key: group }, h("h3", {}, t(words)), h("div", { class: "choices" },
    board.forms.filter((form) => form.group === group).map((form) => h("button", { key: form.tap, type: "button", class: "choice", "data-say": form.tap, onclick: () => { $("forms").close(); ask([form.tap]); } }, h("span", { key: "words" }, t(form.words)), h("small", { key: "pattern", class: "notation" }, form.pattern)))))));
}

function turn(on) {
  board.on = on;
  board.touch = NONE;
  board.known = "";
  render();
  refresh();
}

// Where none of the answers was it, the board is there to say what was.
export function openBoard() {
  turn(true);
  $("board").scrollIntoView({ block: "start", behavior: "smooth" });
}

// Something else happened than an entry says: what it was is tapped on the table as it lay then.
export function sayOtherwise(entry) {
  openBoard();
  ask(["form correct", `entry ${entry}`]);
}

export function showBoard(view, press) {
  const before = board.view;
  board.view = view;
  board.press = press;
  if (before?.game !== view.game) board.touch = NONE;
  render();
  refresh();
}

// What can be said and the buttons of the table stay in sight at the edge of the window; nothing ends behind them.
new ResizeObserver(([{ borderBoxSize }]) => document.documentElement.style.setProperty("--dock", `${borderBoxSize[0].blockSize}px`)).observe($("dock"));

// — fingers, mouse and keys —

const frame = document.querySelector("#board .frame");
const named = (element) => element?.closest?.("[data-tap]")?.dataset.tap.split("|");
const FAR = 8; // pixels from which on a press is a drag
let drag = null, dragged = false;

frame.addEventListener("click", (event) => {
  if (dragged) { dragged = false; return; }
  const candidates = named(event.target);
  if (candidates && board.marks?.active) tap(candidates);
});
frame.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary) { letGo(); return; } // two fingers want to see it larger
  const target = event.target.closest?.("[data-tap]");
  dragged = false;
  if (!target || !board.marks?.active || event.button) return;
  drag = { target, x: event.clientX, y: event.clientY, candidates: named(target), floating: null };
});
addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.floating) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR || !drag.target.classList.contains("lit")) return;
    take(event);
  }
  drag.floating.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
}, { passive: true });

// A finger on what is lit does not scroll the page: Chromium heeds no touch-action of a shape, and would end the drag.
frame.addEventListener("touchmove", (event) => {
  if (event.cancelable && event.touches.length === 1 && (drag?.floating || drag?.target.classList.contains("lit"))) event.preventDefault();
}, { passive: false });

// A copy of the piece under the finger; what it may become is lit meanwhile.
function take() {
  const piece = drag.target.parentNode, box = piece.getBoundingClientRect();
  const copy = document.createElementNS("http://www.w3.org/2000/svg", "svg"), inside = piece.cloneNode(true);
  const area = piece.getBBox();
  inside.removeAttribute("transform");
  copy.setAttribute("viewBox", `${area.x} ${area.y} ${area.width} ${area.height}`);
  copy.setAttribute("class", "floating");
  const turned = /rotate\((-?[\d.]+)\)/.exec(piece.getAttribute("transform") ?? "");
  copy.style.width = `${turned && Math.abs(turned[1]) % 180 === 90 ? box.height : box.width}px`;
  if (turned) inside.setAttribute("transform", `rotate(${turned[1]} ${area.x + area.width / 2} ${area.y + area.height / 2})`);
  copy.append(inside);
  copy.style.overflow = "visible";
  document.body.append(copy);
  drag.floating = copy;
  drag.ready = board.touch.taps.some((name) => drag.candidates.includes(name)) ? null : tap(drag.candidates);
}

// What was taken up is where it was, and nothing more is said.
function letGo() {
  drag?.floating?.remove();
  dragged = Boolean(drag);
  drag = null;
}

async function drop(event) {
  const { floating, ready, candidates } = drag;
  drag = null;
  if (!floating) return;
  floating.remove();
  dragged = true;
  setTimeout(() => { dragged = false; }, 50); // a click that follows belongs to the drag
  if (event.type === "pointercancel") return;
  const there = named(document.elementFromPoint(event.clientX, event.clientY));
  await ready;
  if (there && there.join() !== candidates.join() && board.touch.taps.length) tap(there);
}
addEventListener("pointerup", (event) => { if (drag) drop(event); });
addEventListener("pointercancel", (event) => { if (drag) drop(event); });

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
frame.addEventListener("keydown", (event) => {
  const candidates = named(event.target);
  if (!candidates || !board.marks?.active) return;
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tap(candidates); }
  else if (event.key === "Escape") clear();
  else if (WAYS[event.key]) { event.preventDefault(); go(event.target, WAYS[event.key]); }
});

// The nearest thing that is lit in the direction of an arrow key.
function go(from, [dx, dy]) {
  const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const one of frame.querySelectorAll(".target.lit, .target.chosen")) {
    const [ox, oy] = middle(one), along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along > 1 && along + 2 * aside < least) { best = one; least = along + 2 * aside; }
  }
  best?.focus();
}
