// A board that is only looked at: a position of the past, or a match that is over.

import { patch } from "../keyed.js";
import * as dominoids from "./dominoids.js";
import * as drawGame from "./draw_game.js";
import * as duel from "./duel.js";
import { Marks } from "./marks.js";
import * as war from "./war.js";

const GAMES = { dominoids, "draw-game": drawGame, "dominoes-of-war": war, "kingdomino-duel": duel };

export function drawBoard(place, game, layout, { players = ["1", "2"], movers = [], marks = null, detail = {}, log = [] } = {}) {
  if (place.dataset.game !== game) place.dataset.game = game;
  patch(place, GAMES[game].draw({ game, layout, players, movers, marks, detail, log }, new Marks(null, false), {}));
}
