// Buttons and lamps are tried: what burns now, and what is pressed. The box tells it, and ends it when nobody asks.

import { h, patch } from "./keyed.js";
import { $, put } from "./page.js";
import { t, told as inWords } from "./words.js";

const AGAIN_MS = 300;
const BUTTONS = () => ({ confirm_a: t("Confirm A"), confirm_b: t("Confirm B"), undo: t("Undo"), pause: t("Pause"), as_it_is: t("Table as it is") });
const LAMPS = () => ({ green: t("The green lamp burns now."), amber: t("The amber lamp burns now."), red: t("The red lamp burns now."), sound: t("The sound is heard now.") });

function row({ name, keypad, down, presses, wrong }) {
  const words = wrong ? inWords(wrong) : down ? t("pressed now") : presses === 1 ? t("pressed once") : presses ? t("pressed {n} times", { n: presses }) : t("not pressed yet");
  return h("li", { key: `${keypad} ${name}`, class: down ? "down" : "" }, h("b", {}, BUTTONS()[name], keypad && ` (${t("keypad")})`), h("span", { class: wrong ? "bad" : "soft" }, words));
}

let due = 0;
function show({ on, burns, buttons }) {
  $("try-pins").hidden = on;
  $("end-pins").hidden = !on;
  put($("burns"), !on ? "" : LAMPS()[burns] ?? (buttons.length ? t("Press each button.") : t("All is dark and silent again.")));
  if (on) patch($("pressed"), buttons.map(row)); // what was heard stays to be read
  clearTimeout(due);
  if (on) due = setTimeout(look, AGAIN_MS);
}
async function look() {
  const answer = await fetch("/api/owner/pins", { cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.reload();
  else if (answer?.ok) show(await answer.json());
  else due = setTimeout(look, AGAIN_MS);
}

export function pinsCard({ ask, say }) {
  for (const [name, on] of [["try-pins", true], ["end-pins", false]]) $(name).onclick = async () => {
    say("");
    if (!await ask("/api/owner/pins", { on })) return;
    await look();
    $(on ? "end-pins" : "try-pins").focus(); // the button that was pressed is hidden now
  };
}
