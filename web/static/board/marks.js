// What is marked on every board: what may be tapped, what was tapped, the last move, a refused one, ghosts.

import { s } from "./pieces.js";
import { t, told } from "../words.js";

// What is called otherwise than by its kind and its name, as the rule books call it; they are asked of what is offered alone.
const CALLED = {
  tile: ([name]) => name, lying: ([name]) => name, arm: ([name]) => `${name} end`, soldier: ([name]) => `the soldier on ${name}`,
  map: ([player, square]) => `${square} of player ${player}`, pool: ([player, type]) => `a ${titleOf(type)} of player ${player}`,
};
const called = (tap) => { const [kind, ...rest] = tap.split(" "); return CALLED[kind]?.(rest) ?? tap; };
export const titleOf = (type) => type === "hidden" ? "Hidden soldier" : type.split("-").map((word) => word[0].toUpperCase() + word.slice(1)).join(" ");

// How a thing answers to a tap: under which names, and whether it is lit or chosen; null where nothing can be tapped.
export class Marks {
  constructor(touch, active, players) {
    this.active = active;
    this.players = players;
    this.words = new Map((touch?.next ?? []).map(({ tap, words }) => [tap, words]));
    this.chosen = new Map((touch?.taps ?? []).map((tap, k) => [tap, touch.said?.[k] ?? called(tap)]));
    this.drawn = new Set(); // the taps for which there is something on the board
  }

  // Words are the rule book's own where it has told them, and in the language of the page in any case.
  say(names) {
    const taken = names.find((one) => this.chosen.has(one)), lit = names.find((one) => this.words.has(one));
    return told(this.chosen.get(taken) ?? this.words.get(lit) ?? called(names[0]), this.players);
  }

  of(...names) {
    const lit = names.find((name) => this.words.has(name));
    for (const name of names) this.drawn.add(name);
    if (!this.active) return null;
    const chosen = names.some((name) => this.chosen.has(name));
    const words = this.say(names);
    return {
      "data-tap": names.join("|"), class: `target${lit ? " lit" : ""}${chosen ? " chosen" : ""}`, tabindex: lit || chosen ? 0 : -1,
      role: "button", "aria-label": chosen ? t("{words}, chosen", { words }) : words, "aria-pressed": chosen ? "true" : null,
    };
  }

  // What a description with marks hangs on: nothing, as long as nothing can be tapped.
  get from() {
    return this.active ? this : null;
  }

  lit(...names) {
    return names.some((name) => this.words.has(name));
  }
}

// A dot where something may go, and a ring around what may be taken.
export const dot = (x, y, key, ring = false) => ring
  ? s("circle", { key: `lit ${key}`, cx: x, cy: y, r: 0.46, class: "ring" })
  : s("circle", { key: `lit ${key}`, cx: x, cy: y, r: 0.15, class: "dot" });

export const tint = (x, y, key, kind = "last", width = 1, height = 1) => s("rect", { key: `${kind} ${key}`, x: x - width / 2, y: y - height / 2, width, height, class: `tint ${kind}` });

// A square that proves a fault: hatched in red, with a cross, so that it is not told by colour alone.
export const broken = (x, y, key, size = 1) => s("g", { key: `broken ${key}`, class: "broken", transform: `translate(${x} ${y}) scale(${size})` },
  s("rect", { x: -0.49, y: -0.49, width: 0.98, height: 0.98, rx: 0.06 }), s("path", { d: "M.24-.4 .4-.24M.4-.4 .24-.24" }));

// Where table and record disagree: a dashed ring with a sign, so that it is not told by colour alone.
export const differing = (marks, where) => s("g", { key: "differs", class: "differs untouched" }, (marks?.differs ?? []).map((one, k) => {
  const [x, y] = where(one) ?? [];
  return Number.isFinite(x) && Number.isFinite(y) && s("g", { key: `${k} ${one.name} ${one.place}`, transform: `translate(${x} ${y})` },
    s("circle", { key: "ring", r: 0.56 }), s("circle", { key: "sign", cx: 0.46, cy: -0.46, r: 0.2, class: "sign" }), s("path", { key: "unlike", d: "M.36-.51H.56M.36-.41H.56M.5-.58 .42-.34" }));
}));

// What the nearest legal moves would lay on the board.
export const onBoard = (nearest) => (nearest ?? []).flatMap(({ spots }) => spots).filter((spot) => spot.region === "board" && spot.x !== null);

// Of nodes with the same key the first.
export const once = (nodes) => [...new Map(nodes.toReversed().map((node) => [node.key, node])).values()];
