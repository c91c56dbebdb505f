// A rule by its id, in our own words, without leaving the page.

import { h, patch } from "./keyed.js";
import { $ } from "./page.js";
import { t } from "./words.js";

const known = new Map(); // game → Promise of its rules by id

async function rulesOf(game) {
  const answer = await fetch(`/api/rules/${game}`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

export async function openRule(game, id) {
  if (!known.has(game)) known.set(game, rulesOf(game));
  const told = await known.get(game);
  if (!told) known.delete(game);
  const rule = told?.rules.find((one) => one.id === id);
  $("rule-id").textContent = id;
  $("rule-words").textContent = rule?.words ?? t("There is no such rule.");
  patch($("rule-source"), rule ? [t("From: {source}, {section}", { source: told.source, section: rule.section }), h("br", {}), h("a", { href: `/rules/${game}#${id}` }, t("All rules of this game"))] : []);
  if (!$("rule").open) $("rule").showModal();
}
