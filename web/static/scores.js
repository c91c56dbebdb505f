// The score of both players: two cards that say whose turn it is, and the pad with every line that makes them up.

import { h, patch } from "./keyed.js";
import { $ } from "./page.js";
import { t, told } from "./words.js";

export function showScores(view) {
  patch($("scores"), view.players.map((name, k) => {
    const moves = view.movers.includes(k + 1);
    return h("div", { key: k, class: `p${k + 1}${moves ? " moves" : ""}` },
      h("span", { class: "arrow", "aria-hidden": "true" }, moves ? "➤" : ""),
      h("span", { class: "name" }, name, moves && h("small", {}, t("to move"))),
      h("b", {}, String(view.scores.totals[k])));
  }));
}

// Lines with the same words stand in one row; what only one player has leaves the other's place empty.
function rows(lines) {
  const found = new Map(), seen = new Map();
  for (const { player, label, points } of lines) {
    const nth = seen.get(`${player} ${label}`) ?? 0;
    seen.set(`${player} ${label}`, nth + 1);
    const key = `${label} ${nth}`;
    if (!found.has(key)) found.set(key, { label, points: [null, null] });
    found.get(key).points[player - 1] = points;
  }
  return [...found];
}

// Lines of one deal belong together: “deal 3: the 0-5 laid”.
const apart = (whole) => /^(\w+ \d+): (.*)$/s.exec(whole) ?? [null, "", whole];
export function labelled(whole) {
  const [, part, label] = apart(whole);
  return [part, label].filter(Boolean).map((words) => told(words)).join(": ");
}
function parts(lines) {
  const found = new Map();
  for (const line of lines) {
    const [, part, label] = apart(line.label);
    if (!found.has(part)) found.set(part, []);
    found.get(part).push({ ...line, label });
  }
  return [...found];
}

const sum = (lines, player) => lines.reduce((total, line) => total + (line.player === player ? line.points : 0), 0);

function part(name, lines) {
  const body = rows(lines).map(([key, line]) => h("tr", { key, class: name ? "of" : null }, h("th", { scope: "row" }, told(line.label)), line.points.map((points, k) => h("td", { key: k }, points === null ? "" : String(points)))));
  const head = name && h("tr", { key: "head", class: "part" }, h("th", { scope: "row" }, told(name)), [1, 2].map((player) => h("td", { key: player }, String(sum(lines, player)))));
  return h("tbody", { key: name || "all" }, head, body);
}

export function showPad(view) {
  $("pad").hidden = !view.players;
  patch($("pad-table"), [
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("For")), view.players.map((name, k) => h("th", { key: k, scope: "col", class: `p${k + 1}` }, name)))),
    ...parts(view.scores.lines).reverse().map(([name, lines]) => part(name, lines)),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("Total")), view.scores.totals.map((total, k) => h("td", { key: k }, String(total))))),
  ]);
}

// The end of a game: who has won, by what, and it stays.
export function showFinal(view) {
  const { outcome } = view, over = Boolean(outcome);
  $("final").hidden = !over;
  if (!over) return;
  const won = outcome.winner;
  $("final").className = won ? `p${won}` : "";
  $("final-who").textContent = won ? t("{name} has won", { name: view.players[won - 1] }) : t("A draw");
  $("final-score").textContent = view.scores.totals.join(" : ");
  $("final-why").textContent = told(outcome.reason, view.players);
}

for (const one of document.querySelectorAll(".print")) one.onclick = () => print();
