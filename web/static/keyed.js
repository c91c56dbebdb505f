// Nodes kept by key: a page is told what it should hold, and changes only what differs.
//
// h("button", { key: "undo", onclick }, "Undo") describes a node; patch(place, [ … ]) makes the children of a place so.
// A node with the same tag and key stays the same node, so that no press on it and no focus is ever lost. A description
// that was shown already, the very same object, is not looked at again: memo() gives those of what did not change.

const SVG = "http://www.w3.org/2000/svg";
const PLAIN = new Set(["value", "checked", "disabled", "hidden", "open", "src", "selected"]); // set as properties
const made = new WeakMap(); // node → { id, wanted } as it was described last
const NOTHING = { attributes: {} };

const isSomething = (one) => one !== null && one !== undefined && one !== false && one !== "";

function flat(parts, into = []) {
  for (const one of parts) {
    if (Array.isArray(one)) flat(one, into);
    else if (isSomething(one)) into.push(one);
  }
  return into;
}

export function h(tag, attributes, ...inside) {
  const { key, ...rest } = attributes ?? {};
  return { tag, key, id: key === undefined ? "" : `${tag} ${key}`, attributes: rest, inside: flat(inside) };
}

// The same under another key.
export const keyed = (node, key) => ({ ...node, key, id: `${node.tag} ${key}` });

// The description made last for something, as long as it would be made from the same things again.
export function memo() {
  const known = new WeakMap();
  return (about, from, make) => {
    const before = known.get(about);
    if (before && before.from.length === from.length && before.from.every((one, k) => one === from[k])) return before.node;
    const node = make();
    known.set(about, { from, node });
    return node;
  };
}

// Descriptions by what they say: those of a few things that are always drawn the same.
export function shelf() {
  const known = new Map();
  return (says, make) => {
    if (!known.has(says)) known.set(says, make());
    return known.get(says);
  };
}

function set(node, name, value, before) {
  if (name.startsWith("on") || PLAIN.has(name)) {
    if (value !== before || (PLAIN.has(name) && name !== "src" && node[name] !== value)) node[name] = value;
  } else if (value !== before) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
}

function fill(node, wanted) {
  const known = made.get(node);
  if (known.wanted === wanted) return;
  const before = known.wanted.attributes, now = wanted.attributes;
  for (const name in before) if (!(name in now)) set(node, name, name.startsWith("on") ? null : PLAIN.has(name) ? "" : null, before[name]);
  for (const name in now) set(node, name, now[name], before[name]);
  known.wanted = wanted;
  if (!("own" in now)) fit(node, wanted.inside); // what is inside an “own” node is somebody else's
}

function created(wanted, id) {
  if (typeof wanted !== "object") return document.createTextNode(String(wanted));
  const node = wanted.tag.startsWith("svg:") ? document.createElementNS(SVG, wanted.tag.slice(4)) : document.createElement(wanted.tag);
  made.set(node, { id, wanted: NOTHING });
  return node;
}

const holds = (node) => node === document.activeElement || (node.nodeType === 1 && (node.contains(document.activeElement) || node.matches(":active")));

// Names for what has no key: the first, the second … of its tag.
function naming() {
  const counts = {};
  return (one) => typeof one !== "object" ? "text" : one.id || `${one.tag} #${counts[one.tag] = (counts[one.tag] ?? 0) + 1}`;
}

// Make the children of a place what is wanted.
export const patch = (place, wanted) => fit(place, flat(wanted));

// Most of the time the same nodes follow one another, and one comes or goes at the beginning or the end: what stands
// where it should is filled there, and only what is left between is put in order.
function fit(place, wanted) {
  const named = naming(), ids = wanted.map(named);
  let from = 0, to = wanted.length, node = place.firstChild, after = null;
  for (; from < to && node && is(node, ids[from]); from++, node = node.nextSibling) take(node, wanted[from]);
  for (let last = place.lastChild; from < to && node && is(last, ids[to - 1]); last = after.previousSibling) {
    take(last, wanted[--to]);
    after = last;
    if (node === after) break; // nothing is left between
  }
  if (from < to || node !== after) rearrange(place, node, after, wanted.slice(from, to), ids.slice(from, to));
}

const is = (node, id) => id === "text" ? node.nodeType === 3 : made.get(node)?.id === id;

function take(node, one) {
  if (typeof one === "object") fill(node, one);
  else if (node.data !== String(one)) node.data = String(one);
}

// The nodes from one on and before another become these.
function rearrange(place, first, after, wanted, ids) {
  const kept = new Map(), texts = [], before = [];
  for (let node = first; node !== after; node = node.nextSibling) {
    before.push(node);
    if (node.nodeType === 3) texts.push(node);
    else if (made.has(node)) kept.set(made.get(node).id, node);
  }
  const nodes = wanted.map((one, k) => {
    const id = ids[k], old = id === "text" ? texts.shift() : kept.get(id);
    kept.delete(id);
    const node = old ?? created(one, id);
    take(node, one);
    return node;
  });
  const wantedNow = new Set(nodes);
  for (const node of before) if (!wantedNow.has(node)) node.remove();
  let at = before.find((node) => wantedNow.has(node)) ?? after;
  for (const node of nodes) {
    if (node !== at && node.parentNode === place && holds(node)) { // what has the focus or a finger on it stays: others move
      while (at !== node) { const next = at.nextSibling; place.insertBefore(at, after); at = next; }
    }
    if (node === at) at = at.nextSibling;
    else place.insertBefore(node, at);
  }
}
