// Dominoids: the board of sixteen tiles, and around it the dice, the stacks, the gene pool and what was eaten.

import { h, memo, shelf } from "../keyed.js";
import { t } from "../words.js";
import { broken, differing, dot, onBoard, once, tint } from "./marks.js";
import { at, BOXES, coin, domino, letters, pawn, rounded, s, small, suitDie, SUIT_NAMES, target } from "./pieces.js";

const known = memo(), GROUND = {}, stock = shelf();
const calm = (marks, says, make) => marks.active ? make() : stock(says, make); // what nobody can tap stays the same
const SIDE = 8;
const nameOf = (x, y) => `${String.fromCharCode(96 + x)}${y}`;
const place = (name) => [name.charCodeAt(0) - 96, SIDE + 1 - Number(name.slice(1))];
const LETTER = { left: "◀", right: "▶", up: "▲", down: "▼" };

// The sixteen tiles with their seams and coordinates, which no game changes, in a few shapes; and its squares, to be tapped.
const EVERY = [1, 2, 3, 4, 5, 6, 7, 8];
const TILES = [1, 3, 5, 7].flatMap((x) => [1, 3, 5, 7].map((y) => rounded(x - 0.46, y - 0.46, 1.92, 1.92, 0.1))).join("");
const SEAMS = [1, 3, 5, 7].map((k) => `M${k + 0.5} .54V2.46M${k + 0.5} 2.54V4.46M${k + 0.5} 4.54V6.46M${k + 0.5} 6.54V8.46M.54 ${k + 0.5}H2.46M2.54 ${k + 0.5}H4.46M4.54 ${k + 0.5}H6.46M6.54 ${k + 0.5}H8.46`).join("");
const BOARD = s("g", { key: "board" }, s("path", { key: "tiles", d: TILES, class: "wood" }), s("path", { key: "seams", d: SEAMS, class: "seam" }),
  letters("abcdefgh", 0.27, { key: "files", x: EVERY.join(" "), y: EVERY.map(() => SIDE + 0.72).join(" "), class: "coordinate" }),
  letters("87654321", 0.27, { key: "ranks", x: EVERY.map(() => 0.28).join(" "), y: EVERY.join(" "), class: "coordinate" }));

function ground(marks) {
  const squares = marks.active ? EVERY.flatMap((x) => EVERY.map((y) => s("rect", { key: `square ${x} ${y}`, x: x - 0.5, y: SIDE + 0.5 - y, width: 1, height: 1, ...marks.of(`square ${nameOf(x, y)}`) }))) : [];
  return [BOARD, ...squares];
}

function covered(spot) {
  const turn = (spot.angle ?? 0) * Math.PI / 180, dx = Math.cos(turn) / 2, dy = Math.sin(turn) / 2;
  return [[Math.round(spot.x - dx), Math.round(spot.y - dy)], [Math.round(spot.x + dx), Math.round(spot.y + dy)]];
}

const kindOf = (spot) => spot.name.split(" ")[1];

const piece = (spot, marks) => known(spot, [marks ? marks.from : undefined], () => drawn(spot, marks));
function drawn(spot, marks) {
  const x = spot.x, y = SIDE + 1 - spot.y, square = `square ${nameOf(Math.round(spot.x), Math.round(spot.y))}`;
  if (spot.kind === "domino") {
    const halves = covered(spot).map(([a, b]) => marks?.of(spot.name, `square ${nameOf(a, b)}`));
    return s("g", { key: spot.name, transform: at(x, y, -(spot.angle ?? 0)) }, domino(spot.value, { halves }));
  }
  const touch = marks?.of(spot.kind === "pawn" ? spot.name : square, square) ?? null;
  return s("g", { key: spot.name, transform: at(x, y) }, spot.kind === "pawn" ? pawn(spot.value.suit, touch) : coin({ suit: kindOf(spot), value: spot.value?.value }, touch));
}

function around(spots, kind) {
  return spots.flatMap((spot) => spot.kind === "domino" ? covered(spot).map(([x, y]) => tint(x, SIDE + 1 - y, `${x} ${y}`, kind)) : [tint(spot.x, SIDE + 1 - spot.y, `${spot.x} ${spot.y}`, kind)]);
}

// The ways in which tiles can be pushed: an arrow at each end of a row or column that may be.
function arrows(marks) {
  const found = [];
  for (const [way, across] of [["left", true], ["right", true], ["up", false], ["down", false]]) for (let line = 1; line <= 4; line++) {
    const tap = `arrow ${across ? "row" : "column"} ${line} ${way}`;
    if (!marks.lit(tap)) { marks.drawn.delete(tap); continue; }
    const middle = 2 * line - 0.5, end = { left: [0.02, SIDE + 1 - middle], right: [SIDE + 0.98, SIDE + 1 - middle], up: [middle, 0.02], down: [middle, SIDE + 0.98] }[way];
    const long = across ? [0.44, 1.9] : [1.9, 0.44];
    found.push(s("g", { key: tap, transform: at(...end) }, s("rect", { key: "body", x: -long[0] / 2, y: -long[1] / 2, width: long[0], height: long[1], rx: 0.2, class: "push" }),
      letters(LETTER[way], 0.34, { key: "way", class: "pushed" }), s("rect", { key: "target", x: -long[0] / 2 - 0.08, y: -long[1] / 2 - 0.08, width: long[0] + 0.16, height: long[1] + 0.16, ...marks.of(tap) })));
  }
  return found;
}

