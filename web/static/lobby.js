// Shows the lobby of the box and passes on what people want of it. It decides nothing.

import { working } from "./focus.js";
import { look as ask } from "./join.js";
import "./look.js";
import { Older } from "./older.js";
import { people, t, told } from "./words.js";

const $ = (selector) => document.querySelector(selector);
const token = $('meta[name="token"]').content;
const form = $("form");
let known = ""; // what was shown last, so that nothing is built anew under a finger
let touched = false; // whether somebody has begun to fill the form in
let again = 0; // the next look, while a match is being opened or closed
const WAIT = { match: "The match is being opened …", ending: "The match is being closed …" };

// Small pictures of what is laid in each game, drawn from squares and pips.
const PICTURES = {
  "draw-game": "M1 5h18v10H1zM10 5v10M21 5h10v18H21zM21 14h10",
  dominoids: "M1 2h10v20H1zM1 12h10M17 7a4 4 0 1 0 .1 0zM28 6h8l-4-5zM27 8h10v14H27z",
  "dominoes-of-war": "M1 1h10v10H1zM12 1h10v10H12zM1 12h10v10H1zM12 12h10v10H12zM27 3h10v18H27zM27 12h10",
  "kingdomino-duel": "M1 4h16v16H1zM5 8h.1M13 8h.1M5 16h.1M13 16h.1M9 12h.1M22 4h16v16H22zM30 12h.1M26 8h.1M34 16h.1",
};

function made(name, text = "", attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text; // text, never markup
  Object.assign(element, attributes);
  return element;
}

function picture(game) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 40 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ d: PICTURES[game] ?? PICTURES.dominoids, fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linejoin": "round", "stroke-linecap": "round" })) path.setAttribute(name, value);
  svg.append(path);
  return svg;
}

// Said once: the same words again would be read aloud again.
function say(words) {
  if ($("#notice").textContent !== words) $("#notice").textContent = words;
}

async function want(kind, more = {}) {
  say("");
  const answer = await fetch("/api/box/do", {
    method: "POST", headers: { "Content-Type": "application/json", "X-Pipwatch-Token": token },
    body: JSON.stringify({ kind, ...more }),
  }).catch(() => null);
  if (answer?.status === 401) ask(); // the phone was forgotten: the field for the code comes up
  else if (answer?.status === 403) location.reload(); // the box was started anew
  else if (!answer?.ok) say(t("The box does not answer."));
  else look();
}

// In the language of the page, as the reader's own country writes it: 3 Nov in London, Nov 3 in Boston.
const written = () => { const { lang } = document.documentElement; return navigator.languages.find((one) => one.startsWith(lang)) ?? lang; };
const day = (at) => new Date(at * 1000).getFullYear() < 2026 ? "" : new Date(at * 1000).toLocaleDateString(written(), { day: "numeric", month: "short" }).replace(" ", "\u00a0");

// What can be done with a match that is kept, beside going on with it.
function more(match) {
  const part = made("details"), list = made("p", "", { className: "more" }), at = `/api/matches/${match.name}`;
  part.append(made("summary", t("More")), list);
  const link = (words, href, attributes = {}) => list.append(made("a", words, { href, ...attributes }));
  link(t("Look back"), `/matches/${match.name}`);
  for (const form of ["json", "csv", "text", ...(match.game === "dominoids" ? ["ppn"] : [])]) link(form.toUpperCase(), `${at}/export/${form}`, { download: "" });
  link(t("Cases"), `${at}/case.zip`, { download: "", title: t("Questions and corrections, for reports") });
  link(t("Delete"), "/owner");
  return part;
}

function row(match) {
  const item = made("li");
  const named = people(match.players), [first, second] = named;
  item.append(made("span", `${first} – ${second}`, { className: "who" }));
  const score = match.scores.length ? match.scores.join(" : ") : "";
  if (match.over) {
    const won = match.winner ? t("{name} has won", { name: named[match.winner - 1] }) : t("a draw");
    item.append(made("span", score, { className: "score" }), made("span", [match.title, won, day(match.at)].filter(Boolean).join(" · "), { className: "game" }));
  } else {
    const button = made("button", t("Go on"), { type: "button", onclick: () => { button.disabled = true; want("resume", { name: match.name }); } });
    button.dataset.acts = "";
    item.append(button, made("span", [match.title, score, day(match.at)].filter(Boolean).join(" · "), { className: "game" }));
  }
  item.append(more(match));
  return item;
}

