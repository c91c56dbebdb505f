// The first evening: each step by itself, and each can be left out.

import { working } from "./focus.js";
import { look as ask } from "./join.js";
import { h, patch } from "./keyed.js";
import "./look.js";
import { $, post, refusal } from "./page.js";
import "./teach.js";
import { t, told } from "./words.js";

const SIGN = { ok: "✓", absent: "–", fails: "✗" };
const CHECKS = () => ({
  board: t("Machine"), package: t("Package"), packages: t("Libraries"), settings: t("Settings"), models: t("Readers"),
  camera: t("Camera"), markers: t("Markers"), light: t("Light"), sizes: t("Sizes"), pins: t("Pins"), keypad: t("Keypad"),
  display: t("Display"), sound: t("Sound"), devices: t("Devices"), disk: t("Disk"), clock: t("Clock"), power: t("Power"), work: t("Work"),
});
const GRADE = { ok: "fine", absent: "not there", fails: "to be mended" };

// — what is done and what was left out is known to this browser alone, until the evening is over —
const steps = [...document.querySelectorAll(".step")];
const known = () => { try { return JSON.parse(localStorage.getItem("first") ?? "{}"); } catch { return {}; } };
function keep(states) { try { localStorage.setItem("first", JSON.stringify(states)); } catch { /* a browser that keeps nothing */ } }
const STATE = { done: () => `✓ ${t("done")}`, skipped: () => `– ${t("left out")}` };

function showSteps() {
  const states = known();
  for (const step of steps) step.querySelector(".state").textContent = STATE[states[step.id]]?.() ?? "";
}
function settle(step, how) {
  keep({ ...known(), [step.id]: how });
  showSteps();
  step.open = false;
  const next = steps[steps.indexOf(step) + 1] ?? step;
  if (next !== step) next.open = true;
  next.querySelector("summary").focus();
}
for (const step of steps) {
  step.querySelector(".skip").onclick = () => settle(step, "skipped");
  step.querySelector(".done").onclick = () => settle(step, "done");
}
showSteps();
const wanted = steps.find((step) => `#${step.id}` === location.hash) ?? steps.find((step) => !known()[step.id]);
if (wanted) wanted.open = true;

async function check() {
  $("notice").textContent = t("Checking; this takes some seconds …");
  const answer = await post("/api/first/doctor");
  if (answer?.status === 401) ask();
  $("notice").textContent = answer?.ok ? "" : answer ? await refusal(answer) : t("The box does not answer.");
  if (!answer?.ok) return;
  const { findings } = await answer.json();
  patch($("findings"), findings.map((one) => h("li", { key: one.name, class: one.grade },
    h("span", { class: "sign", role: "img", "aria-label": t(GRADE[one.grade]) }, SIGN[one.grade]), h("span", {}, h("b", {}, CHECKS()[one.name] ?? one.name, ":"), " ", told(one.words)),
    one.remedy && h("span", { class: "soft" }, "→ ", told(one.remedy)))));
}
$("check").onclick = () => working($("check"), check);

async function aim() {
  if (!$("aiming").open) return;
  if (!document.hidden) {
    const answer = await fetch("/api/first/aim.jpg", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) {
      const seen = JSON.parse(answer.headers.get("X-Aim")), old = $("aim").src;
      $("aim").src = URL.createObjectURL(await answer.blob());
      if (old) URL.revokeObjectURL(old);
      $("aim").hidden = false;
      $("sharp").value = seen.sharp;
      const words = `${seen.well ? "✓" : "✗"} ${told(seen.markers)}`;
      if ($("aimed").textContent !== words) $("aimed").textContent = words;
    } else $("aimed").textContent = answer ? await refusal(answer) : t("The box does not answer.");
  }
  setTimeout(aim, $("aim").hidden ? 2000 : 300);
}
$("focus").onclick = async () => {
  const answer = await post("/api/first/focus");
  if (answer?.status === 401) ask();
  $("focused").textContent = answer?.ok ? t("It looks for the mat, which takes up to half a minute.") : answer ? await refusal(answer) : t("The box does not answer.");
};
$("aiming").ontoggle = aim;
if ($("aiming").open) aim();
