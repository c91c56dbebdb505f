// The settings as fields: what each is for, what counts without it, and one sentence at the field that is wrong.

import { h, patch } from "./keyed.js";
import { $ } from "./page.js";
import { t, told } from "./words.js";

const PARTS = () => ({
  manners: t("How it referees"), pins: t("Buttons and lamps"), keys: t("Keypad or Bluetooth buttons"), oled: t("Small display"), sound: t("Sound"),
  table: t("Markers"), camera: t("Camera"), service: t("The page and the network"), mqtt: t("The house (MQTT)"),
});
let set = {}; // what the page has set now

const shipped = (one) => one.beneath !== null ? t("by hand: {value}", { value: one.beneath }) : one.shipped ? t("as shipped: {value}", { value: one.shipped }) : t("as shipped: nothing");

function counted(ones) {
  const here = ones.filter((one) => one.value !== null).length, beneath = ones.filter((one) => one.beneath !== null).length;
  return [here && t("{n} set", { n: here }), beneath && t("{n} by hand", { n: beneath })].filter(Boolean).join(", ");
}

function field(one) {
  const attributes = { id: one.key, name: one.key, "aria-describedby": `about ${one.key}`.replaceAll(/[ .]/g, "-"), "data-kind": one.kind };
  const choices = one.kind === "yes or no" ? ["yes", "no"] : one.choices;
  const input = choices.length
    ? h("select", { ...attributes, key: "field" }, h("option", { value: "", key: "shipped" }, shipped(one)), choices.map((value) => h("option", { value, key: value }, value === "yes" ? t("yes") : value === "no" ? t("no") : value)))
    : h("input", { ...attributes, key: "field", type: one.secret ? "password" : "text", autocomplete: "off", inputmode: one.kind === "number" ? "decimal" : null, placeholder: shipped(one) });
  return h("div", { key: one.key, class: "setting" }, h("label", { for: one.key }, h("span", { class: "notation" }, one.key)), input,
    h("p", { id: attributes["aria-describedby"], class: "soft" }, told(one.meaning)), h("p", { class: "wrong", id: `${attributes["aria-describedby"]}-wrong`, role: "alert" }));
}

// The fields as the file sets them; what somebody is just typing stays.
export function showFields(all) {
  const parts = new Map();
  for (const one of all) parts.set(one.key.split(".")[0], [...(parts.get(one.key.split(".")[0]) ?? []), one]);
  const words = PARTS();
  patch($("parts"), [...parts].map(([part, ones]) => h("details", { key: part }, h("summary", {}, words[part] ?? part, " ", h("span", { class: "soft" }, counted(ones))), ones.map(field))));
  for (const one of all) {
    const input = $(one.key), before = set[one.key] ?? "";
    if (input.dataset.told === undefined || input.value === before) input.value = one.value ?? "";
    input.dataset.told = "yes";
  }
  set = Object.fromEntries(all.map((one) => [one.key, one.value ?? ""]));
}

// Those that were changed, by their keys; null where a field was emptied.
export function changes() {
  const found = {};
  for (const input of $("parts").querySelectorAll("input, select")) if (input.value.trim() !== set[input.name]) found[input.name] = input.value.trim() || null;
  return found;
}

// A refusal at the field of which it speaks; without one, nothing is wrong.
export function wrong(key = "", words = "") {
  for (const input of $("parts").querySelectorAll("input, select")) {
    const bad = input.name === key, place = input.parentNode.querySelector(".wrong"), about = input.getAttribute("aria-describedby").split(" ")[0];
    place.textContent = bad ? words : "";
    input.setAttribute("aria-invalid", String(bad));
    input.setAttribute("aria-describedby", bad ? `${about} ${place.id}` : about);
    if (bad) { input.closest("details").open = true; input.focus(); }
  }
}
