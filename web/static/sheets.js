// Sheets of the Duel: brought, read, doubts first, corrected, and the score of both players, which follows every tap.

import { look } from "./join.js";
import { h, patch } from "./keyed.js";
import "./look.js";
import { $, token } from "./page.js";
import { asked as askCorners } from "./sheet_corners.js";
import { board, pick, scored } from "./sheet_maps.js";
import { MOST_BYTES, far, readable, upload } from "./sheet_upload.js";
import { crop, tokenWords } from "./sheet_words.js";
import { t, told } from "./words.js";

const tell = (text) => { $("told").textContent = text ?? ""; };
let photo = null, maps = [], books = [], earlier = [], asked = 0;

async function ask(path, data = {}) {
  const answer = await fetch(`/sheets/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json", "X-Pipwatch-Token": token }, body: JSON.stringify(data),
  }).catch(() => null);
  if (!answer) return { ok: false, error: t("The connection was lost: try again.") };
  const json = answer.headers.get("Content-Type")?.startsWith("application/json");
  return judged({ ok: answer.ok, status: answer.status, ...(json ? await answer.json() : { blob: await answer.blob() }) });
}
function judged(answer) {
  if (answer.status === 401) look();
  if (answer.status === 403) answer.error = t("This page is out of date: load it again.");
  return answer;
}
const sent = (map) => ({ rows: map.rows, roof: map.roof, named: map.named || null, doubts: map.doubts });
const asTold = () => ({ maps: maps.map((map) => ({ ...sent(map), used_p1: map.used_p1, used_p6: map.used_p6, used_p2: map.used_p2, unnamed: map.unnamed })) });
const kept = (map, before) => ({ ...map, ...sent(before), said: before.said, unnamed: map.unnamed && !before.said, read: before.read, looked: before.looked });
// What was named with P5 pays for each domain of its coat: other squares matter, too.
function settle(map) {
  map.doubts = [...new Set([...map.read, ...(map.named_doubts[map.named] ?? [])])].filter((one) => !map.looked.has(one));
}
const nameOf = (number) => maps[number].name || t("Player {n}", { n: number + 1 });
const address = (number) => `/sheets/${photo}/${number}.jpg`;

// — bringing them: the photos of one game; what is told of earlier ones stays as it was corrected —
async function send(files, more) {
  const all = [...files];
  $("heic").open = false;
  for (const [k, file] of all.entries()) {
    const which = all.length > 1 ? t("photo {n} of {all}", { n: k + 1, all: all.length }) : t("the photo");
    if (file.size > MOST_BYTES) { tell(t("A photo may have up to {n} MB.", { n: MOST_BYTES / 1e6 })); return; }
    const picture = await readable(file);
    if (!picture) { tell(t("This is a HEIC photo, which is not read: save it as JPEG.")); $("heic").open = true; return; }
    if (!more) { clear(); photo = null; books = []; }
    tell("");
    far(t("Sending {which} …", { which }), 0);
    const answer = judged(await upload(more && photo ? `/sheets/read?after=${photo}` : "/sheets/read", picture, which));
    far(null);
    show(answer, more ? maps : []);
    if (!answer.ok) return;
    more = true;
  }
}
$("file").onchange = async (event) => { await send(event.target.files, false); event.target.value = ""; };
$("more").onchange = async (event) => { await send(event.target.files, true); event.target.value = ""; };
async function table() {
  clear();
  far(t("Reading {which} …", { which: t("the table") }));
  const answer = await ask("table");
  far(null);
  show(answer);
}
if ($("table")) {
  $("table").onclick = table;
  if (location.hash === "#table") { history.replaceState(null, "", location.pathname); table(); }
}

function clear() {
  asked += 1; maps = []; askCorners();
  for (const id of ["maps", "books", "players"]) $(id).replaceChildren();
  for (const id of ["after", "first", "result", "corners"]) $(id).hidden = true;
  $("outcome").textContent = "";
  tell("");
}
function show(answer, before = []) {
  if (!answer.ok && answer.status !== 422 && before.length) { tell(told(answer.error)); return; }
  clear(); earlier = before;
  if (answer.status === 422) {
    photo = answer.photo; $("photo").src = `/sheets/${photo}/photo.jpg`; $("corners").hidden = false;
    askCorners(within);
  }
  if (!answer.ok) { tell(answer.error ? told(answer.error) : t("Something went wrong.")); return; }
  photo = answer.photo; books = answer.spellbooks;
  maps = answer.maps.map((map, k) => k < before.length ? kept(map, before[k]) : { ...map, read: map.doubts, looked: new Set() });
  tell(maps.length ? t("Tap a square to correct it.") : t("Add the photos of both maps."));
  maps.forEach((map, number) => board(map, number, nameOf(number), address(number), {
    pick: (name) => at(map, number, name, false), changed: score,
    named: () => { map.said = true; map.unnamed = false; settle(map); score(); },
  }));
  patch($("books"), books.map((lines, k) => h("section", { key: k, class: "card" }, h("h2", {}, t("Spellbook")), h("ul", {}, lines.map((line) => h("li", {}, told(line)))))));
  $("after").hidden = false;
  if (maps.length) score();
}
async function within(corners) {
  far(t("Reading {which} …", { which: t("the photo") }));
  const answer = await ask(`${photo}/corners`, { corners });
  far(null);
  if (!answer.ok) { tell(told(answer.error)); askCorners(within); return; }
  show(answer, earlier);
  $("told").focus(); // the photo is gone, and with it the place of who uses the keyboard
}

// — doubts first: those on which a score hangs before the others —
function doubtful() {
  const found = maps.flatMap((map, number) => map.doubts.map((name) => ({ map, number, name })));
  return found.sort((a, b) => b.map.paying.includes(b.name) - a.map.paying.includes(a.name));
}
const titled = (number, name) => maps.length > 1 ? `${nameOf(number)}: ${name}` : name;
function at(map, number, name, walking) {
  const settled = () => { map.looked.add(name); settle(map); score(); };
  const next = () => {
    const [rest] = doubtful();
    if (rest) at(rest.map, rest.number, rest.name, true);
    else { $("pick").onclose = null; $("pick").close(); }
  };
  pick(map, name, {
    title: titled(number, name), address: address(number), settled, next: walking ? next : null,
    left: () => walking ? t("{n} to look at", { n: doubtful().length }) : "",
    say: (square) => { map.rows[name[1] - 1][name[3] - 1] = square; settled(); },
  });
}
const walk = () => { const [one] = doubtful(); at(one.map, one.number, one.name, true); };
$("walk").onclick = walk;

function showDoubts() {
  const all = doubtful();
  $("first").hidden = !all.length;
  $("why-first").textContent = all.some(({ map, name }) => map.paying.includes(name)) ? t("A score hangs on those with a star.") : t("No score hangs on them, but they are not certain.");
  patch($("doubts"), all.slice(0, 12).map(({ map, number, name }) => h("li", { key: `${number} ${name}` }, h("button", {
    type: "button", onclick: () => at(map, number, name, true),
  }, h("span", { class: "crop", "aria-hidden": "true" }), h("span", {}, map.paying.includes(name) && "★ ", titled(number, name), h("small", {}, `${tokenWords(map.rows[name[1] - 1][name[3] - 1])}?`))))));
  $("doubts").querySelectorAll(".crop").forEach((pane, k) => crop(pane, address(all[k].number), all[k].name));
  $("walk").hidden = !all.length;
  $("walk").textContent = all.length === 1 ? t("Look at the doubtful square") : t("Look at the {n} doubtful squares", { n: all.length });
}

// — the score of both, and who has won —
async function score() {
  const mine = ++asked, answer = await ask("score", asTold());
  if (mine !== asked) return; // a later tap has asked again: this is the score of before
  if (!answer.ok) { tell(told(answer.error)); return; }
  answer.maps.forEach((one, number) => scored(maps[number], one));
  showDoubts();
  const open = maps.some((map) => map.doubts.length || map.unnamed), winner = Number(/^Player ([12]) wins/.exec(answer.outcome ?? "")?.[1] ?? 0);
  const players = maps.map((_, number) => nameOf(number));
  $("result").hidden = false;
  patch($("players"), answer.maps.map((one, k) => h("div", { key: k, class: `p${k + 1}` },
    h("span", { class: "name" }, k + 1 === winner && !open && h("span", { "aria-hidden": "true" }, "★ "), players[k]), h("b", {}, one.score), h("small", {}, t("largest domain: {n}", { n: one.largest })))));
  $("outcome").textContent = !answer.outcome ? "" : open ? t("As it stands now: {words}", { words: told(answer.outcome, players) }) : told(answer.outcome, players);
  $("outcome").classList.toggle("open", open);
  if ($("enter")) $("enter").disabled = open;
}
if ($("enter")) $("enter").onclick = async () => {
  const answer = await ask(`${photo}/enter`, asTold());
  tell(told(answer.ok ? answer.entered : answer.error, maps.map((_, number) => nameOf(number))));
};
$("print").onclick = async () => {
  const answer = await ask(`${photo}/score.pdf`, asTold());
  if (!answer.ok) { tell(told(answer.error)); return; }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(answer.blob); link.download = "score.pdf"; link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 9000);
};
$("keep").onclick = async () => {
  const answer = await ask(`${photo}/keep`, asTold());
  tell(answer.ok ? t("Kept on this machine, with the squares as they stand now.") : told(answer.error));
};

// A file that was chosen before this script had come is read now.
if ($("file").files.length) $("file").dispatchEvent(new Event("change"));
