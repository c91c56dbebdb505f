// A match that is kept: how it stands, and every entry of it. Nothing can be done to it from here.

import { drawBoard } from "./board/still.js";
import "./look.js";
import { showLog } from "./log.js";
import { $ } from "./page.js";
import { lookBack, pastKnows } from "./past.js";
import { showFinal, showPad, showScores } from "./scores.js";
import { people, t } from "./words.js";

const answer = await fetch(`/api/matches/${document.body.dataset.match}/view`).catch(() => null);
if (answer?.ok) {
  const told = await answer.json(), view = { ...told, players: people(told.players) };
  $("title").textContent = document.title = `${view.title}: ${view.players.join(" – ")}`;
  document.body.dataset.phase = view.phase;
  showScores(view);
  showPad(view);
  showFinal(view);
  showLog(view, lookBack);
  pastKnows(view);
  drawBoard(document.querySelector("#board .frame"), view.game, view.layout, view);
  $("from-start").onclick = () => lookBack(view.log[0]?.place ?? 1);
} else $("notice").textContent = t("This match cannot be read.");
