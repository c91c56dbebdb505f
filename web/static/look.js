// How this browser shows the pages: colours, language, whether it speaks. Kept here and nowhere else.

import { $ } from "./page.js";

const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a browser that keeps nothing */ } };
export const kept = (name) => { try { return localStorage.getItem(name) ?? ""; } catch { return ""; } };

// Over a broadcast the page's own head is hidden: what it says is its heading then.
if (document.documentElement.dataset.view === "overlay" && $("headline")) Object.assign($("headline"), { role: "heading", ariaLevel: "1" });

if ($("theme")) {
  $("theme").value = kept("theme");
  $("theme").onchange = () => {
    keep("theme", $("theme").value);
    if ($("theme").value) document.documentElement.dataset.theme = $("theme").value;
    else delete document.documentElement.dataset.theme;
  };
  $("language").onchange = () => {
    document.cookie = `language=${$("language").value}; path=/; max-age=31536000; SameSite=Strict`;
    location.reload();
  };
  for (const name of ["speech", "sounds"]) {
    $(name).checked = kept(name) === "yes";
    $(name).onchange = () => keep(name, $(name).checked ? "yes" : "");
  }
}
