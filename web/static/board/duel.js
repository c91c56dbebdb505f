// Kingdomino Duel: both maps, the four dice, and the spellbook with who is how far in each line.

import { h, memo, shelf } from "../keyed.js";
import { t } from "../words.js";
import { broken, differing } from "./marks.js";
import { at, BOXES, COAT_INK, coat, coatOf, cube, rounded, s, small, target } from "./pieces.js";

const known = memo(), stock = shelf();
const LINES = ["dot", "two-dots", "stripe", "two-stripes", "quarters", "black"]; // of the spellbook, from its top
const NAMES = { d: "dot", D: "two dots", s: "stripe", S: "two stripes", q: "quarters", b: "black" };

export const faceDie = (written, touch) => {
  const letter = written[0] === "?" ? "?" : coatOf(written[0]);
  return cube(COAT_INK[letter] ?? "#777", [coat(letter, Number(written.slice(1) || 0))], touch);
};

function dice(view, marks) {
  const order = ["dice", "dice-1", "dice-2"], words = [t("In the middle"), ...view.players];
  return h("div", { key: "dice", class: "trays dice-row" }, order.map((region, k) => {
    const spots = view.layout.spots.filter((spot) => spot.kind === "die" && spot.region === region);
    return h("div", { key: region, class: `tray dice${k ? ` p${k}` : ""}` }, h("span", { class: "caption" }, words[k]), h("div", { class: "row" }, spots.map((spot) => {
      const bonus = view.detail?.dice?.[Number(spot.name.slice(4)) - 1]?.bonus;
      const made = () => h("span", { key: spot.name, class: "counted" }, small(spot.value ? cube(COAT_INK[coatOf(spot.value.face)], [coat(coatOf(spot.value.face), spot.value.crosses)], marks.of(spot.name)) : cube("#888", [], marks.of(spot.name)), BOXES.one, { class: "die big" }),
        h("small", {}, bonus ? `${spot.name.slice(4)} +1` : spot.name.slice(4)));
      return marks.active ? made() : stock(`${spot.name} ${spot.value?.face} ${spot.value?.crosses} ${bonus}`, made);
    }), !spots.length && h("span", { class: "none" }, "–")));
  }));
}

// The empty map, which no game changes, in three shapes.
const CASTLE = { x: 3, y: 2 };
const MAP = s("g", { key: "empty" },
  s("path", { key: "squares", class: "parchment", d: [0, 1, 2, 3, 4].flatMap((y) => [0, 1, 2, 3, 4, 5, 6].filter((x) => x !== CASTLE.x || y !== CASTLE.y).map((x) => rounded(x + 0.02, y + 0.02, 0.96, 0.96, 0.05))).join("") }),
  s("g", { key: "castle", transform: at(CASTLE.x + 0.5, CASTLE.y + 0.5) }, s("rect", { key: "ground", x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.05, class: "castle" }),
    s("path", { key: "tower", d: "M-.3 .3V-.14H-.36V-.36H-.24V-.26H-.1V-.36H.1V-.26H.24V-.36H.36V-.14H.3V.3H.1V.1A.1 .1 0 0 0-.1 .1V.3Z", class: "tower" })));

function square(player, cell, x, y, marks, fresh) {
  const name = `r${y + 1}c${x + 1}`;
  return (cell || marks.active) && s("g", { key: name, transform: at(x + 0.5, y + 0.5) },
    cell && s("rect", { key: "shade", x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.05, fill: COAT_INK[coatOf(cell.coat)], opacity: 0.16 }),
    fresh && s("rect", { key: "last", x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.05, class: "tint last" }),
    cell && s("g", { key: "coat" }, coat(coatOf(cell.coat), cell.crosses)),
    target("rect", { x: -0.5, y: -0.5, width: 1, height: 1 }, marks.of(`map ${player} ${name}`, `square ${name}`)),
    marks.lit(`map ${player} ${name}`, `square ${name}`) && !cell && s("circle", { key: "lit", r: 0.12, class: "dot" }));
}

// The squares of a map that differ from what is on the other one, or from an empty one.
export function spots(cells, before) {
  const found = new Set();
  cells?.forEach((row, y) => row.forEach((cell, x) => { const was = before?.[y]?.[x]; if (cell && (cell.coat !== was?.coat || cell.crosses !== was?.crosses)) found.add(`r${y + 1}c${x + 1}`); }));
  return found;
}

export const mapOf = (all, player) => (all ?? []).find((spot) => spot.name === `map ${player}`)?.value.map;

