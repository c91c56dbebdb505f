// Shows the lobby of the box and passes on what people want of it. It decides nothing.

import { look as ask } from "./join.js";

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
  else if (!answer?.ok) say("The box does not answer.");
  else look();
}

const day = (at) => new Date(at * 1000).getFullYear() < 2026 ? "" : new Date(at * 1000).toLocaleDateString(undefined, { day: "numeric", month: "short" }).replace(" ", "\u00a0");

function row(match) {
  const item = made("li");
  const [first, second] = match.players;
  item.append(made("span", `${first} – ${second}`, { className: "who" }));
  const score = match.scores.length ? match.scores.join(" : ") : "";
  if (match.over) {
    const won = match.winner ? `${match.players[match.winner - 1]} has won` : "a draw";
    item.append(made("span", score, { className: "score" }), made("span", [match.title, won, day(match.at)].filter(Boolean).join(" · "), { className: "game" }));
  } else {
    const button = made("button", "Go on", { type: "button", onclick: () => { button.disabled = true; want("resume", { name: match.name }); } });
    button.dataset.acts = "";
    item.append(button, made("span", [match.title, score, day(match.at)].filter(Boolean).join(" · "), { className: "game" }));
  }
  return item;
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
function suggest(box) {
  const last = box.matches[0] ?? box.results[0];
  form.game.value = last?.game ?? box.games[0].name;
  form.confirm.value = last?.confirm ?? box.confirm;
  for (const [field, name, plain] of [["first", last?.players[0], "player 1"], ["second", last?.players[1], "player 2"]]) {
    form[field].value = name && name !== plain ? name : "";
  }
  form.by.value = box.camera && box.sight ? "camera" : "hand";
}

function show(box) {
  if (box.dashboard) { location.reload(); return; }
  say(WAIT[box.place] ?? box.words);
  clearTimeout(again);
  if (WAIT[box.place]) again = setTimeout(look, 300);
  showGames(box.games);
  const now = JSON.stringify(box);
  if (now === known) return;
  known = now;
  $("#remarks").hidden = !box.remarks.length;
  $("#remarks ul").replaceChildren(...box.remarks.map((one) => made("li", one)));
  $("#camera").hidden = box.sight;
  fill("#kept", box.matches);
  fill("#results", box.results);
  const camera = form.querySelector('[value="camera"]');
  camera.disabled = !box.sight;
  if (!touched) suggest(box);
}

async function look() {
  const answer = await fetch("/api/box").catch(() => null);
  if (answer?.ok) {
    if ($("#notice").textContent === "The box does not answer.") { location.reload(); return; }
    show(await answer.json());
  } else say("The box does not answer.");
}

form.oninput = () => { touched = true; };
form.onsubmit = (event) => {
  event.preventDefault();
  $("#begin").disabled = true;
  setTimeout(() => { $("#begin").disabled = false; }, 3000);
  want("begin", {
    game: form.game.value, players: [form.first.value, form.second.value],
    confirm: form.confirm.value, by: form.by.value,
  });
};
$("#camera").onclick = () => want("camera");

setInterval(() => { if (!document.hidden) look(); }, 1500);
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
look();
