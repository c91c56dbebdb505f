// The maps: their picture from straight above with a button on each square, domains coloured and numbered, and the sums.

import { h, patch } from "./keyed.js";
import { $ } from "./page.js";
import { COATS, LETTERS, coatOf, coatWords, crossesOf, crop, tokenWords } from "./sheet_words.js";
import { t, told } from "./words.js";

const colour = (k) => `hsl(${(k * 222.5) % 360} 80% 50%`;

// A map with its fields; "act" holds what its buttons do: pick(name), changed(), named().
export function board(map, number, name, address, act) {
  const part = document.createElement("section");
  part.className = `map card p${number + 1}`;
  part.innerHTML = '<h2><span></span><span></span></h2><div class="board"><img><div class="squares"></div></div><label></label><label></label><table class="sums"></table><ul class="look"></ul>';
  const [head, frame, roof, named] = part.children, [who, total] = head.children, [img, squares] = frame.children;
  who.textContent = name;
  img.src = address;
  img.alt = t("{name}: the map from straight above", { name });
  map.total = total; map.sums = part.children[4]; map.look = part.children[5]; map.buttons = {};
  map.rows.forEach((row, r) => row.forEach((token, c) => {
    const place = `r${r + 1}c${c + 1}`, button = document.createElement("button");
    button.type = "button";
    squares.append(button);
    if (token === "C") { button.disabled = true; button.ariaLabel = t("castle"); return; }
    map.buttons[place] = button;
    button.append(document.createElement("span"));
    button.onclick = () => act.pick(place);
  }));
  const box = document.createElement("input");
  box.type = "checkbox"; box.checked = map.roof;
  box.onchange = () => { map.roof = box.checked; act.changed(); };
  roof.append(box, t("roof coloured"));
  const list = document.createElement("select");
  list.append(...[["", t("none")], ...COATS.map((coat, k) => [coat, coatWords()[k]])].map(([value, words]) => new Option(words, value)));
  list.value = map.named || "";
  list.onchange = () => { map.named = list.value; act.named(); };
  named.append(t("coat named with P5"), list);
  $("maps").append(part);
}

// The squares and the sums of a map, as it was scored.
export function scored(map, one) {
  map.total.textContent = t("{n} points", { n: one.score });
  const domain = {};
  one.domains.forEach((each, k) => each.squares.forEach((name) => { domain[name] = k; }));
  for (const [name, button] of Object.entries(map.buttons)) {
    const token = map.rows[name[1] - 1][name[3] - 1], doubt = map.doubts.includes(name), k = domain[name];
    button.style.background = k === undefined ? "" : `${colour(k)} / .33)`;
    button.className = doubt ? "doubt" : "";
    if (k === undefined) delete button.dataset.domain; else button.dataset.domain = k + 1;
    button.firstChild.textContent = (token === "." ? "" : token.replace(/0$/, "")) + (doubt ? "?" : "");
    const what = token === "." ? t("empty") : t("{coat}, crosses: {n}", { coat: coatWords()[coatOf(token)], n: crossesOf(token) });
    button.setAttribute("aria-label", `${name}: ${what}${doubt ? `, ${t("doubtful")}` : ""}`);
  }
  patch(map.sums, [h("tbody", {}, one.domains.map((each, k) => h("tr", { key: k },
    h("td", {}, h("span", { class: "patch", "aria-hidden": "true" }, k + 1), t("{coat} at {square}", { coat: coatWords()[COATS.indexOf(each.coat)] ?? each.coat, square: each.squares[0] })),
    h("td", {}, `${each.squares.length} × ${each.crosses} = ${each.points}`))),
  map.named && h("tr", { key: "named" }, h("td", {}, t("coat named with P5")), h("td", {}, one.named_points)))]);
  map.sums.querySelectorAll(".patch").forEach((each, k) => { each.style.background = `${colour(k)} / .33)`; });
  const lines = [
    [map.doubts.length && t("Look at {squares}.", { squares: map.doubts.join(", ") }), true],
    [map.unnamed && t("P5 may be this player's, as the spellbook shows: say which coat was named."), true],
    [map.doubts.length && told(map.advice)],
    [map.unlogged.length && t("Unlike the match's log: {squares}.", { squares: map.unlogged.join(", ") })],
    ...one.faults.map((each) => [told(each)]),
  ].filter(([words]) => words);
  patch(map.look, lines.map(([words, open]) => h("li", { key: words, class: open ? "open" : null }, words)));
}

// A square under a glass: its picture enlarged, what it was read as, and what else it may be.
// "at" says where it is and what to do: { title, left(), address, say(token), settled(), next() | null }.
export function pick(map, name, at) {
  const dialog = $("pick"), [r, c] = [name[1] - 1, name[3] - 1], first = map.rows[r][c];
  const button = (key, words, pressed, onclick, disabled = false) => h("button", { key, type: "button", "aria-pressed": String(pressed), disabled, onclick }, words);
  const draw = () => {
    const token = map.rows[r][c], coat = coatOf(token), crosses = crossesOf(token);
    $("where").textContent = at.title;
    $("left").textContent = at.left();
    patch($("likely"), [...new Set([first, ...(map.others[name] ?? [])])].map((one) => button(one, tokenWords(one), one === token, () => { at.say(one); if (at.next) at.next(); else draw(); })));
    patch($("coats"), [null, 0, 1, 2, 3, 4, 5].map((one) => button(one, one === null ? t("empty") : coatWords()[one], one === coat, () => { at.say(one === null ? "." : LETTERS[one] + crosses); draw(); })));
    patch($("crosses"), [0, 1, 2, 3, 4].map((one) => button(one, one, coat !== null && one === crosses, () => { at.say(LETTERS[coat] + one); draw(); }, coat === null)));
  };
  $("next").hidden = !at.next;
  $("next").onclick = () => { at.settled(); at.next(); };
  dialog.onclose = at.settled; // whoever has looked at a square has settled it
  crop($("glass"), at.address, name);
  draw();
  if (!dialog.open) dialog.showModal();
}
