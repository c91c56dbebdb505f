// Sentences that the box has written into a page with names and figures in them: told in the page's language.

import { told } from "./words.js";

for (const place of document.querySelectorAll("[data-told]")) {
  const drawn = [...place.querySelectorAll("text, title")];
  for (const one of drawn.length ? drawn : [place]) one.textContent = told(one.textContent.trim().replace(/\s+/g, " "));
}
