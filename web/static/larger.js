// A figure that is too small to be read: larger, to be pushed about; a second press fills the whole screen. Where a
// browser gives no whole screen, as on an iPhone, the figure lies over all of the page but what can be pressed below.

import { t } from "./words.js";

const WORDS = ["Larger", "Whole screen", "As it was"];

for (const button of document.querySelectorAll(".larger")) {
  const figure = button.closest("figure"), name = figure.querySelector("figcaption").firstChild.textContent.trim();
  const beneath = [...document.querySelectorAll("header, main > :not(#table, #dock), #table > figure")].filter((one) => one !== figure);
  let step = 0;
  const cover = (over) => {
    figure.classList.toggle("whole", over);
    for (const one of beneath) one.inert = over;
  };
  const show = (now) => {
    step = now;
    if (step < 2) cover(false);
    figure.classList.toggle("enlarged", step > 0);
    if (step) figure.querySelector(".frame").tabIndex = 0; // it can be pushed about by keys, too
    else figure.querySelector(".frame").removeAttribute("tabindex");
    button.textContent = t(WORDS[step]);
    button.ariaLabel = `${name}: ${button.textContent}`;
    button.ariaPressed = String(step > 0);
  };
  button.onclick = async () => {
    if (step === 1) {
      const given = document.fullscreenEnabled && await figure.requestFullscreen().then(() => true, () => false);
      if (!given) cover(true);
      return show(2);
    }
    if (document.fullscreenElement === figure) await document.exitFullscreen().catch(() => {});
    show(step === 0 ? 1 : 0);
  };
  figure.addEventListener("fullscreenchange", () => { if (document.fullscreenElement !== figure && step === 2) show(0); });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && figure.classList.contains("whole")) { show(0); button.focus(); } });
  show(0);
}
