// Everything beside the board: names, clocks, whose turn, the moves, the connection.

const SIDES = ["white", "black"];
const NAMES = { white: "White", black: "Black" };

const REASONS = {
  "no-pieces": (loser) => `${loser} has no pieces left`,
  blocked: (loser) => `${loser} cannot move`,
  resigned: (loser) => `${loser} resigned`,
  agreed: () => "by agreement",
  "rule-draw": () => "by the draw rules",
  flag: (loser) => `${loser} ran out of time`,
  forfeit: (loser) => `${loser} lost by decision`,
  late: (loser) => `${loser} came too late`,
  arbiter: () => "entered by the arbiter",
};

const byId = (id) => document.getElementById(id);

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function drawPlayers(state, viewed) {
  const about = state.about;
  const position = viewed === null ? state.position : state.positionAfter(viewed);
  for (const side of SIDES) {
    const bar = byId(side);
    const toMove = state.fen !== null && position.turn === side && (state.phase === "playing" || state.phase === "paused" || viewed !== null);
    setText(bar.querySelector(".name"), about[side] ?? NAMES[side]);
    setText(bar.querySelector(".discs"), state.fen === null ? "" : discs(position, side));
    bar.querySelector(".to-move").hidden = !toMove;
    bar.classList.toggle("turn", toMove);
  }
  const players = about.white && about.black ? `${about.white} – ${about.black}` : "Live draughts";
  const occasion = [about.event, about.round && `round ${about.round}`].filter(Boolean).join(", ");
  setText(byId("title"), occasion || players);
  document.title = `${players}${state.lastMove ? ` · ${state.lastMove.text}` : ""}`;
}

function discs(position, side) {
  const kings = [...position[side]].filter((square) => position.kings.has(square)).length;
  const men = position[side].size - kings;
  const count = (number, one, many) => (number === 0 ? "" : `${number} ${number === 1 ? one : many}`);
  return [count(men, "man", "men"), count(kings, "king", "kings")].filter(Boolean).join(", ") || "no pieces";
}

export function drawClocks(state, viewed) {
  for (const side of SIDES) {
    const { ms, what, running } = (viewed !== null && state.timeAfter(viewed, side)) || state.timeOf(side);
    const bar = byId(side);
    setText(bar.querySelector(".time"), duration(ms));
    setText(bar.querySelector(".what"), what === "used" ? "used" : what === "flag" ? "flag" : "");
    bar.classList.toggle("running", running);
  }
}

function duration(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function drawStatus(state, viewed) {
  const line = byId("status");
  line.classList.toggle("past", viewed !== null);
  setText(line, viewed === null ? statusNow(state) : `Looking back: ${viewed === 0 ? "the start" : `after move ${viewed} of ${state.moves.length}`}`);
}

function statusNow(state) {
  switch (state.phase) {
    case "waiting":
      return "Waiting for the game to begin";
    case "paused":
      return "Paused";
    case "adjourned":
      return "Adjourned";
    case "ended":
      return ending(state.ending);
    case "stopped":
      return "The recording has stopped";
    default:
  }
  const side = NAMES[state.turn];
  const clock = state.clock_lost ? " · the clock is not connected" : "";
  const lifted = state.lifted;
  if (lifted.length === 0) return `${side} to move${clock}`;
  return `${side} to move · in the hand: ${lifted.sort((a, b) => a - b).map((square) => squareName(state, square)).join(", ")}`;
}

function squareName(state, square) {
  if (state.variant === "international") return String(square);
  const row = Math.floor((square - 1) / 4);
  return "abcdefgh"[2 * ((square - 1) % 4) + (row % 2 === 0 ? 1 : 0)] + (8 - row);
}

function ending({ result, reason }) {
  const loser = { "2-0": "Black", "0-2": "White", "0-0": "Both" }[result] ?? "";
  const why = REASONS[reason]?.(loser) ?? reason;
  const what = { "2-0": "White wins", "0-2": "Black wins", "1-1": "Draw", "0-0": "Both lose" }[result] ?? "";
  return `${result} · ${[what, why].filter(Boolean).join(": ")}`;
}

/** Pairs of moves. A side that has two in a row begins a new line. */
export function drawMoves(state, viewed, choose) {
  const list = byId("moves");
  const follows = list.scrollHeight - list.scrollTop - list.clientHeight < 40 || viewed === null;
  const rows = [];
  for (const move of state.moves) {
    const row = rows.at(-1);
    if (move.side === "black" && row && !row.black) row.black = move;
    else rows.push({ [move.side]: move });
  }
  const shown = viewed ?? state.lastMove?.ply ?? 0;
  // Lines are changed where they differ: rebuilding them all would lose the focus.
  rows.forEach((row, index) => {
    const line = list.children[index] ?? list.appendChild(emptyLine(index, choose));
    drawCell(line.children[1], row.white, shown, row.white === undefined);
    drawCell(line.children[2], row.black, shown, false);
  });
  while (list.children.length > rows.length) list.lastElementChild.remove();
  const current = list.querySelector("[aria-current]");
  if (follows && current) {
    const line = current.closest("li");
    list.scrollTop = Math.max(0, line.offsetTop - list.offsetTop - list.clientHeight + line.offsetHeight * 1.5);
  }
}

function emptyLine(index, choose) {
  const line = document.createElement("li");
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = `${index + 1}.`;
  line.append(number);
  for (let cell = 0; cell < 2; cell += 1) {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.addEventListener("click", () => button.dataset.ply && choose(Number(button.dataset.ply)));
    line.append(button);
  }
  return line;
}

function drawCell(button, move, shown, skipped) {
  const text = move?.text ?? (skipped ? "…" : "");
  if (button.firstChild?.data !== text) button.replaceChildren(text);
  button.disabled = !move;
  button.className = move?.status ?? "";
  button.dataset.ply = move?.ply ?? "";
  button.title = move?.status === "provisional" ? "may still change" : "";
  if (move && move.ply === shown) button.setAttribute("aria-current", "true");
  else button.removeAttribute("aria-current");
}

export function drawConnection(connection, waitMs, delayS) {
  document.documentElement.dataset.connection = connection;
  const soon = waitMs ? `, next try in ${Math.max(1, Math.round(waitMs / 1000))} s` : "";
  const live = delayS ? `Live, ${Math.round(delayS / 60)} min behind` : "Live";
  setText(byId("connection"), { live, reconnecting: "Reconnecting…", lost: `Connection lost${soon}` }[connection]);
}

/** Says a move aloud, to those who have the page read to them. */
export function speak(text) {
  setText(byId("spoken"), text);
}

export { NAMES };
