// Dominoes of War: the field of tiles and the bases, walls on their borders, soldiers by figure, letter and side.

import { h, keyed, memo, shelf } from "../keyed.js";
import { t, told } from "../words.js";
import { broken, differing, dot, onBoard, once, tint, titleOf } from "./marks.js";
import { at, bar, BOXES, domino, letters, rounded, s, small, standing, target } from "./pieces.js";

export const TYPES = {
  general: "Ge", chieftain: "Ch", grunt: "Gr", sniper: "Sn", kamikaze: "Ka", grenadier: "Gn", "quick-shot": "Qu",
  shotgunner: "Sh", gunslinger: "Gu", "spear-thrower": "Sp", lightfoot: "Li", hidden: "?",
};
// What a soldier carries, in a square of one unit.
const FIGURE = {
  general: "M0-.3 .08-.1 .3-.1 .13 .04 .19 .25 0 .13-.19 .25-.13 .04-.3-.1-.08-.1Z",
  chieftain: "M-.2 .24V-.05L-.28-.24-.12-.1 0-.3 .12-.1 .28-.24 .2-.05V.24Z",
  grunt: "M-.05-.3H.05V.1H.12V.3H-.12V.1H-.05Z", sniper: "M-.26 0H-.1M.1 0H.26M0-.26V-.1M0 .1V.26M.17 0A.17 .17 0 1 1-.17 0 .17 .17 0 1 1 .17 0Z",
  kamikaze: "M0-.3 .07-.1 .26-.16 .12 0 .3 .1 .08 .1 .04 .3-.06 .12-.24 .22-.15 .03-.3-.05-.1-.08Z",
  grenadier: "M.18 .08A.18 .18 0 1 1-.18 .08 .18 .18 0 1 1 .18 .08ZM-.05-.1V-.26H.16", "quick-shot": "M-.28-.06H.28L.16-.16M.28-.06 .16 .04M-.28 .14H.1",
  shotgunner: "M-.24 .18-.1-.02 .26-.2M-.24 .18-.04 .04 .28-.1", gunslinger: "M-.26-.1H.24V.02H0L-.08 .24H-.22L-.14 .02H-.26Z",
  "spear-thrower": "M-.26 .26 .16-.16M.06-.26H.26V-.06Z", lightfoot: "M-.18-.26V.12H.24V.24H-.24V-.26Z", hidden: "",
};
const LINES = new Set(["sniper", "grenadier", "quick-shot", "shotgunner", "spear-thrower"]);
const TURN = { n: -90, ne: -45, e: 0, se: 45, s: 90, sw: 135, w: 180, nw: -135 };
const known = memo();
const nameOf = (x, y) => x >= 1 && x <= 8 && y >= 1 && y <= 8 ? `${String.fromCharCode(96 + x)}${y}` : `(${x},${y})`;
const place = (name) => /^[a-h][1-8]$/.test(name) ? [name.charCodeAt(0) - 96, Number(name[1])] : name.slice(1, -1).split(",").map(Number);
const between = (name) => { const [a, b] = name.split("/").map(place); return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, upright: a[1] === b[1] }; };

export function soldier(side, type, facing, touch = null) {
  return [
    s("ellipse", { key: "shadow", cy: 0.12, rx: 0.36, ry: 0.33, fill: "#0005" }),
    facing === null || facing === undefined ? null : s("path", { key: "facing", d: "M.33-.17 .53 0 .33 .17Z", class: `side p${side}`, transform: `rotate(${-facing})` }),
    side === 2 ? s("rect", { key: "body", x: -0.33, y: -0.33, width: 0.66, height: 0.66, rx: 0.14, class: "side p2" }) : s("circle", { key: "body", r: 0.36, class: `side p${side}` }),
    s("path", { key: "figure", d: FIGURE[type] ?? "", transform: "translate(0 -.09) scale(.62)", class: LINES.has(type) ? "figure lines" : "figure" }),
    letters(TYPES[type] ?? "?", type === "hidden" || !type ? 0.4 : 0.22, { key: "letter", y: type === "hidden" || !type ? 0.02 : 0.2, class: "letter" }),
    target("rect", { x: -0.48, y: -0.48, width: 0.96, height: 0.96 }, touch),
  ];
}

