// Who uses the keyboard keeps their place: a button that works is marked and not disabled, and a row that goes hands the
// focus on. A browser takes the focus from what is disabled, hidden or gone, and gives it to nobody.

// Do what takes a while, once at a time: presses that come meanwhile are not heard.
export async function working(button, work) {
  if (button.ariaDisabled) return;
  button.ariaDisabled = "true";
  try { await work(); } finally { button.ariaDisabled = null; }
}

// Change a list: the row that has the focus may go, and then the one in its place has it, or the heading above.
export function keepPlace(list, change) {
  list.onkeydown ??= (event) => { if (event.repeat) event.preventDefault(); }; // a key that is held presses one row, not the next as well
  const held = document.activeElement, place = [...list.querySelectorAll("button")].indexOf(held);
  change();
  if (place < 0 || held.isConnected) return;
  const left = list.querySelectorAll("button"), title = list.closest("section").querySelector("h2");
  title.tabIndex = -1; // words that say where one is
  (left[Math.min(place, left.length - 1)] ?? title).focus();
}
