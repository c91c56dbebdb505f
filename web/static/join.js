// The way in: what this browser may do, and the one field for the code. It decides nothing: the door does.

import { t, told as inWords } from "./words.js";

const $ = (id) => document.getElementById(id);
const token = document.querySelector('meta[name="token"]').content;
const form = $("door");
const isCard = document.body.dataset.page === "join";
const WAITING_MS = 3000;

async function ask(path, body) {
  const how = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json", "X-Pipwatch-Token": token }, body: JSON.stringify(body),
  };
  return fetch(path, { cache: "no-store", ...how }).catch(() => null);
}

function tell(words, wrong = false) {
  $("door-told").textContent = words;
  $("door-told").className = wrong ? "wrong" : "";
}

// A browser that came from another app sends its secret only with the page's own requests: so the page asks again.
export async function look() {
  const answer = await ask("/api/door");
  if (!answer?.ok) return;
  const told = await answer.json();
  const before = document.body.dataset.may;
  document.body.dataset.may = told.act ? "act" : "look";
  if (told.act && before === "look" && isCard) return location.replace("/");
  if (form) {
    const held = form.contains(document.activeElement);
    form.hidden = told.act || !told.code;
    if (held && form.hidden) { // the field is gone: on with the page
      const place = $("headline") ?? document.querySelector("h1");
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    }
    form.classList.toggle("open", told.open);
    const wasOpen = $("door-told").dataset.open === "yes";
    $("door-told").dataset.open = told.open ? "yes" : "no";
    if (told.open && !form.hidden) tell(t("The table's buttons let you in: press Join."));
    else if (wasOpen) tell(t("The code is on the table's screen, and in its log."));
  }
  if (before !== document.body.dataset.may) document.dispatchEvent(new Event("may"));
}

async function wait() {
  if (!document.hidden && document.body.dataset.may === "look") await look();
  setTimeout(wait, WAITING_MS);
}

if (form) {
  form.onsubmit = async (event) => {
    event.preventDefault();
    const answer = await ask("/api/join", { code: $("code").value });
    if (answer?.ok) {
      $("code").value = "";
      await look();
      if (document.body.dataset.may === "look") tell(t("You see the table now. With the code you play along."));
      return;
    }
    const told = await answer?.json().catch(() => null);
    tell(inWords(told?.error) || (answer?.status === 403 ? t("This page is out of date: load it again.") : t("The table does not answer.")), true);
    $("code").select();
  };
  const scanned = location.hash.slice(1);
  if (isCard && /^\d{6}$/.test(scanned)) {
    $("code").value = scanned; // to be pressed by a person: no page that only opens this one uses up a try
    history.replaceState(null, "", location.pathname);
  }
}
if ($("print")) $("print").onclick = () => window.print();
if ($("forget")) $("forget").onclick = async () => {
  if (!window.confirm(t("Every phone has to enter the code again. Forget them all?"))) return;
  if (await ask("/api/phones/forget", {})) location.reload(); // it shows what is left, and who may forget it now
};

await look();
wait();