// The ground of the field and of each base as one shape, the backs that lie there as another; and over them the tiles that
// are open and what may be tapped, place by place.
const grounds = memo(), lines = memo();
const cell = (spot, half, round) => rounded(spot.x - half, -spot.y - half, 2 * half, 2 * half, round);
const cells = (spot) => ({ all: cell(spot, 0.48, 0.07), back: spot.value ? "" : cell(spot, 0.4, 0.06) });
function ground(tiles, owner) {
  const mine = tiles.filter((spot) => (spot.owner ?? 0) === owner);
  return mine.length > 0 && s("g", { key: `ground ${owner}`, class: owner ? `base p${owner}` : "field" },
    s("path", { key: "ground", class: "ground", d: mine.map((spot) => lines(spot, [], () => cells(spot)).all).join("") }),
    s("path", { key: "backs", class: "weave", d: mine.map((spot) => lines(spot, [], () => cells(spot)).back).join("") }));
}

function field(view, marks) {
  const tiles = view.layout.spots.filter((spot) => spot.kind === "domino" && spot.region === "board");
  return [
    grounds(view.layout.spots, [], () => s("g", { key: "grounds" }, [0, 1, 2].map((owner) => ground(tiles, owner)))),
    ...tiles.filter((spot) => spot.value || marks.active).map((spot) => known(spot, [marks.from], () => s("g", { key: spot.name, transform: at(spot.x, -spot.y) },
      spot.value && s("g", { key: "tile" }, standing(spot.value)),
      target("rect", { x: -0.5, y: -0.5, width: 1, height: 1 }, marks.of(`place ${spot.name.slice(5)}`, spot.name))))),
  ];
}

function walls(spots, marks) {
  return spots.filter((spot) => spot.kind === "wall").map((spot) => known(spot, [marks ? marks.from : undefined], () => s("g", { key: spot.name, transform: at(spot.x, -spot.y, spot.angle ? 90 : 0) }, bar(marks?.of(spot.name)))));
}

function soldiers(spots, marks) {
  return spots.filter((spot) => spot.kind === "soldier" && spot.region === "board").map((spot) => known(spot, [marks ? marks.from : undefined], () => {
    const name = nameOf(spot.x, spot.y);
    return s("g", { key: spot.name, transform: at(spot.x, -spot.y) }, soldier(spot.owner, spot.value?.type ?? "hidden", spot.angle, marks?.of(spot.name, `place ${name}`, `tile ${name}`)));
  }));
}

// Borders on which a wall may stand, and places beyond the field on which something may lie.
function free(marks, known) {
  const found = [];
  for (const tap of marks.words.keys()) {
    const [kind, name] = [tap.slice(0, tap.indexOf(" ")), tap.slice(tap.indexOf(" ") + 1)];
    if (kind === "border" || (kind === "wall" && !known.has(tap))) {
      const { x, y, upright } = between(name);
      found.push(s("g", { key: tap, transform: at(x, -y, upright ? 90 : 0) }, s("rect", { key: "line", x: -0.36, y: -0.06, width: 0.72, height: 0.12, rx: 0.06, class: "landing" }), s("rect", { key: "target", x: -0.32, y: -0.27, width: 0.64, height: 0.54, ...marks.of(tap) })));
    } else if ((kind === "place" || kind === "soldier") && !known.has(`tile ${name}`) && !known.has(`place ${name}`)) {
      const [x, y] = place(name);
      if (!known.has(`drawn ${name}`)) found.push(s("g", { key: `free ${name}`, transform: at(x, -y) }, s("rect", { key: "ground", x: -0.45, y: -0.45, width: 0.9, height: 0.9, rx: 0.07, class: "landing" }), s("rect", { key: "target", x: -0.5, y: -0.5, width: 1, height: 1, ...marks.of(`place ${name}`, `soldier ${name}`) })));
      known.add(`drawn ${name}`);
    }
  }
  return found;
}

function chosen(marks) {
  return [...marks.chosen.keys()].filter((tap) => tap.startsWith("place ")).map((tap) => { const [x, y] = place(tap.slice(6)); return s("rect", { key: tap, x: x - 0.5, y: -y - 0.5, width: 1, height: 1, rx: 0.07, class: "picked" }); });
}

