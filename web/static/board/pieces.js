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

// What answers to a tap; nothing where nothing can be tapped, so that a board that is looked at is drawn at once.
export const target = (shape, size, touch, key = "target") => touch && s(shape, { key, ...size, class: "target", ...touch });
const square = (half) => ({ x: -half, y: -half, width: 2 * half, height: 2 * half });

// All pips of a piece are one line of points: a board of many dominoes is few shapes.
const points = (count, x, y = 0, dot = DOT) => (PIPS[count] ?? []).map(([dx, dy]) => `M${+(x + dx * dot).toFixed(3)} ${+(y + dy * dot).toFixed(3)}h0`).join("");
const spots = (d, radius, key) => s("path", { key, d, class: "pips", "stroke-width": 2 * radius });
const radiusOf = (...counts) => Math.max(...counts) > 6 ? 0.085 : 0.1;

// What both halves of a domino show, each about its middle: points, or numbers beyond nine.
function pipsOf(values, middles, scale = 1) {
  const low = values.map((count, k) => count > 9 ? "" : points(count, ...middles[k], DOT * scale)).join("");
  const numbers = values.map((count, k) => count > 9 && letters(String(count), 0.56 * (scale < 1 ? 0.62 : 1), { key: `number ${k}`, x: middles[k][0], y: middles[k][1] + 0.02, fill: "#23262d" }));
  return [low && spots(low, radiusOf(...values.filter((count) => count <= 9)) * scale, "pips"), ...numbers];
}

// A rectangle with round corners as one line: it takes one attribute instead of five.
export const rounded = (x, y, width, height, r) => {
  const [w, h_] = [width - 2 * r, height - 2 * r].map((size) => +size.toFixed(3));
  return `M${+(x + r).toFixed(3)} ${y}h${w}q${r} 0 ${r} ${r}v${h_}q0 ${r}-${r} ${r}h-${w}q-${r} 0-${r}-${r}v-${h_}q0-${r} ${r}-${r}z`;
};
const EDGE = rounded(-0.96, -0.42, 1.92, 0.92, 0.13), FACE = rounded(-0.96, -0.46, 1.92, 0.9, 0.13), FRAME = rounded(-0.8, -0.31, 1.6, 0.6, 0.08);

// A domino along x, its first half to the left; each half may be something to tap.
export function domino(value, { face = "up", halves = [] } = {}) {
  const up = face === "up" && value?.pips;
  const body = [s("path", { key: "edge", d: EDGE, class: up ? "edge" : "edge back" }), s("path", { key: "body", d: FACE, class: up ? "ivory" : "back" })];
  if (!up) body.push(s("path", { key: "frame", d: FRAME, class: "backline" }));
  if (up) body.push(s("path", { key: "bar", d: "M0-.34V.32", class: "bar" }), ...pipsOf(value.pips, [[-0.48, -0.01], [0.48, -0.01]]));
  return [...body, ...halves.map((half, k) => target("rect", { x: k ? 0 : -1, y: -0.5, width: 1, height: 1 }, half, `half ${k}`))];
}

// A domino upright in a square, its second half above; numbers stand upright.
export function standing(value) {
  return [
    s("rect", { key: "edge", x: -0.27, y: -0.44, width: 0.54, height: 0.92, rx: 0.08, class: "edge" }), s("rect", { key: "body", x: -0.27, y: -0.46, width: 0.54, height: 0.91, rx: 0.08, class: "ivory" }),
    s("path", { key: "bar", d: "M-.2 0H.2", class: "bar" }),
    ...pipsOf(value.pips, [[0, 0.23], [0, -0.23]], 0.5),
  ];
}

export function coin({ suit: name, value }, touch = null) {
  const word = value === 0 ? "–" : value === 1 ? "A" : String(value ?? "?");
  return [
    s("circle", { key: "edge", cy: 0.03, r: 0.38, class: "coin-edge" }), s("circle", { key: "body", r: 0.37, class: "coin" }), s("circle", { key: "ring", r: 0.31, class: "coin-ring" }),
    value === null || value === undefined ? name ? s("g", { key: "suit" }, suit(name, 0.56)) : letters("?", 0.4, { key: "text", y: 0.02, fill: "#3b3529" }) : letters(word, 0.42, { key: "text", y: 0.02, fill: name ? SUIT_INK[name] : "#3b3529" }),
    target("circle", { r: 0.48 }, touch),
  ];
}

export function pawn(name, touch = null) {
  const ink = SUIT_INK[name] ?? "#444";
  return [
    s("ellipse", { key: "shadow", cy: 0.33, rx: 0.29, ry: 0.1, fill: "#0004" }),
    s("path", { key: "body", d: "M-.27 .34C-.27 .14-.12 .12-.12-.04H.12C.12 .12 .27 .14 .27 .34Z", fill: ink, class: "rim" }),
    s("circle", { key: "head", cy: -0.16, r: 0.2, fill: ink, class: "rim" }),
    s("g", { key: "suit", transform: "translate(0 -.16)" }, suit(name, 0.3, "#fff")),
    target("rect", square(0.48), touch),
  ];
}

export function cube(ink, inside, touch = null) {
  return [
    s("rect", { key: "edge", x: -0.42, y: -0.37, width: 0.84, height: 0.84, rx: 0.17, class: "edge" }),
    s("rect", { key: "body", x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.17, class: "ivory", stroke: ink, "stroke-width": 0.045 }),
    s("g", { key: "face" }, inside),
    target("rect", square(0.5), touch),
  ];
}

// A die of the piecepack: nothing, the suit for an ace, or its number.
export function suitDie(name, face, touch = null) {
  const ink = SUIT_INK[name] ?? "#444";
  const number = Number(face);
  const inside = face === "ace" ? [suit(name, 0.66)] : number ? [letters(face, 0.58, { y: 0.03, fill: ink })] : [];
  return cube(ink, [s("g", { key: "mark", transform: "translate(0 -.01)" }, inside), s("g", { key: "corner", transform: "translate(.27 -.26) scale(.26)" }, face === "ace" ? null : suit(name))], touch);
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
  const each = Array.from({ length: crosses }, (_, k) => (k - (crosses - 1) / 2) * 0.17);
  const row = crosses > 0 && s("path", { key: "crosses", class: "crosses", d: each.map((x) => `M${x - 0.05} .31h.1M${x} .25v.12`).join("") });
  return [s("g", { key: "coat", transform: at(0, up, 0, size) }, marks), row];
}

export const bar = (touch = null) => [
  s("rect", { key: "edge", x: -0.46, y: -0.07, width: 0.92, height: 0.2, rx: 0.05, class: "edge" }),
  s("rect", { key: "body", x: -0.46, y: -0.12, width: 0.92, height: 0.2, rx: 0.05, class: "ivory" }),
  target("rect", { x: -0.5, y: -0.24, width: 1, height: 0.48 }, touch),
];

// A small picture of its own, for trays and buttons. Only one that answers to taps is there for who does not see it.
const answers = (parts) => parts.some((one) => Array.isArray(one) ? answers(one) : one?.attributes && ("data-tap" in one.attributes || answers(one.inside)));
export const small = (inside, [x, y, width, height], attributes = {}) => s("svg", { viewBox: `${x} ${y} ${width} ${height}`, ...answers([inside]) ? { role: "presentation" } : { "aria-hidden": "true" }, focusable: "false", ...attributes }, inside);
export const BOXES = { domino: [-1.02, -0.52, 2.04, 1.1], one: [-0.52, -0.52, 1.04, 1.08] };
