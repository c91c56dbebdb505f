// A figure that is too small to be read: larger, to be pushed about; a second press fills the whole screen.

import { t } from "./words.js";

const WORDS = ["Larger", "Whole screen", "As it was"];

for (const button of document.querySelectorAll(".larger")) {
  const figure = button.closest("figure"), name = figure.querySelector("figcaption").firstChild.textContent.trim();
  let step = 0;
  const show = (now) => {
    step = now;
    figure.classList.toggle("enlarged", step > 0);
    button.textContent = t(WORDS[step]);
    button.ariaLabel = `${name}: ${button.textContent}`;
    button.ariaPressed = String(step > 0);
  };
  button.onclick = async () => {
    if (step === 1 && document.fullscreenEnabled) {
      await figure.requestFullscreen().catch(() => {});
      return show(2);
    }
    if (document.fullscreenElement === figure) await document.exitFullscreen().catch(() => {});
    show(step === 0 ? 1 : 0);
  };
  figure.addEventListener("fullscreenchange", () => { if (document.fullscreenElement !== figure && step === 2) show(0); });
  show(0);
}
