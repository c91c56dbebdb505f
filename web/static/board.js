// Draws a layout: what the table should look like, in board units, from the first player's side.

const NS = "http://www.w3.org/2000/svg";
const SUIT = { suns: "☀", moons: "☾", crowns: "♛", arms: "⚔" };
const SUIT_INK = { suns: "#c8201f", moons: "#1d1d1f", crowns: "#a8830a", arms: "#1b5fa8" };
const COAT = { dot: "•", "two-dots": "••", stripe: "|", "two-stripes": "‖", quarters: "▚", black: "■", joker: "?" };
const COAT_INK = { dot: "#c98a00", "two-dots": "#2d7d3a", stripe: "#2b62b8", "two-stripes": "#b3261e", quarters: "#7a3fa0", black: "#222" };
const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];
const PIP_INK = ["", "#333", "#2a7f3f", "#c0392b", "#7b4a2b", "#1f5fa8", "#b8860b", "#6c3483", "#117a65", "#a04000"];
const LOOK = {
  dominoids: { squares: [1, 1, 8, 8], tile: 1 },
  "dominoes-of-war": { squares: [1, 1, 8, 8], tile: 0.46 },
  "draw-game": { tile: 1 },
};

function node(name, attributes = {}, ...inside) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function words(text, size, attributes = {}) {
  const made = node("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": size, ...attributes });
  made.textContent = text; // never markup: names come from people
  return made;
}

function pips(count, x) {
  if (count > 6) return [words(String(count), 0.62, { x, y: 0.03, fill: PIP_INK[count] ?? "#333", "font-weight": 700 })];
  return PIPS[count].map(([dx, dy]) =>
    node("circle", { cx: x + dx * 0.25, cy: dy * 0.25, r: 0.1, fill: PIP_INK[count] }));
}

function domino(spot) {
  const group = node("g");
  const up = spot.face === "up" && spot.value;
  group.append(node("rect", { x: -0.97, y: -0.47, width: 1.94, height: 0.94, rx: 0.12, fill: up ? "#fbf7ea" : "#5d4432", stroke: "#0006", "stroke-width": 0.03 }));
  if (up) {
    group.append(node("line", { x1: 0, x2: 0, y1: -0.36, y2: 0.36, stroke: "#0005", "stroke-width": 0.05 }));
    group.append(...pips(spot.value.pips[0], -0.49), ...pips(spot.value.pips[1], 0.49));
  } else {
    group.append(node("rect", { x: -0.8, y: -0.3, width: 1.6, height: 0.6, rx: 0.08, fill: "none", stroke: "#fff3", "stroke-width": 0.04 }));
  }
  return group;
}

function round(fill, text, ink, size = 0.55) {
  return node("g", {}, node("circle", { r: 0.42, fill, stroke: "#0007", "stroke-width": 0.04 }), words(text, size, { fill: ink, y: 0.03, "font-weight": 700 }));
}

function coin(spot) {
  const { suit, value } = spot.value ?? {};
  if (suit) return round("#e8dcc0", SUIT[suit] ?? "?", SUIT_INK[suit] ?? "#333");
  return round("#e8dcc0", value === 0 ? "–" : value === 1 ? "A" : String(value ?? "?"), "#333");
}

function pawn(spot) {
  const ink = SUIT_INK[spot.value?.suit] ?? "#444";
  return node("g", {}, node("circle", { r: 0.34, fill: ink, stroke: "#fff", "stroke-width": 0.07 }), words(SUIT[spot.value?.suit] ?? "", 0.42, { fill: "#fff", y: 0.03 }));
}

function die(spot) {
  const value = spot.value ?? {};
  const coat = value.set === "kingdomino-duel";
  const ink = coat ? (COAT_INK[value.face] ?? "#333") : (SUIT_INK[value.suit] ?? "#333");
  const face = coat ? (COAT[value.face] ?? "?") : value.face === "null" ? "–" : value.face === "ace" ? "A" : String(value.face ?? "?");
  const group = node("g", {}, node("rect", { x: -0.42, y: -0.42, width: 0.84, height: 0.84, rx: 0.16, fill: "#fffdf6", stroke: ink, "stroke-width": 0.08 }), words(face, 0.5, { fill: ink, y: 0.03, "font-weight": 700 }));
  if (value.crosses) group.append(words("+".repeat(value.crosses), 0.3, { x: 0.2, y: 0.27, fill: ink }));
  return group;
}

function soldier(spot) {
  const type = spot.value?.type ?? "?";
  const ink = spot.owner === 2 ? "#8a3b12" : "#1f5f8b";
  const group = node("g", {}, node("circle", { r: 0.33, fill: ink, stroke: "#fff", "stroke-width": 0.05 }), words(type.slice(0, 2), 0.3, { fill: "#fff", y: 0.02, "font-weight": 700 }));
  const facing = spot.value?.facing_deg ?? spot.angle;
  if (facing !== null && facing !== undefined) {
    group.append(node("path", { d: "M .36 -.12 L .54 0 L .36 .12 Z", fill: "#fff", transform: `rotate(${-facing})` }));
  }
  return group;
}

function wall() {
  return node("rect", { x: -0.95, y: -0.13, width: 1.9, height: 0.26, fill: "#c9b28a", stroke: "#0008", "stroke-width": 0.04 });
}

function tile() {
  return node("rect", { x: -0.95, y: -0.95, width: 1.9, height: 1.9, rx: 0.1, fill: "#b89b6c", stroke: "#0005", "stroke-width": 0.04 });
}