function lit(marks, spots) {
  const taken = new Set(spots.flatMap((spot) => spot.kind === "domino" ? covered(spot).map(([x, y]) => nameOf(x, y)) : [nameOf(spot.x, spot.y)]));
  return [...marks.words.keys()].filter((tap) => tap.startsWith("square ")).map((tap) => { const name = tap.slice(7); return dot(...place(name), name, taken.has(name)); });
}

function dice(view, marks) {
  const { chosen = [], used = [] } = view.detail ?? {};
  const boxes = [["old-dice", t("Old dice")], ["new-dice", t("New dice")], ["chosen-dice", t("This turn")]];
  return h("div", { key: "dice", class: "trays thirds" }, boxes.map(([region, words]) => {
    const spots = view.layout.spots.filter((spot) => spot.region === region);
    return h("div", { key: region, class: `tray dice${region === "chosen-dice" && chosen.length ? " mine" : ""}` }, h("span", { class: "caption" }, words),
      h("div", { class: "row" }, spots.map((spot) => {
        const look = used.includes(kindOf(spot)) ? "die spent" : "die";
        return calm(marks, `${spot.name} ${spot.value.face} ${look}`, () => small(suitDie(kindOf(spot), spot.value.face, marks.of(spot.name)), BOXES.one, { key: spot.name, class: look }));
      }), !spots.length && h("span", { class: "none" }, "–")));
  }));
}

function stacks(view, marks) {
  return h("div", { key: "stacks", class: "tray" }, h("span", { class: "caption" }, t("Stacks")), h("div", { class: "row" }, SUIT_NAMES.map((name) => {
    const many = view.layout.hidden[`stack-${name}`] ?? 0;
    return calm(marks, `stack ${name} ${many}`, () => h("span", { key: name, class: "counted" }, small(many ? coin({ suit: name, value: null }, marks.of(`stack ${name}`)) : [s("circle", { r: 0.36, class: "empty" }), target("circle", { r: 0.48 }, marks.of(`stack ${name}`))], BOXES.one, { class: "die" }), h("b", {}, String(many))));
  })));
}

function eaten(view, player) {
  const mine = view.layout.spots.filter((spot) => spot.region === `hand-${player}`);
  return h("div", { key: `eaten ${player}`, class: `tray p${player}` }, h("span", { class: "caption" }, view.players[player - 1]),
    h("div", { class: "row tight" }, mine.map((spot) => known(spot, [], () => small(coin({ suit: kindOf(spot), value: spot.value.value }), BOXES.one, { key: spot.name, class: "little" }))), !mine.length && h("span", { class: "none" }, t("nothing eaten"))));
}

function pool(view, marks) {
  const spots = view.layout.spots.filter((spot) => spot.region === "pool");
  const free = SUIT_NAMES.filter((name) => !view.layout.spots.some((spot) => spot.name === `pawn ${name}`));
  return h("div", { key: "pool", class: "tray wide" }, h("span", { class: "caption" }, t("Gene pool")), h("div", { class: "row" },
    free.map((name) => calm(marks, `pawn ${name}`, () => small(pawn(name, marks.of(`pawn ${name}`)), BOXES.one, { key: `pawn ${name}`, class: "die" }))),
    spots.map((spot) => known(spot, [marks.from], () => small(domino(spot.value, { halves: [marks.of(spot.name), marks.of(spot.name)] }), BOXES.domino, { key: spot.name, class: "domino" })))));
}

export function draw(view, marks, shown) {
  const spots = view.layout.spots.filter((spot) => spot.region === "board" && spot.x !== null);
  const { last, refused } = view.marks ?? {};
  const ghosts = (shown.ghosts ?? []).filter((spot) => spot.region === "board");
  const nearest = onBoard(refused?.nearest ?? shown.nearest);
  const wrong = refused ? refused.squares.filter((name) => /^[a-h][1-8]$/.test(name)) : shown.squares ?? [];
  return [
    s("svg", { key: "board", class: "board", viewBox: "-.24 -.24 9.48 9.48", role: "group", "aria-label": t("The board") },
      known(GROUND, [marks.from], () => s("g", { key: "ground" }, ground(marks))),
      s("g", { key: "tints" }, last && !refused ? once(around(last.at, "last")) : []),
      s("g", { key: "pieces" }, spots.map((spot) => piece(spot, marks))),
      s("g", { key: "arrows" }, arrows(marks)),
      s("g", { key: "ghosts", class: shown.wrong || refused ? "ghosts wrong" : "ghosts" }, [...ghosts, ...(refused?.spots ?? []).filter((spot) => spot.region === "board")].map((spot, k) => s("g", { key: `${k} ${spot.name}` }, piece(spot)))),
      s("g", { key: "nearest", class: "ghosts" }, nearest.map((spot, k) => s("g", { key: `${k} ${spot.name}` }, piece(spot)))),
      s("g", { key: "broken" }, wrong.filter((name) => /^[a-h][1-8]$/.test(name)).map((name) => broken(...place(name), name))),
      differing(view.marks, (one) => one.x === undefined ? /^[a-h][1-8]$/.test(one.place) ? place(one.place) : null : [one.x, SIDE + 1 - one.y]),
      s("g", { key: "lit", class: "untouched" }, lit(marks, spots))),
    h("div", { key: "beside", class: "beside" }, dice(view, marks), h("div", { key: "around", class: "trays" }, stacks(view, marks), eaten(view, 1), eaten(view, 2), pool(view, marks))),
  ];
}