// How often each of two people has won, of all matches that are kept.
function pairs(found, counting) {
  $("#pairs").hidden = !found.length;
  $("#counting").hidden = !counting;
  $("#pairs ul").replaceChildren(...found.map(({ players, won, drawn }) => {
    const item = made("li");
    item.append(made("span", people(players).join(" – "), { className: "who" }), made("span", won.join(" : "), { className: "score" }), made("span", drawn ? t("{n} drawn", { n: drawn }) : "", { className: "game" }));
    return item;
  }));
}

// — house rules: what the rules of a game leave open, as questions —
let readings = null;
async function showReadings(game) {
  const answer = await fetch(`/api/readings/${game}`).catch(() => null);
  if (!answer?.ok || form.game.value !== game) return;
  readings = await answer.json();
  const names = Object.keys(readings.profiles);
  $("#profile").parentNode.hidden = names.length < 2;
  $("#profile").replaceChildren(...names.map((name) => made("option", name === "default" ? t("as the rules are read here") : name, { value: name })));
  $("#readings").replaceChildren(...readings.readings.map((one) => {
    const label = made("label", one.question), field = one.choices.length ? made("select") : made("input", "", { type: "number", min: one.least });
    field.name = `reading ${one.key}`;
    for (const { value, words } of one.choices) field.append(made("option", value === one.default ? `${words} (${t("default")})` : words, { value: String(value) }));
    field.dataset.usual = String(one.default);
    field.value = String(one.default);
    label.append(field);
    return label;
  }));
  usual();
}
// What the chosen profile sets is what is usual; what differs from that is told.
function usual() {
  const set = readings.profiles[$("#profile").value] ?? {};
  for (const field of $("#readings").querySelectorAll("select, input")) {
    const key = field.name.slice(8), one = readings.readings.find((each) => each.key === key);
    field.dataset.usual = field.value = String(set[key] ?? one.default);
  }
}
function profile() {
  if (!readings) return "default";
  const changed = [...$("#readings").querySelectorAll("select, input")].filter((field) => field.value !== field.dataset.usual);
  return [$("#profile").value || "default", ...changed.map((field) => `${field.name.slice(8)}=${field.value}`)].join("+");
}

// — which camera sees it, and whether the pieces are people's own —
const LEARNED = new Set(["dominoids", "dominoes-of-war"]); // games with pieces whose signs can be taught
let box = { cameras: [], pieces: [] };

// The options of a field; what was chosen stays chosen, and what is gone is offered no more.
function options(field, wanted) {
  const wish = JSON.stringify(wanted), before = field.value;
  if (field.dataset.made === wish) return;
  field.dataset.made = wish;
  field.replaceChildren(...wanted.map(({ value, words }) => made("option", words, { value })));
  if (wanted.some(({ value }) => value === before)) field.value = before;
  else field.value = wanted.find(({ usual }) => usual)?.value ?? wanted[0]?.value ?? "";
}

function showSeen() {
  const game = form.game.value, mine = box.pieces.filter((one) => one.games.includes(game));
  $("#seen").hidden = form.by.value !== "camera";
  options(form.camera, box.cameras.map(({ name, title, usual, there }) => ({
    value: name, usual, words: [told(title), usual && `(${t("default")})`, !there && `– ${t("not connected")}`].filter(Boolean).join(" "),
  })));
  options(form.pieces, [{ value: "", usual: true, words: `${t("ordinary ones")} (${t("default")})` }, ...mine.map(({ name, title }) => ({ value: name, words: title }))]);
  $("#with-camera").hidden = !box.cameras.length;
  $("#with-pieces").hidden = !mine.length;
  $("#to-learn").hidden = mine.length > 0 || !LEARNED.has(game);
  if ($("#with-camera").hidden && $("#with-pieces").hidden && $("#to-learn").hidden) $("#seen").hidden = true;
}

