// What can be learned before a game: the looks of one's own pieces, and a test move.

import { working } from "./focus.js";
import { look as ask } from "./join.js";
import { h, patch } from "./keyed.js";
import { $, post, refusal, token } from "./page.js";
import { t, told } from "./words.js";

let photo = "", count = 0;

const NAMES = () => ({
  suns: t("suns"), moons: t("moons"), crowns: t("crowns"), arms: t("arms"), null: t("null"), ace: t("ace"),
});

async function why(answer) {
  if (answer?.status === 401) ask();
  return answer ? await refusal(answer) : t("The box does not answer.");
}

// — the pieces of one kind, each with its picture and a field for its name —
async function find(body) {
  const photoSent = body instanceof Blob;
  $("see").ariaDisabled = "true"; // a photo that is looked at keeps the camera waiting, too
  $("naming").hidden = true;
  $("learned").textContent = t("Looking for the pieces; this takes some seconds …");
  const answer = await fetch(`/api/first/pieces?kind=${$("kind").value}`, {
    method: "POST", body: photoSent ? body : "{}",
    headers: { "Content-Type": photoSent ? "application/octet-stream" : "application/json", "X-Pipwatch-Token": token },
  }).catch(() => null);
  $("see").ariaDisabled = null;
  if (!answer?.ok) { $("learned").textContent = await why(answer); return; }
  const found = await answer.json();
  photo = found.photo; count = found.count;
  $("learned").textContent = t("{n} found: say what each of them is.", { n: count });
  patch($("found"), [...Array(count).keys()].map((k) => h("li", { key: `${photo} ${k}` },
    h("img", { src: `/api/first/pieces/${photo}/${k}.jpg`, alt: t("piece {n}", { n: k + 1 }) }),
    h("select", { "aria-label": t("What is piece {n}?", { n: k + 1 }), name: `piece ${k}` },
      h("option", { value: "" }, t("leave it out")), found.names.map((name) => h("option", { key: name, value: name }, NAMES()[name] ?? name))))));
  $("naming").hidden = false;
}
$("see").onclick = () => { if (!$("see").ariaDisabled) find({}); };
$("pieces-photo").onchange = async (event) => { const [file] = event.target.files; if (file) await find(file); event.target.value = ""; };
$("naming").onsubmit = async (event) => {
  event.preventDefault();
  const names = [...$("found").querySelectorAll("select")].map((field) => field.value);
  const answer = await post(`/api/first/pieces/${photo}/keep`, { title: $("set-title").value, names });
  if (!answer?.ok) { $("learned").textContent = await why(answer); return; }
  const kept = await answer.json();
  $("see").focus({ preventScroll: true }); // more of them may follow: what was pressed goes
  $("naming").hidden = true;
  $("learned").textContent = t("{n} learned. “{title}” can be chosen in the lobby now; teach it another kind, or more of these.", { n: kept.learned, title: kept.title });
};

// — the test move: a look, and what has changed since the one before —
async function look(anew) {
  $("tried").textContent = t("Looking; this takes some seconds …");
  const answer = await post("/api/first/look", { anew });
  if (!answer?.ok) { $("tried").textContent = await why(answer); return; }
  const seen = JSON.parse(answer.headers.get("X-Tried")), old = $("seen").src;
  $("seen").src = URL.createObjectURL(await answer.blob());
  if (old) URL.revokeObjectURL(old);
  $("seen").hidden = false;
  $("tried").textContent = seen.changed.map((one) => told(one)).join(" ") || t("{n} pieces are seen. Move one of them, and look again.", { n: seen.pieces.length });
  patch($("lies"), seen.pieces.map((one, k) => h("li", { key: k }, told(one))));
}
$("try").onclick = () => working($("try"), () => look(false));
$("again").onclick = () => working($("again"), () => working($("try"), () => { $("seen").hidden = true; patch($("lies"), []); return look(true); }));
