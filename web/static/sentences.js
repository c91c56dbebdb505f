// What the referee says, in the language of the page. Rule books and matches speak English, whoever looks on. A
// catalogue knows each sentence by its pattern, with its parts in braces. A sentence is taken apart by its pattern, each
// part is told by itself, and both are put together again. Where one part cannot be told, the whole stays as it came.

const NUMBERED = /^player [12]$/; // who has no other name
const SENTENCE = /^\p{Lu}\p{Ll}|\b(?:[Tt]he|[Aa]n?|is|are|was|were|be|not|its?|with|of|that|there|each|once|should|would|must|nobody|[Pp]layer)\b/u;
// Parts that are nobody's words: lines of notation (or what was typed, in quotes), files, numbers, and names of people.
const FREE = {
  written: (text) => /^(['"]).*\1$/s.test(text) || /^\S*[./]\S+$/.test(text) || !SENTENCE.test(text),
  numbers: (text) => /^[\d ]+$/.test(text),
  number: (text) => /^-?\d+$/.test(text),
  people: (text, names) => text.split(" or ").every((one) => NUMBERED.test(one) || names.includes(one)),
};
const FOREIGN = /^foreign\d*$/; // what other programs and the machine say: in words where they are known, else as it came
const DOTTED = /^(?:error|sentence)\d*$/; // sentences that may have lost the full stop at their end, or got one
const SEVERAL = /^(?:says|sentence|reason|words|text|lifted)\d*$/; // parts that may be more than one sentence
const DECIMAL = /^-?\d+\.\d+[^\p{L}\d.]*$/u; // the catalogue has a sign for its point
const LIST = /^\{\w+\}(?:,| and| or| nor) \{\w+\}$/; // told one by one, before what stands in it is looked at
const free = (name) => FREE[name.replace(/\d+$/, "")];
const WORD = /\p{L}\p{L}/u; // numbers, squares, tiles and the like are the same in every language
const LINE = /^(?:\d+: )?(?:[12]: |see )/; // a line of notation as it stands
const INSIDE = /[\p{L}\d]{2}/u;
const LETTERS = /\p{L}+/gu;
const MOST_KNOWN = 4000;

const upper = (text) => text[0].toUpperCase() + text.slice(1);
const lower = (text) => text[0].toLowerCase() + text.slice(1);

// The pattern of one entry: what stands between its parts, and what they are called.
function pattern(source, said) {
  const pieces = source.split(/\{(\w+)\}/);
  const between = pieces.filter((_, k) => k % 2 === 0);
  const words = between.join(" ").match(LETTERS) ?? [""];
  const rarest = words.reduce((one, other) => other.length > one.length ? other : one);
  return { between, names: pieces.filter((_, k) => k % 2 === 1), said, weight: LIST.test(source) ? 30 : between.join("").length + (source.includes("{number") ? 0.5 : 0), rarest };
}

// The patterns that a text may be of, by their longest words; what is said more exactly comes first.
function likely(shelf, text) {
  const words = new Set(["", ...text.match(LETTERS) ?? []]), found = [];
  for (const word of words) found.push(...shelf.patterns.get(word) ?? []);
  return found.sort((one, other) => other.weight - one.weight);
}

// Whether a text is of a pattern whose parts can be told; its parts as they came, or null.
function parts({ between, names }, text, canTell) {
  const last = between.length - 1, found = {};
  if (!text.startsWith(between[0]) || !text.endsWith(between[last])) return null;
  const from = (k, at) => {
    if (k === last) return at === text.length;
    const next = between[k + 1], final = k === last - 1;
    const glued = next === "" && !final; // two parts without anything between: the first is as long as can be
    for (let end = final || glued ? text.length - next.length : text.indexOf(next, at), before = -1; glued ? end >= at : end >= at && end > before;) {
      const part = text.slice(at, end), torn = INSIDE.test(text.slice(Math.max(end - 1, 0), end + 1)); // no part ends within a word
      if (!torn && canTell(part, names[k]) && from(k + 1, end + next.length)) { found[names[k]] = part; return true; }
      if (final) break;
      before = end;
      end = glued ? end - 1 : text.indexOf(next, end + 1);
    }
    return false;
  };
  return from(0, between[0].length) ? found : null;
}

// A function that tells a sentence, or null where the catalogue has no words for all of it. Entries are
// [context, English, words]; the context “part|x” holds what a part is called where {name|x} stands for it.
export function teller(entries) {
  const shelves = new Map(), known = new Map();
  let named = []; // the names of people that may be told of
  for (const [kind, source, said] of entries) {
    const context = kind.includes("|") ? kind : ""; // sentences are parts of others, too
    if (!shelves.has(context)) shelves.set(context, { whole: new Map(), patterns: new Map() });
    const shelf = shelves.get(context);
    if (!/\{\w+\}/.test(source)) { shelf.whole.set(source, said); continue; }
    const one = pattern(source, said);
    shelf.patterns.set(one.rarest, [...shelf.patterns.get(one.rarest) ?? [], one]);
  }

  const undotted = (text, form) => {
    const told = text.endsWith(".") ? tell(text.slice(0, -1), form) : tell(`${text}.`, form);
    return told && (text.endsWith(".") ? `${told}.` : told.replace(/\.$/, ""));
  };
  const part = (text, name, form) => tell(text, form) ?? (DOTTED.test(name) || FOREIGN.test(name) ? undotted(text, form) : null) ?? (FOREIGN.test(name) ? text : null);
  const people = (text) => text.split(" or ").map((one) => NUMBERED.test(one) ? tell(one) ?? one : one).join(` ${tell("or") ?? "or"} `);
  const canTell = (text, name) => {
    if (free(name)) return free(name)(text, named);
    return (SEVERAL.test(name) || FOREIGN.test(name) || !/[.!?] \p{Lu}/u.test(text)) && part(text, name) !== null;
  };
  const within = (context, text, form) => {
    const shelf = shelves.get(context);
    if (!shelf || /^[^(]*\)|\([^)]*$/.test(text)) return null; // half of a pair of brackets is no part
    if (shelf.whole.has(text)) return shelf.whole.get(text);
    for (const one of likely(shelf, text)) {
      const found = parts(one, text, canTell);
      if (found) return one.said.replace(/\{(\w+)(?:\|(\w+))?\}/g, (_, name, wanted) => !free(name) ? part(found[name], name, wanted ?? form) : name === "people" ? people(found[name]) : found[name]);
    }
    return null;
  };
  const found = (text, form) => {
    if (/^\s|\s$/.test(text)) { // a part may bring its own space with it
      const told = text.trim() && tell(text.trim(), form);
      return told === null ? null : text.replace(text.trim() || text, told || text);
    }
    const inForm = form ? within(`part|${form}`, text, form) : null;
    if (inForm !== null || !WORD.test(text)) return inForm ?? (DECIMAL.test(text) ? text.replace(".", shelves.get("")?.whole.get(".") ?? ".") : text);
    const said = within("", text, form);
    if (said !== null || !/^\p{Lu}/u.test(text)) return said && /^\p{Lu}/u.test(text) && !/^\p{L}\d/u.test(said) ? upper(said) : said;
    const small = tell(lower(text), form);
    return small === null ? null : upper(small);
  };
  function tell(text, form = "") {
    const key = `${form} ${text}`;
    if (!known.has(key)) {
      if (known.size > MOST_KNOWN) known.clear();
      known.set(key, found(text, form));
    }
    return known.get(key);
  }
  // Several sentences, or one with the id of a rule before it.
  const several = (text) => {
    const [, id, rest] = /^((?:[A-Z]+-)+[A-Z\d.]+: )(.*)$/s.exec(text) ?? [];
    if (id) { const told = tell(rest) ?? several(rest); return told && id + told; }
    const sentences = text.split(/(?<=[.!?:]) (?=\p{Lu})/u), dead = new Set();
    const from = (at) => { // some are told together only: as many as can be, and then the rest
      if (at === sentences.length) return [];
      for (let end = sentences.length; end > at && !dead.has(at); end--) {
        const told = tell(sentences.slice(at, end).join(" ")), rest = told === null ? null : from(end);
        if (rest) return [told, ...rest];
      }
      dead.add(at);
      return null;
    };
    return sentences.length < 2 ? null : from(0)?.join(" ") ?? null;
  };
  return (text, names) => { // without names those of the last sentence stay: a page shows one match
    if (LINE.test(text)) return null;
    if (names && names.join() !== named.join()) { named = names; known.clear(); }
    return tell(text) ?? several(text) ?? undotted(text);
  };
}
