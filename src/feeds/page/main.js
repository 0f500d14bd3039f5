// The live page: takes what the stream brings and draws it.

import { Board } from "./board.js";
import { drawClocks, drawConnection, drawMoves, drawPlayers, drawStatus, NAMES, speak } from "./panel.js";
import { GameState } from "./state.js";
import { follow } from "./stream.js";

const board = new Board(document.getElementById("board"));
const button = (id) => document.getElementById(id);

let state = null;
// The ply that is looked at; null is the game as it is now.
let viewed = null;
let drawn = false;
let connection = "connecting";

/** Draws at the next frame, however many events come before it. */
function draw() {
  if (drawn || !state) return;
  drawn = true;
  requestAnimationFrame(() => {
    drawn = false;
    if (viewed !== null && viewed > (state.lastMove?.ply ?? 0)) viewed = null;
    board.draw(state, viewed);
    drawPlayers(state, viewed);
    drawStatus(state, viewed);
    drawMoves(state, viewed, view);
    drawClocks(state, viewed);
    button("back").disabled = (viewed ?? state.moves.length) === 0;
    button("forward").disabled = viewed === null;
    button("live").disabled = viewed === null;
    const root = document.documentElement.dataset;
    root.variant = state.variant;
    root.epoch = state.epoch;
    root.seq = state.seq;
  });
}

function view(ply) {
  const last = state?.lastMove?.ply ?? 0;
  viewed = ply >= last ? null : Math.max(0, ply);
  draw();
}

function step(by) {
  if (state) view((viewed ?? state.lastMove?.ply ?? 0) + by);
}

function announce(event) {
  if (event.kind === "move" && event.status === "final") speak(`${NAMES[event.side]}: ${event.text}`);
  if (event.kind === "withdrawn") speak("The last move does not stand");
  if (event.kind === "result") speak(`Result ${event.result}`);
}

follow("api/v1/", {
  takeSnapshot(snapshot) {
    if (state && (snapshot.game !== state.game || snapshot.epoch !== state.epoch)) viewed = null;
    state = new GameState(snapshot);
    drawConnection(connection, 0, state.delay_s);
    draw();
  },
  takeEvent(event) {
    if (!state?.apply(event)) return false;
    announce(event);
    draw();
    return true;
  },
  tell(what, waitMs) {
    connection = what;
    drawConnection(what, waitMs, state?.delay_s);
  },
});

// Cut off, nobody knows whose clock runs: they stand.
setInterval(() => state && connection === "live" && drawClocks(state, viewed), 200);

button("back").addEventListener("click", () => step(-1));
button("forward").addEventListener("click", () => step(1));
button("live").addEventListener("click", () => view(Infinity));
button("names").addEventListener("change", (event) => {
  document.documentElement.classList.toggle("no-names", !event.target.checked);
});
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input")) return;
  const action = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => view(0), End: () => view(Infinity), Escape: () => view(Infinity) }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