function facings(view, marks) {
  const from = [...marks.chosen.keys()].find((tap) => tap.startsWith("soldier "));
  if (!from) return [];
  const [x, y] = place(from.slice(8));
  return Object.entries(TURN).filter(([way]) => marks.lit(`facing ${way}`)).map(([way, turn]) => s("g", { key: way, transform: at(x, -y, turn) },
    s("path", { key: "arrow", d: "M.62-.2 .95 0 .62 .2Z", class: "push" }), s("rect", { key: "target", x: 0.5, y: -0.3, width: 0.55, height: 0.6, ...marks.of(`facing ${way}`) })));
}

// Soldiers beside the field stay the same ones, game for game.
const stock = shelf();
const figure = (side, type, look) => stock(`${side} ${type} ${look}`, () => small(soldier(side, type, null), BOXES.one, { key: "figure", class: look }));

function pools(view, marks) {
  return [1, 2].map((side) => {
    const counts = new Map();
    for (const spot of view.layout.spots) if (spot.region === `pool-${side}`) counts.set(spot.value.type, (counts.get(spot.value.type) ?? 0) + 1);
    for (const tap of marks.words.keys()) if (tap.startsWith(`pool ${side} `) && !counts.has(tap.slice(7))) counts.set(tap.slice(7), 0);
    for (const tap of marks.chosen.keys()) if (tap.startsWith(`pool ${side} `) && !counts.has(tap.slice(7))) counts.set(tap.slice(7), 0);
    const hidden = view.layout.hidden[`pool-${side}`], { troops } = view.detail ?? {};
    return h("div", { key: `pool ${side}`, class: `tray p${side}${view.movers.includes(side) ? " mine" : ""}` }, h("span", { class: "caption" }, h("b", {}, view.players[side - 1]), troops && ` · ${t("{many} on the table", { many: troops[side - 1] })}`), h("div", { class: "row" }, h("span", { key: "pool", class: "none" }, t("pool")),
      [...counts].map(([type, many]) => h("span", { key: type, class: "counted" }, marks.active ? small(soldier(side, type, null, marks.of(`pool ${side} ${type}`)), BOXES.one, { key: "figure", class: "die" }) : figure(side, type, "die"), h("b", {}, many ? String(many) : ""))),
      hidden ? h("span", { key: "hidden", class: "none" }, t("{many} hidden", { many: hidden })) : null, !counts.size && !hidden && h("span", { key: "none", class: "none" }, "–")));
  });
}

// What lies on the table, as far as some of it does: whose base is which, tiles as they lie, walls, and where somebody faces.
const plot = (owner) => s("g", { key: "plot", class: owner ? `base p${owner}` : "field" }, s("path", { key: "ground", class: "ground", d: cell({ x: 0, y: 0 }, 0.48, 0.07) }), s("path", { key: "back", class: "weave", d: cell({ x: 0, y: 0 }, 0.4, 0.06) }));
const things = (players) => [
  [(spot) => spot.kind === "domino" && !spot.value && !spot.owner, () => plot(0), t("Tile, face down")],
  ...players.map((name, k) => [(spot) => spot.kind === "domino" && spot.owner === k + 1, () => plot(k + 1), t("Base of {name}", { name })]),
  [(spot) => spot.kind === "domino" && spot.value && !isMine(spot), () => standing({ pips: [1, 3] }), t("Tile that was turned")],
  [(spot) => spot.kind === "domino" && spot.value && isMine(spot), () => standing({ pips: [3, 3] }), t("Mine: a double")],
  [(spot) => spot.kind === "wall", () => bar(), t("Wall")],
  [(spot) => spot.kind === "soldier" && (spot.angle ?? null) !== null, () => soldier(1, "hidden", 0), t("The wedge shows where somebody faces")],
];
const isMine = ({ value: { pips } }) => pips[0] === pips[1];

function legend(view) {
  const lying = view.layout.spots.filter((spot) => spot.region === "board" || (spot.region === "discard" && spot.kind === "domino"));
  const types = [...new Set(view.layout.spots.filter((spot) => spot.kind === "soldier" && spot.value?.type).map((spot) => spot.value.type))].sort();
  const there = things(view.players).filter(([fits]) => lying.some(fits));
  return types.length + there.length > 0 && h("details", { key: "legend", class: "tray wide legend" }, h("summary", {}, t("Who is who")), h("ul", {},
    types.map((type) => h("li", { key: type }, figure(1, type, "little"), " ", told(titleOf(type)))),
    there.map(([, look, words]) => h("li", { key: words }, stock(words, () => small(look(), BOXES.one, { key: "look", class: "little" })), " ", words))));
}

