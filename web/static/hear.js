// What is told aloud, and by sounds, where this browser was asked for it.

import { kept } from "./look.js";
import { t, told } from "./words.js";

const TUNES = { legal: [660, 880], illegal: [220, 180], asking: [520, 520], finished: [520, 660, 780, 1040] };
let context = null;

function play(tune) {
  try {
    context ??= new AudioContext();
    tune.forEach((pitch, k) => {
      const tone = context.createOscillator(), loud = context.createGain(), at = context.currentTime + k * 0.16;
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.12, at);
      loud.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
      tone.connect(loud).connect(context.destination);
      tone.start(at);
      tone.stop(at + 0.16);
    });
  } catch { /* a browser without sound */ }
}

function say(words) {
  if (!("speechSynthesis" in window) || !words) return;
  speechSynthesis.cancel(); // what is new counts
  const spoken = new SpeechSynthesisUtterance(words);
  spoken.lang = document.documentElement.lang;
  speechSynthesis.speak(spoken);
}

// What a view says that the one before did not: a ruling, a question, the end.
export function news(view, last) {
  if (!last || !view.log) return null;
  const step = view.log.at(-1), was = last.log?.at(-1);
  if (view.phase === "finished" && last.phase !== "finished") return ["finished", view.outcome?.reason ?? view.headline];
  if (view.phase === "asking" && view.key !== last.key) return ["asking", view.headline];
  if (step?.ruling && (step.text !== was?.text || step.entry !== was?.entry)) {
    const refused = step.ruling.status === "illegal";
    return [refused ? "illegal" : "legal", refused ? `${t("Not allowed.")} ${told(step.ruling.reason, view.players)}` : step.ruling.reason];
  }
  return null;
}

export function hear(view, last) {
  const fresh = news(view, last);
  if (!fresh) return;
  if (kept("sounds") === "yes") play(TUNES[fresh[0]]);
  if (kept("speech") === "yes") say(told(fresh[1], view.players));
}