// The coats that the nearest legal moves would draw; of a square on which several would the likeliest.
function nearby(nearest, player, rows) {
  const found = new Map();
  for (const { spots: lies } of nearest ?? []) {
    const there = mapOf(lies, player);
    for (const name of there ? spots(there, rows) : []) if (!found.has(name)) found.set(name, there);
  }
  return [...found];
}

const ghostly = (name, from) => {
  const [, y, x] = /r(\d)c(\d)/.exec(name).map(Number), cell = from[y - 1][x - 1];
  return s("g", { key: name, transform: at(x - 0.5, y - 0.5) }, coat(coatOf(cell.coat), cell.crosses), s("rect", { key: "outline", x: -0.46, y: -0.46, width: 0.92, height: 0.92, rx: 0.06, class: "outline" }));
};

function map(view, player, marks, shown) {
  const rows = mapOf(view.layout.spots, player), { last, refused } = view.marks ?? {};
  const fresh = refused ? new Set() : new Set(last?.maps?.[`map ${player}`] ?? []);
  const ghost = mapOf(shown.ghosts, player) ?? mapOf(refused?.spots, player), ghosts = ghost ? spots(ghost, rows) : new Set();
  const wrong = refused ? (view.log.at(-1)?.text.startsWith(`${3 - player}:`) ? [] : refused.squares) : (shown.player || player) === player ? shown.squares ?? [] : [];
  const side = view.detail?.players?.[player - 1] ?? {};
  const tags = [side.roof && t("castle's cross used"), side.named && t("P5: {coat}", { coat: t(NAMES[side.named]) }), ...(side.declared ?? []).map((power) => power)].filter(Boolean);
  return h("div", { key: `map ${player}`, class: `map p${player}${view.movers.includes(player) ? " mine" : ""}` }, h("p", { class: "caption" }, h("b", {}, view.players[player - 1]), view.detail?.a === player ? ` · ${t("begins")}` : "", tags.length ? ` · ${tags.join(", ")}` : ""),
    s("svg", { class: "board", viewBox: "-.1 -.1 7.2 5.2", role: "group", "aria-label": t("Map of {name}", { name: view.players[player - 1] }) },
      MAP, s("g", { key: "squares" }, rows.map((row, y) => row.map((cell, x) => {
        const isFresh = fresh.has(`r${y + 1}c${x + 1}`), made = () => square(player, cell, x, y, marks, isFresh);
        return cell ? known(cell, [x, y, marks.from, isFresh], made) : made();
      }))),
      s("g", { key: "ghosts", class: shown.wrong || refused ? "ghosts wrong untouched" : "ghosts untouched" }, [...ghosts].map((name) => ghostly(name, ghost))),
      s("g", { key: "nearest", class: "ghosts untouched" }, nearby(refused?.nearest ?? shown.nearest, player, rows).map(([name, from]) => ghostly(name, from))),
      s("g", { key: "broken", class: "untouched" }, wrong.filter((name) => /^r\dc\d$/.test(name)).map((name) => { const [, y, x] = /r(\d)c(\d)/.exec(name).map(Number); return broken(x - 0.5, y - 0.5, name); })),
      differing(view.marks, (one) => { const [, y, x] = (one.name === `map ${player}` && /^r(\d)c(\d)$/.exec(one.place)) || []; return [x - 0.5, y - 0.5]; })));
}

function spellbook(view) {
  const value = view.layout.spots.find((spot) => spot.kind === "sheet" && spot.region === "spellbook")?.value ?? {};
  const lines = LINES.filter((name) => name in value);
  return h("div", { key: "spellbook", class: "tray wide spellbook" }, h("span", { class: "caption" }, t("Spellbook")), h("ul", {}, lines.map((name) => [name, value[name]]).map(([name, { ticks, owner, spent }]) => h("li", { key: name, class: owner ? `p${owner}` : null },
    stock(name, () => small([coat(coatOf(name))], [-0.4, -0.4, 0.8, 0.8], { class: "little" })), h("span", { class: "ticks" }, [0, 1].map((player) => h("span", { key: player, class: `p${player + 1}` }, "●".repeat(ticks[player]) || "·"))),
    owner ? h("small", {}, `${view.players[owner - 1]}${spent ? ` (${t("used")})` : ""}`) : null))));
}

export function draw(view, marks, shown) {
  return [dice(view, marks), h("div", { key: "maps", class: "maps" }, map(view, 1, marks, shown), map(view, 2, marks, shown)), h("div", { key: "around", class: "trays" }, spellbook(view))];
}
