// The pieces of all games as SVG, one unit being the side of a square; each is drawn about its middle.

import { h } from "../keyed.js";

export const s = (name, attributes, ...inside) => h(`svg:${name}`, attributes, ...inside);
export const at = (x, y, turn = 0, scale = 1) => `translate(${x} ${y})${turn ? ` rotate(${turn})` : ""}${scale === 1 ? "" : ` scale(${scale})`}`;

export const SUIT_NAMES = ["suns", "moons", "crowns", "arms"];
const SUIT = {
  suns: "M0-.44 .1-.2 .31-.31 .2-.1 .44 0 .2 .1 .31 .31 .1 .2 0 .44-.1 .2-.31 .31-.2 .1-.44 0-.2-.1-.31-.31-.1-.2Z",
  moons: "M.1-.4A.41 .41 0 1 0 .4 .1 .33 .33 0 1 1 .1-.4Z",
  crowns: "M-.38 .28-.44-.22-.19 .0 0-.36 .19 0 .44-.22 .38 .28Z",
  arms: "M-.31-.36H.31V.02C.31 .25 .12 .35 0 .42-.12 .35-.31 .25-.31 .02Z",
};
export const SUIT_INK = { suns: "#bf2d22", moons: "#23262d", crowns: "#9a7106", arms: "#1f5ea6" };
const DOT = 0.27;
const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [0, 0], [1, 0], [-1, 1], [1, 1]],
  [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]],
  [[-1, -1], [0, -1], [1, -1], [-1, 0], [0, 0], [1, 0], [-1, 1], [0, 1], [1, 1]],
];

export function letters(text, size, attributes = {}) {
  return s("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": size, "font-weight": 700, ...attributes }, text);
}

export const suit = (name, scale = 1, ink = SUIT_INK[name]) => s("path", { d: SUIT[name], fill: ink, transform: scale === 1 ? null : `scale(${scale})` });

function pips(count, x, ink) {
  if (count > 9) return [letters(String(count), 0.56, { x, y: 0.02, fill: ink })];
  return (PIPS[count] ?? []).map(([dx, dy], k) => s("circle", { key: `${x} ${k}`, cx: x + dx * DOT, cy: dy * DOT, r: count > 6 ? 0.085 : 0.1, fill: ink }));
}

// A domino along x, its first half to the left; each half may be something to tap.
export function domino(value, { face = "up", halves = [{}, {}] } = {}) {
  const up = face === "up" && value?.pips;
  const body = [
    s("rect", { key: "edge", x: -0.96, y: -0.42, width: 1.92, height: 0.92, rx: 0.13, class: up ? "edge" : "edge back" }),
    s("rect", { key: "body", x: -0.96, y: -0.46, width: 1.92, height: 0.9, rx: 0.13, class: up ? "ivory" : "back" }),
  ];
  if (!up) body.push(s("rect", { key: "frame", x: -0.8, y: -0.31, width: 1.6, height: 0.6, rx: 0.08, class: "backline" }));
  const marks = up ? [
    s("line", { key: "bar", x1: 0, x2: 0, y1: -0.34, y2: 0.32, class: "bar" }),
    s("g", { key: "a", transform: "translate(0 -.01)" }, pips(value.pips[0], -0.48, "#23262d"), pips(value.pips[1], 0.48, "#23262d")),
  ] : [];
  const targets = halves.map((half, k) => s("rect", { key: `half ${k}`, x: k ? 0 : -1, y: -0.5, width: 1, height: 1, class: "target", ...half }));
  return [...body, ...marks, ...targets];
}

// A domino upright in a square, its second half above; numbers stand upright.
export function standing(value) {
  const half = (count, y) => s("g", { key: y, transform: at(0, y, 0, count > 9 ? 0.62 : 0.5) }, pips(count, 0, "#23262d"));
  return [
    s("rect", { key: "edge", x: -0.27, y: -0.44, width: 0.54, height: 0.92, rx: 0.08, class: "edge" }), s("rect", { key: "body", x: -0.27, y: -0.46, width: 0.54, height: 0.91, rx: 0.08, class: "ivory" }),
    s("path", { key: "bar", d: "M-.2 0H.2", class: "bar" }), half(value.pips[1], -0.23), half(value.pips[0], 0.23),
  ];
}

export function coin({ suit: name, value }, target = {}) {
  const word = value === 0 ? "–" : value === 1 ? "A" : String(value ?? "?");
  return [
    s("circle", { key: "edge", cy: 0.03, r: 0.38, class: "coin-edge" }), s("circle", { key: "body", r: 0.37, class: "coin" }), s("circle", { key: "ring", r: 0.31, class: "coin-ring" }),
    value === null || value === undefined ? name ? s("g", { key: "suit" }, suit(name, 0.56)) : letters("?", 0.4, { key: "text", y: 0.02, fill: "#3b3529" }) : letters(word, 0.42, { key: "text", y: 0.02, fill: name ? SUIT_INK[name] : "#3b3529" }),
    s("circle", { key: "target", r: 0.48, class: "target", ...target }),
  ];
}