function sheet(spot) {
  const rows = spot.value?.map;
  const group = node("g");
  if (!rows) return group;
  rows.forEach((row, y) => row.forEach((square, x) => {
    group.append(node("rect", { x: x - 3.5, y: y - 2.5, width: 1, height: 1, fill: square ? (COAT_INK[square.coat] ?? "#777") : "#fffdf6", stroke: "#0004", "stroke-width": 0.04 }));
    if (square) group.append(words(`${COAT[square.coat] ?? ""}${"+".repeat(square.crosses ?? 0)}`, 0.5, { x: x - 3, y: y - 1.97, fill: "#fff" }));
  }));
  group.append(words("♜", 0.7, { x: 0, y: 0.03, fill: "#555" }));
  return group;
}

const DRAW = { domino, coin, pawn, die, soldier, wall, tile, sheet };
const BOX = { domino: [-1.05, -0.55, 2.1, 1.1], wall: [-1, -0.3, 2, 0.6], sheet: [-3.6, -2.6, 7.2, 5.2], tile: [-1, -1, 2, 2] };

function named(spot, drawn) {
  drawn.append(node("title", {}, spot.name));
  return drawn;
}

function board(game, spots) {
  const look = LOOK[game] ?? { tile: 1 };
  const order = { tile: 0, domino: 1, wall: 2, coin: 3, die: 4, pawn: 5, soldier: 6 };
  const placed = spots.filter((spot) => spot.x !== null && spot.y !== null).sort((a, b) => (order[a.kind] ?? 9) - (order[b.kind] ?? 9));
  const xs = placed.map((s) => s.x), ys = placed.map((s) => s.y);
  const squares = look.squares;
  if (squares) { xs.push(squares[0], squares[2]); ys.push(squares[1], squares[3]); }
  if (!xs.length) return null;
  const margin = squares ? 0.9 : 1.6;
  const left = Math.min(...xs) - margin, right = Math.max(...xs) + margin, low = Math.min(...ys) - margin, high = Math.max(...ys) + margin;
  const svg = node("svg", { viewBox: `${left} ${-high} ${right - left} ${high - low}`, role: "img", "aria-label": "The table as recorded" });
  if (squares) {
    for (let x = squares[0]; x <= squares[2]; x++) for (let y = squares[1]; y <= squares[3]; y++) {
      svg.append(node("rect", { x: x - 0.5, y: -y - 0.5, width: 1, height: 1, fill: (x + y) % 2 ? "#fff1" : "#0001", stroke: "#fff2", "stroke-width": 0.02 }));
    }
    for (let x = squares[0]; x <= squares[2]; x++) svg.append(words(String.fromCharCode(96 + x), 0.3, { x, y: -(squares[1] - 0.7), fill: "#fff9" }));
    for (let y = squares[1]; y <= squares[3]; y++) svg.append(words(String(y), 0.3, { x: squares[0] - 0.7, y: -y, fill: "#fff9" }));
  }
  for (const spot of placed) {
    const turned = spot.kind === "domino" || spot.kind === "wall" || spot.kind === "tile" ? ` rotate(${-(spot.angle ?? 0)})` : "";
    const scale = spot.kind === "domino" || spot.kind === "wall" ? ` scale(${look.tile})` : "";
    svg.append(node("g", { transform: `translate(${spot.x} ${-spot.y})${turned}${scale}` }, named(spot, DRAW[spot.kind]?.(spot) ?? node("g"))));
  }
  return svg;
}

// The spellbook: for each coat, who has ticked its box how often, and whose it is.
function spellbook(value) {
  const list = document.createElement("dl");
  for (const [coat, { ticks, owner, spent }] of Object.entries(value)) {
    const coatOf = document.createElement("dt"), told = document.createElement("dd");
    coatOf.textContent = coat.replaceAll("-", " ");
    told.textContent = `${ticks.join(" : ")}${owner ? ` · player ${owner}${spent ? ", used" : ""}` : ""}`;
    list.append(coatOf, told);
  }
  return list;
}

function tray(name, spots, hidden) {
  const made = document.createElement("span");
  made.className = "tray";
  made.append(`${name.replaceAll("-", " ")} `);
  for (const spot of spots) {
    const [x, y, width, height] = BOX[spot.kind] ?? [-0.5, -0.5, 1, 1];
    const drawn = DRAW[spot.kind]?.(spot) ?? node("g");
    if (spot.kind === "sheet" && !spot.value?.map) {
      if (spot.value) made.append(spellbook(spot.value));
      continue;
    }
    const holder = document.createElement("span");
    holder.className = spot.kind;
    holder.append(node("svg", { viewBox: `${x} ${y} ${width} ${height}` }, named(spot, drawn)));
    made.append(holder);
  }
  if (hidden) made.append(`${hidden} hidden`);
  return made;
}

export function drawBoard(place, game, layout) {
  const on = layout.spots.filter((spot) => spot.region === "board");
  const svg = board(game, on);
  const trays = document.createElement("div");
  trays.className = "trays";
  const regions = new Map();
  for (const spot of layout.spots) {
    if (spot.region === "board" && spot.x !== null) continue;
    if (!regions.has(spot.region)) regions.set(spot.region, []);
    regions.get(spot.region).push(spot);
  }
  for (const region of Object.keys(layout.hidden)) if (!regions.has(region)) regions.set(region, []);
  for (const [region, spots] of regions) if (spots.length || layout.hidden[region]) trays.append(tray(region, spots, layout.hidden[region]));
  place.replaceChildren(...[svg, trays].filter((part) => part && (part !== trays || trays.childNodes.length)));
}
