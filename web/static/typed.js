// A line that is typed: it stays until it was taken, also when the page is loaded anew. What was wrong with it stands beside it.

import { $, put } from "./page.js";
import { told } from "./words.js";

let before = null; // a line that was sent and not answered yet, with how many had been heard before it

export function openTyped(press) {
  $("line").value = sessionStorage.getItem("line") ?? "";
  $("line").oninput = () => { sessionStorage.setItem("line", $("line").value); blame(""); };
  $("typed").onsubmit = async (event) => {
    event.preventDefault();
    const words = $("line").value.trim();
    if (!words) return;
    const sent = { heard, words };
    before = sent;
    blame("");
    if (!await press("typed", { words }) && before === sent) before = null; // nobody heard it: it can be sent again
  };
}

let heard = 0;

// The answer to a line comes with the first view by which one more was heard: what was wrong with it, or nothing.
export function answerTyped(view) {
  const { number = 0, wrong = "" } = view.typed ?? {};
  if (number < heard) before = null; // another match
  heard = number;
  if (!before || number <= before.heard) return;
  if (wrong) blame(told(wrong, view.players));
  else if ($("line").value.trim() === before.words) { $("line").value = ""; sessionStorage.removeItem("line"); }
  before = null;
}

// The line is marked, so that whoever types on writes another in its place.
function blame(words) {
  put($("line-answer"), words);
  $("line").ariaInvalid = words ? "true" : null;
  if (words && document.activeElement === $("line")) $("line").select();
}