function lost(view) {
  const mines = view.layout.spots.filter((spot) => spot.region === "discard" && spot.kind === "domino");
  const dead = view.layout.spots.filter((spot) => spot.region === "discard" && spot.kind === "soldier");
  return (mines.length > 0 || dead.length > 0) && h("div", { key: "lost", class: "tray" }, h("span", { class: "caption" }, t("Killed and exploded")), h("div", { class: "row tight" },
    dead.map((spot) => keyed(figure(spot.owner, spot.value.type, "little"), spot.name)), mines.map((spot) => small(domino(spot.value), BOXES.domino, { key: spot.name, class: "domino" }))));
}

const hints = (marks) => [...marks.words.keys()].filter((tap) => /^(place|soldier) /.test(tap) && marks.chosen.size > 0).map((tap) => {
  const [x, y] = place(tap.slice(tap.indexOf(" ") + 1));
  return dot(x, -y, tap, tap.startsWith("soldier "));
});

export function draw(view, marks, shown) {
  const on = view.layout.spots.filter((spot) => spot.region === "board"), known = new Set(on.map((spot) => spot.name));
  const { last, refused } = view.marks ?? {};
  const ghosts = [...(shown.ghosts ?? []), ...(refused?.spots ?? [])].filter((spot) => spot.region === "board");
  const nearest = onBoard(refused?.nearest ?? shown.nearest);
  const wrong = (refused?.squares ?? shown.squares ?? []).filter((name) => /^([a-h][1-8]|\(-?\d+,-?\d+\))$/.test(name));
  const spread = [...[...on, ...ghosts, ...nearest].map((spot) => [spot.x, spot.y]), ...[...marks.words.keys()].filter((tap) => tap.startsWith("place ")).map((tap) => place(tap.slice(6))), [1, 1], [8, 8]];
  const [left, right] = [Math.min(...spread.map(([x]) => x)) - 0.9, Math.max(...spread.map(([x]) => x)) + 0.9];
  const [top, low] = [Math.min(...spread.map(([, y]) => -y)) - 0.6, Math.max(...spread.map(([, y]) => -y)) + 0.9];
  const moved = !last || refused ? [] : once(last.at.filter((spot) => spot.kind !== "wall").map((spot) => tint(spot.x, -spot.y, `${spot.x} ${spot.y}`)));
  return [
    s("svg", { key: "board", class: "board war", viewBox: `${left} ${top} ${right - left} ${low - top}`, role: "group", "aria-label": t("The field") },
      s("g", { key: "names" }, Array.from({ length: 8 }, (_, k) => [letters(String.fromCharCode(97 + k), 0.28, { key: `file ${k}`, x: k + 1, y: -0.32, class: "coordinate" }), letters(String(k + 1), 0.28, { key: `rank ${k}`, x: 0.32, y: -k - 1, class: "coordinate" })])),
      s("g", { key: "field" }, field(view, marks)), s("g", { key: "free" }, free(marks, known)), s("g", { key: "picked", class: "untouched" }, chosen(marks)), s("g", { key: "tints", class: "untouched" }, moved),
      s("g", { key: "soldiers" }, soldiers(on, marks)), s("g", { key: "walls" }, walls(on, marks)),
      s("g", { key: "ghosts", class: shown.wrong || refused ? "ghosts wrong" : "ghosts" }, [...walls(ghosts), ...soldiers(ghosts)].map((one, k) => keyed(one, `${k} ${one.key}`))),
      s("g", { key: "nearest", class: "ghosts" }, [...walls(nearest), ...soldiers(nearest)].map((one, k) => keyed(one, `${k} ${one.key}`))),
      s("g", { key: "broken", class: "untouched" }, wrong.map((name) => { const [x, y] = place(name); return broken(x, -y, name); })),
      differing(view.marks, (one) => { if (one.x !== undefined) return [one.x, -one.y]; const at_ = /^([a-h][1-8]|\(-?\d+,-?\d+\))$/.test(one.place) && place(one.place); return at_ ? [at_[0], -at_[1]] : null; }),
      s("g", { key: "hints", class: "untouched" }, hints(marks)), s("g", { key: "facings" }, facings(view, marks))),
    h("div", { key: "around", class: "trays beside" }, pools(view, marks), lost(view), legend(view)),
  ];
}
