// The Draw Game: the line as it lies, its open ends, the boneyard, both hands, and the tiles that may be laid.

import { h, memo, shelf } from "../keyed.js";
import { t } from "../words.js";
import { differing, onBoard } from "./marks.js";
import { at, BOXES, domino, letters, s, small, target } from "./pieces.js";

const known = memo();
const LEAST = [9, 5]; // the line is never drawn larger than a table of so many half tiles
const tileOf = (name) => ({ pips: name.split("-").map(Number) });

function placed(where, inside, key) {
  return s("g", { key, transform: at(where.x, -where.y, -(where.angle ?? 0)) }, inside);
}

function frame(places) {
  const xs = places.map((spot) => spot.x), ys = places.map((spot) => -spot.y);
  const middle = (all) => all.length ? (Math.min(...all) + Math.max(...all)) / 2 : 0;
  const wide = Math.max(LEAST[0], ...xs.map((x) => 2 * Math.abs(x - middle(xs)) + 2.8)), high = Math.max(LEAST[1], ...ys.map((y) => 2 * Math.abs(y - middle(ys)) + 2.8));
  return `${middle(xs) - wide / 2} ${middle(ys) - high / 2} ${wide} ${high}`;
}

const stock = shelf();
function closed(many, key, words, mine) {
  return stock(`${key} ${many} ${mine} ${words}`, () => h("div", { key, class: `tray hand ${mine}` }, h("span", { class: "caption" }, words), h("div", { class: "row tight" },
    Array.from({ length: Math.min(many, 14) }, (_, k) => h("i", { key: k, class: "stood" })), h("b", { key: "many" }, String(many)))));
}

function hand(view, player, marks) {
  const open = view.layout.spots.filter((spot) => spot.region === `hand-${player}`);
  const turn = view.movers.includes(player) ? `p${player} mine` : `p${player}`;
  if (!open.length) return closed(view.layout.hidden[`hand-${player}`] ?? 0, `hand ${player}`, view.players[player - 1], turn);
  return h("div", { key: `hand ${player}`, class: `tray hand ${turn}` }, h("span", { class: "caption" }, view.players[player - 1]), h("div", { class: "row upright" },
    open.map((spot) => known(spot, [marks.from], () => upright(spot.value, spot.name, marks)))));
}

// What the open ends count: their sum is worth points where it is a multiple of five.
function counted(view) {
  const ends = view.detail?.ends ?? [];
  return ends.length > 0 && h("div", { key: "ends", class: "tray ends" }, h("span", { class: "caption" }, t("Open ends")),
    h("div", { class: "row" }, h("span", {}, ends.join(" + "), " = ", h("b", {}, String(ends.reduce((sum, end) => sum + end, 0))))));
}

// The tiles that nobody sees on the table: the one that is laid, drawn or shown is tapped here.
function palette(view, marks) {
  if (!marks.active) return null;
  const wanted = [...marks.words.keys(), ...marks.chosen.keys()].filter((tap) => tap.startsWith("tile ")).map((tap) => tap.slice(5));
  if (!wanted.length) return null;
  const lying = new Set(view.layout.spots.filter((spot) => spot.region === "board").map((spot) => spot.name)), tiles = [];
  for (let low = 0; low <= 6; low++) for (let high = low; high <= 6; high++) if (!lying.has(`${low}-${high}`) || wanted.includes(`${low}-${high}`)) tiles.push(`${low}-${high}`);
  return h("div", { key: "palette", class: "tray wide palette" }, h("span", { class: "caption" }, t("Tiles")), h("div", { class: "row upright" },
    tiles.map((name) => upright(tileOf(name), name, marks, marks.lit(`tile ${name}`) || marks.chosen.has(`tile ${name}`) ? "" : " faint"))));
}

// A tile on end, in as much room as a finger wants.
const upright = (value, name, marks, how = "") => small([
  s("g", { key: "tile", transform: "rotate(90)" }, domino(value)),
  target("rect", { x: -0.84, y: -1.05, width: 1.68, height: 2.1 }, marks.of(`tile ${name}`))], [-0.84, -1.05, 1.68, 2.1], { key: name, class: `upright${how}` });

function ends(marks, places) {
  return Object.entries(places).map(([tap, where]) => placed(where, [
    s("rect", { key: "place", x: -0.98, y: -0.5, width: 1.96, height: 1, rx: 0.14, class: marks.lit(tap) ? "landing" : "landing far" }),
    marks.lit(tap) && s("circle", { key: "dot", r: 0.17, class: "dot" }),
    s("rect", { key: "target", x: -1.05, y: -0.55, width: 2.1, height: 1.1, ...marks.of(tap) })], tap));
}

export function draw(view, marks, shown) {
  const lying = view.layout.spots.filter((spot) => spot.region === "board" && spot.x !== null);
  const aside = view.layout.spots.filter((spot) => spot.region === "aside");
  const { last, refused } = view.marks ?? {}, places = marks.active ? shown.places ?? {} : {};
  const ghosts = [...(shown.ghosts ?? []), ...(refused?.spots ?? [])].filter((spot) => spot.region === "board" && spot.x !== null);
  const nearest = onBoard(refused?.nearest ?? shown.nearest);
  const newest = new Set(refused ? [] : (last?.at ?? []).map((spot) => spot.name));
  const spinner = lying.find((spot) => spot.value.pips[0] === spot.value.pips[1]);
  const drop = places["place down"];
  return [
    s("svg", { key: "board", class: "board line", viewBox: frame([...lying, ...ghosts, ...nearest, ...Object.values(places)]), role: "group", "aria-label": t("The line") },
      !lying.length && !drop ? letters(t("The table is bare"), 0.5, { key: "bare", class: "bare" }) : null,
      s("g", { key: "line" }, lying.map((spot) => known(spot, [marks.from, newest.has(spot.name), spot === spinner], () => placed(spot, [
        newest.has(spot.name) && s("rect", { key: "last", x: -1.06, y: -0.56, width: 2.12, height: 1.12, rx: 0.2, class: "tint last" }),
        ...domino(spot.value, { halves: [marks.of(`lying ${spot.name}`), marks.of(`lying ${spot.name}`)] }),
        spot === spinner && s("circle", { key: "spinner", r: 0.1, class: "spinner" })], spot.name)))),
      s("g", { key: "ghosts", class: shown.wrong || refused ? "ghosts wrong" : "ghosts" }, ghosts.map((spot, k) => placed(spot, [...domino(spot.value), s("rect", { key: "wrong", x: -1, y: -0.5, width: 2, height: 1, rx: 0.16, class: "outline" })], `${k} ${spot.name}`))),
      s("g", { key: "nearest", class: "ghosts" }, nearest.map((spot, k) => placed(spot, domino(spot.value), `${k} ${spot.name}`))),
      differing(view.marks, (one) => one.x === undefined ? null : [one.x, -one.y]),
      s("g", { key: "ends" }, ends(marks, places))),
    h("div", { key: "around", class: "trays" }, palette(view, marks), hand(view, 1, marks), hand(view, 2, marks), closed(view.layout.hidden.boneyard ?? 0, "boneyard", t("Boneyard"), ""), counted(view),
      aside.length > 0 && h("div", { key: "aside", class: "tray" }, h("span", { class: "caption" }, t("Beside the line")), h("div", { class: "row" }, aside.map((spot) => small(domino(spot.value), BOXES.domino, { key: spot.name, class: "domino" }))))),
  ];
}
