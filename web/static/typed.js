// A line that is typed: it stays until it was taken, also when the page is loaded anew. What was wrong with it stands beside it.

import { $, put } from "./page.js";
import { told } from "./words.js";

let before = null; // the record when a line was sent that has not been answered yet

export function openTyped(press) {
  $("line").value = sessionStorage.getItem("line") ?? "";
  $("line").oninput = () => { sessionStorage.setItem("line", $("line").value); blame(""); };
  $("typed").onsubmit = async (event) => {
    event.preventDefault();
    const words = $("line").value.trim();
    if (!words) return;
    const sent = { record: recordOf(shown), words };
    before = sent;
    blame("");
    if (!await press("typed", { words }) && before === sent) before = null; // nobody heard it: it can be sent again
  };
}

let shown = null;
const recordOf = (view) => [view?.log?.length, view?.log?.at(-1)?.entry, view?.mends?.length].join();

// The answer to a line comes with the next view: an entry more or less, or words in its place.
export function answerTyped(view) {
  shown = view;
  if (!before) return;
  const isTaken = recordOf(view) !== before.record;
  if (!isTaken && !view.notice) return;
  if (!isTaken) blame(told(view.notice, view.players));
  else if ($("line").value.trim() === before.words) { $("line").value = ""; sessionStorage.removeItem("line"); }
  before = null;
}

// The line is marked, so that whoever types on writes another in its place.
function blame(words) {
  put($("line-answer"), words);
  if (words && document.activeElement === $("line")) $("line").select();
}
