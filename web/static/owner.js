// The owner's page: each form is one request, and every refusal a sentence.

import { keepPlace } from "./focus.js";
import { h, patch } from "./keyed.js";
import { Older } from "./older.js";
import { boxCard, showBox } from "./owner_box.js";
import { pinsCard } from "./owner_pins.js";
import { $, post, refusal } from "./page.js";
import { changes, showFields, wrong } from "./settings.js";
import { people, t, told as inWords } from "./words.js";

function say(words, bad = false) {
  $("notice").textContent = words;
  $("notice").className = bad ? "bad" : "";
}

// Ask for something; true where it was given, else the reason is told.
async function ask(path, body) {
  const answer = await post(path, body);
  if (answer?.ok) return true;
  if (answer?.status === 401 || answer?.status === 403) location.reload(); // the quarter of an hour is over
  else say(answer ? await refusal(answer) : t("The box does not answer."), true);
  return false;
}

function form(name, path, done) {
  const place = $(name);
  if (!place) return;
  place.onsubmit = async (event) => {
    event.preventDefault();
    say("");
    if (await ask(path, Object.fromEntries(new FormData(place)))) done(place);
  };
}
const anew = () => location.reload();
form("set", "/api/owner/password", anew);
form("enter", "/api/owner/enter", anew);
form("change", "/api/owner/password", (place) => { place.reset(); say(t("The password is changed.")); });
form("pin", "/api/owner/pin", (place) => { place.reset(); show(); say(t("The PIN is set.")); });
function keptSaid() {
  say(t("Kept. The settings are used from the next start on."));
  if (!$("restart").hidden) $("notice").append(" ", Object.assign(document.createElement("a"), { href: "#box", textContent: t("Restart Pipwatch") }));
}
form("settings", "/api/owner/settings", () => { keptSaid(); show(); });
if ($("fields")) $("fields").onsubmit = async (event) => {
  event.preventDefault();
  const values = changes();
  say(""); wrong();
  if (!Object.keys(values).length) { say(t("Nothing was changed.")); return; }
  const answer = await post("/api/owner/fields", { values });
  if (answer?.status === 401 || answer?.status === 403) location.reload();
  else if (answer?.ok) { keptSaid(); show(); }
  else if (!answer) say(t("The box does not answer."), true);
  else {
    const refused = await answer.clone().json().catch(() => null), words = await refusal(answer);
    if (refused?.field) wrong(refused.field, words); else say(words, true);
  }
};

// A file from another machine: what it is called is guessed from its name. The box decides whether it is a lens.
const ENOUGH = 30000; // bytes: of a file that is larger the box hears no more than that it is too large
if ($("lens")) {
  const { file, name, replace } = $("lens").elements;
  file.onchange = () => { name.value = (file.files[0]?.name ?? "").replace(/\.toml$/i, "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "").slice(0, 40); };
  $("lens").onsubmit = async (event) => {
    event.preventDefault();
    say("");
    const lens = await file.files[0].slice(0, ENOUGH).text();
    if (!await ask("/api/owner/lens", { name: name.value, lens, replace: replace.checked })) return;
    $("lens").reset();
    say(t("The lens is kept: choose it in the settings, as the lens of the camera."));
    show();
  };
}

function sure(words, yes, act) {
  $("sure-what").textContent = words;
  $("sure-yes").textContent = yes;
  $("sure").returnValue = "no";
  $("sure").showModal();
  $("sure").onclose = () => { if ($("sure").returnValue === "yes") act(); };
}

async function show() {
  const [owner, lobby] = await Promise.all(["/api/owner", "/api/box"].map((path) => fetch(path, { cache: "no-store" }).catch(() => null)));
  if (owner?.status === 401) return location.reload();
  if (!owner?.ok) return say(t("The box does not answer."), true);
  const told = await owner.json(), box = lobby?.ok ? await lobby.json() : { matches: [], results: [], older: "" };
  $("pin-now").textContent = told.pin ? t("A PIN is set.") : t("There is no PIN: whoever is in the network sees the table.");
  if (!told.pin && document.activeElement === $("no-pin")) $("pin").elements.pin.focus();
  $("no-pin").hidden = !told.pin;
  $("path").textContent = told.path;
  $("by-hand").textContent = told.by_hand;
  const text = $("settings").elements.settings;
  if (text.dataset.told === undefined || text.value === text.dataset.told) text.value = told.settings; // what somebody types stays
  text.dataset.told = told.settings;
  showFields(told.fields);
  showBox(told);
  $("lenses").textContent = told.lenses.length ? t("Kept here: {names}", { names: told.lenses.join(", ") }) : "";
  keepPlace($("screens"), () => patch($("screens"), told.screens.length ? told.screens.map((one) => h("li", { key: one.id },
    h("b", {}, one.name || t("A screen"), one.this && ` (${t("this one")})`),
    h("span", { class: "soft" }, t(one.role === "player" ? "plays along" : "looks on"), " · ", t("since {since}, used last on {last}", { since: inWords(one.since), last: inWords(one.last) })),
    h("button", { type: "button", "aria-label": t("Forget {name}", { name: one.name || one.id }), onclick: async () => { if (await ask("/api/owner/forget", { screen: one.id })) show(); } }, t("Forget")))) : [h("li", { key: "none", class: "soft" }, t("No screen is paired."))]));
  last = [...box.matches, ...box.results];
  older.follow(box.older);
  showMatches();
}

// The last matches, and the older ones that somebody asked for.
let last = [];
const older = new Older(showMatches);
function showMatches() {
  const wanted = document.activeElement === $("older") && !older.more;
  $("older").hidden = !older.more;
  keepPlace($("matches"), () => patch($("matches"), [...last, ...older.beyond(last)].map((one) => {
    const players = people(one.players).join(" – ");
    return h("li", { key: one.name },
      h("b", {}, players), h("span", { class: "soft" }, [one.title, one.scores.join(" : ")].filter(Boolean).join(" · ")),
      h("button", { type: "button", class: "danger", "aria-label": t("Delete the match of {players}", { players }), onclick: () => sure(t("Delete the match of {players}?", { players }), t("Delete for good"), async () => { if (await ask("/api/owner/delete", { name: one.name })) { await older.again(); show(); } }) }, t("Delete")));
  })));
  if (wanted) $("matches").lastElementChild?.querySelector("button").focus(); // that was the last of them
}

if (document.body.dataset.stage === "open") {
  $("leave").onclick = async () => { if (await ask("/api/owner/leave")) location.assign("/"); };
  $("no-pin").onclick = async () => { if (await ask("/api/owner/pin", { pin: "" })) { show(); say(t("There is no PIN any more.")); } };
  $("older").onclick = () => older.ask();
  boxCard({ ask, say, sure });
  pinsCard({ ask, say });
  show();
}