export function pawn(name, target = {}) {
  const ink = SUIT_INK[name] ?? "#444";
  return [
    s("ellipse", { key: "shadow", cy: 0.33, rx: 0.29, ry: 0.1, fill: "#0004" }),
    s("path", { key: "body", d: "M-.27 .34C-.27 .14-.12 .12-.12-.04H.12C.12 .12 .27 .14 .27 .34Z", fill: ink, class: "rim" }),
    s("circle", { key: "head", cy: -0.16, r: 0.2, fill: ink, class: "rim" }),
    s("g", { key: "suit", transform: "translate(0 -.16)" }, suit(name, 0.3, "#fff")),
    s("rect", { key: "target", x: -0.48, y: -0.48, width: 0.96, height: 0.96, class: "target", ...target }),
  ];
}

export function cube(ink, inside, target = {}) {
  return [
    s("rect", { key: "edge", x: -0.42, y: -0.37, width: 0.84, height: 0.84, rx: 0.17, class: "edge" }),
    s("rect", { key: "body", x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.17, class: "ivory", stroke: ink, "stroke-width": 0.045 }),
    s("g", { key: "face" }, inside),
    s("rect", { key: "target", x: -0.5, y: -0.5, width: 1, height: 1, class: "target", ...target }),
  ];
}

// A die of the piecepack: nothing, the suit for an ace, or its number.
export function suitDie(name, face, target = {}) {
  const ink = SUIT_INK[name] ?? "#444";
  const number = Number(face);
  const inside = face === "ace" ? [suit(name, 0.66)] : number ? [letters(face, 0.58, { y: 0.03, fill: ink })] : [];
  return cube(ink, [s("g", { key: "mark", transform: "translate(0 -.01)" }, inside), s("g", { key: "corner", transform: "translate(.27 -.26) scale(.26)" }, face === "ace" ? null : suit(name))], target);
}

// A coat of the Duel, in a square; crosses stand below it.
const COATS = { dot: "d", "two-dots": "D", stripe: "s", "two-stripes": "S", quarters: "q", black: "b", joker: "?" };
export const COAT_INK = { d: "#b57a00", D: "#2f7d32", s: "#2a62b5", S: "#b3302a", q: "#7a3fa0", b: "#26282c", "?": "#555" };
export const coatOf = (name) => COATS[name] ?? name;
export function coat(letter, crosses = 0) {
  const ink = COAT_INK[letter] ?? "#555";
  const up = crosses ? -0.1 : 0, size = crosses ? 0.8 : 1;
  const marks = {
    d: [s("circle", { r: 0.2, fill: ink })],
    D: [s("circle", { key: 1, cx: -0.14, cy: -0.12, r: 0.14, fill: ink }), s("circle", { key: 2, cx: 0.14, cy: 0.12, r: 0.14, fill: ink })],
    s: [s("path", { d: "M-.24 .14 .14-.24 .24-.14-.14 .24Z", fill: ink })],
    S: [s("path", { key: 1, d: "M-.27 .06 .06-.27 .14-.19-.19 .14Z", fill: ink }), s("path", { key: 2, d: "M-.14 .19 .19-.14 .27-.06-.06 .27Z", fill: ink })],
    q: [s("path", { d: "M-.24-.24H0V0H-.24ZM0 0H.24V.24H0Z", fill: ink }), s("rect", { x: -0.24, y: -0.24, width: 0.48, height: 0.48, fill: "none", stroke: ink, "stroke-width": 0.04 })],
    b: [s("rect", { x: -0.24, y: -0.24, width: 0.48, height: 0.48, rx: 0.03, fill: ink })],
    "?": [letters("?", 0.6, { y: 0.02, fill: ink })],
  }[letter] ?? [];
  const rows = Array.from({ length: crosses }, (_, k) => s("path", { key: `x ${k}`, d: "M-.05 0H.05M0-.06V.06", transform: at((k - (crosses - 1) / 2) * 0.17, 0.31), stroke: "#26282c", "stroke-width": 0.045, "stroke-linecap": "round" }));
  return [s("g", { key: "coat", transform: at(0, up, 0, size) }, marks), ...rows];
}

export const bar = (target = {}) => [
  s("rect", { key: "edge", x: -0.46, y: -0.07, width: 0.92, height: 0.2, rx: 0.05, class: "edge" }),
  s("rect", { key: "body", x: -0.46, y: -0.12, width: 0.92, height: 0.2, rx: 0.05, class: "ivory" }),
  s("rect", { key: "target", x: -0.5, y: -0.24, width: 1, height: 0.48, class: "target", ...target }),
];

// A small picture of its own, for trays and buttons.
export const small = (inside, [x, y, width, height], attributes = {}) => s("svg", { viewBox: `${x} ${y} ${width} ${height}`, "aria-hidden": "true", focusable: "false", ...attributes }, inside);
export const BOXES = { domino: [-1.02, -0.52, 2.04, 1.1], one: [-0.52, -0.52, 1.04, 1.08] };
