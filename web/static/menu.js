// Ways to other pages, which fold into one button where the board needs the room.

import { $ } from "./page.js";

function open(now) {
  $("ways").classList.toggle("open", now);
  $("menu").ariaExpanded = String(now);
}
$("menu").onclick = () => open(!$("ways").classList.contains("open"));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !$("ways").classList.contains("open")) return;
  open(false);
  $("menu").focus();
});
addEventListener("pointerdown", (event) => { if (!event.target.closest("#ways, #menu")) open(false); });
