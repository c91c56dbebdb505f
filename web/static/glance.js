// How the box is: a quiet dot while all is well, one sentence where the game feels it, and figures behind a press.
// The box puts all of it into words; what concerns the owner alone it tells no one else.

import { h, patch } from "./keyed.js";
import { $, calmly, put } from "./page.js";
import { t } from "./words.js";

const WELL_MS = 5000, ILL_MS = 2000; // who waits for the camera wants to see it come back
const made = (kind, how, ...inside) => { const node = Object.assign(document.createElement(kind), how); node.append(...inside); return node; };
const dot = made("button", { id: "glance", type: "button", hidden: true, ariaHasPopup: "dialog" }, made("i", { ariaHidden: "true" }));
const line = made("p", { id: "glance-line", ariaHidden: "true" }); // its seconds change: they are not read aloud each time
const heard = made("p", { id: "glance-heard", role: "status" });
const strip = made("aside", {}, line, heard);
const more = made("dialog", { id: "glance-more" });
more.setAttribute("aria-labelledby", "glance-title");
const form = made("form", { method: "dialog" });
more.append(form);

let known = null, due = 0;
function show(told) {
  known = told;
  const [worst] = told.wrong;
  dot.className = worst ? "ill" : "";
  strip.ariaLabel = told.title;
  dot.title = told.line;
  dot.ariaLabel = told.line;
  put(line, worst ? worst.words : "");
  const kind = worst ? worst.words.replace(/\d+/g, "") : "";
  if (heard.dataset.kind !== kind) put(heard, worst ? worst.words : "");
  heard.dataset.kind = kind;
  if (more.open) detail();
}

function detail() {
  patch(form, [
    h("h2", { key: "title", id: "glance-title" }, known.title),
    known.wrong.length ? h("ul", { key: "wrong" }, known.wrong.map((one, k) => h("li", { key: k }, h("strong", {}, one.words), " ", one.remedy))) : h("p", { key: "well" }, known.line),
    h("dl", { key: "figures" }, known.figures.flatMap((one) => [h("dt", { key: `${one.of} of` }, one.of), h("dd", { key: one.of }, one.is)])),
    h("p", { key: "acts", class: "acts" }, h("button", {}, t("Close"))),
  ]);
}
dot.onclick = () => { detail(); more.showModal(); };

async function ask() {
  clearTimeout(due);
  if (document.hidden) return;
  const answer = await fetch("/api/health/glance", { cache: "no-store" }).catch(() => null);
  const told = answer?.ok ? await answer.json().catch(() => null) : null;
  // A box that does not answer is told of by the verdict: nothing is known of it here.
  calmly(() => { dot.hidden = line.hidden = !told; if (told) show(told); }, "glance");
  due = setTimeout(ask, known?.wrong.length || more.open ? ILL_MS : WELL_MS);
}
document.addEventListener("visibilitychange", ask);

function begin() {
  $("menu").before(dot);
  document.querySelector("header").after(strip, more);
  ask();
}
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/glance.css", onload: begin }));
