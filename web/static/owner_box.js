// What the owner does with the box itself: back it up, start it anew, switch it off.

import { $, put } from "./page.js";
import { t, told as inWords } from "./words.js";

const AGAIN_MS = 1000;

// The page comes back with the box: the owner's quarter of an hour has ended with the one before.
async function comesBack() {
  const answer = await fetch("/api/owner/stick", { cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.reload();
  else setTimeout(comesBack, AGAIN_MS);
}

// What came of the backup; asked for again as long as one is at work.
let due = 0;
function showStick({ busy, words, wrong }) {
  $("stick").ariaDisabled = busy ? "true" : null; // one that is disabled would lose the focus
  put($("stick-now"), busy ? t("The stick is being written …") : inWords(words));
  $("stick-now").className = wrong && !busy ? "bad" : "";
  clearTimeout(due);
  if (busy) due = setTimeout(askStick, AGAIN_MS);
}
async function askStick() {
  const answer = await fetch("/api/owner/stick", { cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.reload();
  else if (answer?.ok) showStick(await answer.json());
  else due = setTimeout(askStick, AGAIN_MS);
}

// The buttons; the page gives what all its forms share.
export function boxCard({ ask, say, sure }) {
  $("restart").onclick = () => sure(t("Start Pipwatch anew? A match that goes on is kept, and goes on then."), t("Restart Pipwatch"), async () => {
    if (!await ask("/api/owner/restart")) return;
    say(t("Pipwatch starts anew. This page comes back by itself."));
    setTimeout(comesBack, AGAIN_MS);
  });
  $("stick").onclick = async () => {
    if ($("stick").ariaDisabled) return;
    say("");
    if (await ask("/api/owner/stick")) askStick();
  };
  $("off").onclick = () => sure(t("Switch the box off? A match that goes on is kept, and goes on when it is switched on."), t("Switch off"), async () => {
    if (await ask("/api/owner/off")) say(t("The box switches off. Pull its plug once its own lamp has stopped winking."));
  });
}

// What the box tells its owner; why nobody would start it again stands in place of the button.
export function showBox(owner) {
  $("restart").hidden = Boolean(owner.alone);
  put($("alone"), inWords(owner.alone));
  showStick(owner.stick);
}
