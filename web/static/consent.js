// What both must agree to: each in their own name, and who has is said; also on one screen that serves both.

import { h, patch } from "./keyed.js";
import { $, mayAct } from "./page.js";
import { people, t } from "./words.js";

// In these phases the table is more likely right than the record: it is offered before anybody asks.
const OFFERED_IN = new Set(["out of step", "setting up"]);
const ASKED = {
  "let stand": () => t("Let it stand? Both must agree."),
  "as it is": () => t("Take the table as it is? Both must agree."),
  "bring back": () => t("Bring back what both had agreed to? Both must agree again."),
};
const HALF = {
  "let stand": (names) => t("{name} lets it stand. {other} has not agreed yet.", names),
  "as it is": (names) => t("{name} takes the table as it is. {other} has not agreed yet.", names),
  "bring back": (names) => t("{name} would bring it back. {other} has not agreed yet.", names),
};
const MINE = {
  "let stand": (name) => t("{name}: let it stand", { name }),
  "as it is": (name) => t("{name}: as it is", { name }),
  "bring back": (name) => t("{name}: bring it back", { name }),
};

// What is asked of both now, or nothing.
export function asked(view) {
  if (view.wish) return view.wish;
  if (view.phase === "illegal" && view.offers.includes("let stand")) return "let stand";
  return OFFERED_IN.has(view.phase) && view.offers.includes("as it is") ? "as it is" : "";
}

export function showConsent(view, press) {
  const wish = asked(view), names = view.seated?.length ? people(view.seated) : [t("Player 1"), t("Player 2")];
  const has = (player) => view.wish === wish && view.agreed.includes(player);
  const first = [1, 2].find(has);
  const words = !wish ? "" : first ? HALF[wish]({ name: names[first - 1], other: names[2 - first] }) : ASKED[wish]();
  patch($("consent"), [
    wish && h("p", { key: "said" }, words),
    wish && mayAct() && (view.offers.includes(wish) || view.offers.includes("withdraw")) && h("div", { key: "agree", class: "consent", role: "group", "aria-label": ASKED[wish]() },
      view.offers.includes(wish) && names.map((name, k) => h("button", {
        key: `${wish} ${k}`, type: "button", class: `p${k + 1}`, "aria-pressed": String(has(k + 1)), onclick: () => press(wish, { number: k + 1 }),
      }, MINE[wish](name), has(k + 1) ? " ✓" : "")),
      view.offers.includes("withdraw") && h("button", { key: "withdraw", type: "button", onclick: () => press("withdraw") }, t("Take it back"))),
  ]);
}