// The last matches, and the older ones that somebody asked for.
const older = new Older(lists);
function lists() {
  const rows = older.beyond([...box.matches, ...box.results]);
  fill("#kept", [...box.matches, ...rows.filter(({ over }) => !over)]);
  fill("#results", [...box.results, ...rows.filter(({ over }) => over)]);
  $("#older").hidden = !older.more;
}

function fill(list, matches) {
  $(list).hidden = !matches.length;
  $(`${list} ul, ${list} ol`).replaceChildren(...matches.map(row));
}

function showGames(games) {
  if ($("#games label")) return;
  for (const { name, title } of games) {
    const label = made("label"), text = made("span");
    text.append(picture(name), title);
    label.append(made("input", "", { type: "radio", name: "game", value: name, required: true }), text);
    $("#games").append(label);
  }
}

// What was played last is offered again, as long as nobody has touched anything.
function suggest() {
  const last = box.matches[0] ?? box.results[0];
  form.game.value = last?.game ?? box.games[0].name;
  form.confirm.value = last?.confirm ?? box.confirm;
  for (const [field, name, plain] of [["first", last?.players[0], "player 1"], ["second", last?.players[1], "player 2"]]) {
    form[field].value = name && name !== plain ? name : "";
  }
  form.by.value = box.camera && box.sight ? "camera" : "hand";
  showSeen();
  for (const field of ["camera", "pieces"]) {
    if (last?.[field] && [...form[field].options].some(({ value }) => value === last[field])) form[field].value = last[field];
  }
  if (readings?.game !== form.game.value) showReadings(form.game.value);
}

function show(fresh) {
  box = fresh; // as it was told last
  if (box.dashboard) { location.reload(); return; }
  say(WAIT[box.place] ? t(WAIT[box.place]) : told(box.words));
  clearTimeout(again);
  if (WAIT[box.place]) again = setTimeout(look, 300);
  showGames(box.games);
  const now = JSON.stringify(box);
  if (now === known) return;
  known = now;
  $("#remarks").hidden = !box.remarks.length;
  $("#remarks ul").replaceChildren(...box.remarks.map((one) => made("li", told(one))));
  $("#camera").hidden = box.sight;
  $("#work").hidden = !box.work;
  $("#work").textContent = box.work ? `${t("Work")}: ${told(box.work)}` : ""; // less is done on a slow board
  older.follow(box.older);
  lists();
  pairs(box.pairs, box.counting);
  const camera = form.querySelector('[value="camera"]');
  camera.disabled = !box.sight;
  if (!touched) suggest();
  showSeen();
}

async function look() {
  const answer = await fetch("/api/box").catch(() => null);
  if (answer?.ok) {
    if ($("#notice").textContent === t("The box does not answer.")) { location.reload(); return; }
    show(await answer.json());
  } else say(t("The box does not answer."));
}

form.oninput = (event) => {
  touched = true;
  if (event.target.name === "game") showReadings(form.game.value);
  if (event.target.id === "profile") usual();
  showSeen();
};
form.onsubmit = (event) => {
  event.preventDefault();
  working($("#begin"), () => { begin(); return new Promise((done) => setTimeout(done, 3000)); });
};
function begin() {
  want("begin", {
    game: form.game.value, players: [form.first.value, form.second.value],
    confirm: form.confirm.value, by: form.by.value, profile: profile(),
    ...(form.by.value === "camera" ? { camera: form.camera.value, pieces: form.pieces.value } : {}),
  });
}
$("#older").onclick = () => working($("#older"), async () => {
  const wanted = document.activeElement === $("#older");
  await older.ask();
  if (wanted && !older.more && [document.body, $("#older")].includes(document.activeElement)) [...document.querySelectorAll("#side li summary")].at(-1)?.focus(); // that was the last of them
});
$("#camera").onclick = () => want("camera");

setInterval(() => { if (!document.hidden) look(); }, 1500);
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
look();
