// The page's words in the language of the page. A catalogue holds what differs from English; what is told around a match
// alone, as of settings and of the machine, is a second one, for pages that ask for it.

import { teller } from "./sentences.js";

const language = document.documentElement.lang || "en";
const wanted = language === "en" ? [] : document.body.dataset.words === "around" ? ["", "?around"] : [""];
const catalogues = await Promise.all(wanted.map((which) => fetch(`/words/${language}.json${which}`).then((answer) => answer.ok ? answer.json() : {}).catch(() => ({}))));
const plain = Object.assign({}, ...catalogues.map((one) => one.words));
const tell = teller(catalogues.flatMap((one) => one.patterns ?? []));

// A sentence of the page; {name} stands for a value.
export function t(text, values = {}) {
  return (plain[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// The rule books know players by number; people know them by name.
export const named = (text, players) => players ? text.replace(/\b(?:Player|player|Spieler) ([12])\b/g, (_, number) => players[number - 1]) : text;

// A sentence of the referee: one that the catalogue has words for, all of it, or as it came.
export function told(text, players) {
  return named(inWords(text ?? "", players), players);
}
const inWords = (text, players) => !text || language === "en" ? text : plain[text] ?? tell(text, players) ?? text;

const upper = (text) => text[0].toUpperCase() + text.slice(1);
// The names of people; who has none is called by number.
const called = new WeakMap(); // the same names are the same list, so that it shows that they did not change
export function people(names) {
  if (names && !called.has(names)) called.set(names, names.map((name) => /^player [12]$/.test(name) ? upper(inWords(name)) : name));
  return names && called.get(names);
}
