// What is told aloud, and by sounds, where this browser was asked for it.

import { kept } from "./look.js";
import { t, told } from "./words.js";

// What is not finished has no tune: it is neither right nor wrong. What nobody can verify counts, and sounds so.
const TUNES = { legal: [660, 880], unverifiable: [660, 880], illegal: [220, 180], asking: [520, 520], finished: [520, 660, 780, 1040] };
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

// Whether something has happened since: a row that comes last because later ones were taken back is none.
const happened = (step, was) => !was || step.entry > was.entry || (step.entry === was.entry && step.text !== was.text);

// What a view says that the one before did not: a ruling, a question, the end.
export function news(view, last) {
  if (!last || !view.log) return null;
  const step = view.log.at(-1), was = last.log?.at(-1);
  if (view.phase === "finished" && last.phase !== "finished") return ["finished", view.outcome?.reason ?? view.headline];
  if (view.phase === "asking" && view.key !== last.key) return ["asking", view.headline];
  if (step?.ruling && happened(step, was)) {
    const { status, reason } = step.ruling;
    return [status, status === "illegal" ? `${t("Not allowed.")} ${told(reason, view.players)}` : reason];
  }
  return null;
}

export function hear(view, last) {
  const fresh = news(view, last);
  if (!fresh) return;
  if (kept("sounds") === "yes" && TUNES[fresh[0]]) play(TUNES[fresh[0]]);
  if (kept("speech") === "yes") say(told(fresh[1], view.players));
}
