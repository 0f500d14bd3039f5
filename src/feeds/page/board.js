// Draws the board: squares once per variant, discs and marks as they change.
//
// White's and Black's discs differ by lightness and rim, kings are two discs with a crown, and what
// happens to a disc is told by line and shape, never by hue alone.

import { pieceAt } from "./state.js";

const SVG = "http://www.w3.org/2000/svg";
const CELL = 100;
const CROWN = "M-21 9 -25 -13 -11 -4 0 -18 11 -4 25 -13 21 9Z";

function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The signs that the board and the legend share. */
function signs() {
  const sign = (id, ...shapes) => element("g", { id, class: id }, ...shapes);
  return element("defs", {},
    sign("sign-lifted", element("circle", { cx: 50, cy: 50, r: 38 }), element("path", { d: "M50 66V36M37 48 50 34 63 48" })),
    sign("sign-set-down", element("circle", { cx: 50, cy: 50, r: 38 }), element("circle", { class: "dot", cx: 50, cy: 50, r: 9 })),
    sign("sign-captured", element("path", { d: "M32 32 68 68M68 32 32 68" })),
    sign("sign-origin", element("circle", { cx: 50, cy: 50, r: 14 })),
    sign("sign-target", element("path", { d: "M3 28V3H28M72 3H97V28M97 72V97H72M28 97H3V72" })));
}

export class Board {
  #svg;
  #variant = null;
  #across = 10;
  #squares = new Map();
  #discs = new Map();
  #discLayer = null;
  #markLayer = null;

  constructor(svg) {
    this.#svg = svg;
  }

  /** Draws a game, as it is now (`viewed` null) or as it was after a ply. */
  draw(state, viewed) {
    if (this.#variant !== state.variant) this.#lay(state.variant);
    const now = viewed === null;
    const position = now ? state.position : state.positionAfter(viewed);
    const move = now ? state.lastMove : state.moves.findLast((known) => known.ply <= viewed && viewed > 0) ?? null;

    const before = move && state.positionAfter(move.ply - 1);
    this.#drawDiscs(position, move, before, (square) => (now ? state.discAt(square) : null));
    this.#drawMarks(move, position);
    this.#svg.setAttribute("aria-label", describe(position));
    this.#svg.classList.toggle("past", !now);
  }

  #lay(variant) {
    this.#variant = variant;
    this.#across = variant === "international" ? 10 : 8;
    const side = this.#across * CELL;
    this.#svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
    this.#squares.clear();
    this.#discs.clear();
    const squares = element("g", {});
    for (let square = 1; square <= (this.#across * this.#across) / 2; square += 1) {
      const [x, y] = this.#corner(square);
      const name = element("text", { class: "square-name", x: x + 7, y: y + 7 });
      name.textContent = variant === "international" ? square : this.#algebraic(square);
      const group = element("g", { "data-square": square }, element("rect", { class: "dark", x, y, width: CELL, height: CELL }), name);
      this.#squares.set(square, group);
      squares.append(group);
    }
    this.#markLayer = element("g", { class: "marks" });
    this.#discLayer = element("g", { class: "discs" });
    this.#svg.replaceChildren(signs(), element("rect", { class: "light", width: side, height: side }), squares, this.#markLayer, this.#discLayer);
  }

  /** The upper left corner of a square. */
  #corner(square) {
    const [row, column] = this.#rowAndColumn(square);
    return [column * CELL, row * CELL];
  }

  #rowAndColumn(square) {
    const perRow = this.#across / 2;
    const row = Math.floor((square - 1) / perRow);
    return [row, 2 * ((square - 1) % perRow) + (row % 2 === 0 ? 1 : 0)];
  }

  #algebraic(square) {
    const [row, column] = this.#rowAndColumn(square);
    return "abcdefgh"[column] + (this.#across - row);
  }

  #drawDiscs(position, move, before, discAt) {
    // The disc that moved keeps its element, so that it glides.
    if (move && position[move.side].has(move.to) && !this.#discs.has(move.to) && !pieceAt(position, move.from)) {
      const moved = this.#discs.get(move.from);
      if (moved?.dataset.piece.startsWith(move.side)) {
        this.#discs.delete(move.from);
        this.#discs.set(move.to, moved);
        this.#discLayer.append(moved);
      }
    }
    for (const [square, group] of this.#squares) {
      const disc = discAt(square) ?? (pieceAt(position, square) ? "standing" : "none");
      let piece = pieceAt(position, square);
      group.dataset.piece = piece ?? "none";
      group.dataset.disc = disc;
      if (disc === "to-remove") piece = before && pieceAt(before, square);
      this.#placeDisc(square, piece, disc);
    }
  }

  #placeDisc(square, piece, disc) {
    let drawn = this.#discs.get(square);
    if (disc === "none") {
      drawn?.remove();
      this.#discs.delete(square);
      return;
    }
    if (!drawn) {
      drawn = element("g", {});
      this.#discLayer.append(drawn);
      this.#discs.set(square, drawn);
    }
    const [x, y] = this.#corner(square);
    drawn.style.transform = `translate(${x}px, ${y}px)`;
    const shown = piece ?? "unknown";
    if (drawn.dataset.piece === shown && drawn.dataset.disc === disc) return;
    drawn.dataset.piece = shown;
    drawn.dataset.disc = disc;
    drawn.setAttribute("class", `disc ${disc} ${piece ? piece.split("-").join(" ") : ""}`);
    drawn.replaceChildren(...shapes(piece, disc));
  }

  #drawMarks(move, position) {
    if (!move) {
      this.#markLayer.replaceChildren();
      return;
    }
    const mark = (square, id) => {
      const [x, y] = this.#corner(square);
      return element("use", { href: `#${id}`, x, y });
    };
    const marks = [mark(move.from, "sign-origin"), mark(move.to, "sign-target")];
    for (const square of move.captures) {
      if (!pieceAt(position, square)) marks.push(mark(square, "sign-captured"));
    }
    this.#markLayer.setAttribute("class", `marks ${move.status}`);
    this.#markLayer.replaceChildren(...marks);
  }
}

function shapes(piece, disc) {
  const use = (id) => element("use", { href: `#${id}` });
  if (!piece) return [use("sign-set-down")];
  const round = (cy, radius) => element("circle", { class: "body", cx: 50, cy, r: radius });
  const groove = (cy, radius) => element("circle", { class: "groove", cx: 50, cy, r: radius });
  const drawn = piece.endsWith("king")
    ? [round(61, 33), round(46, 33), element("path", { class: "crown", d: CROWN, transform: "translate(50 50)" })]
    : [round(50, 38), groove(50, 27), groove(50, 16)];
  if (disc === "lifted") drawn.push(use("sign-lifted"));
  if (disc === "to-remove") drawn.push(use("sign-captured"));
  return drawn;
}

/** The position in words, for those who listen to the page. */
function describe(position) {
  const of = (side) => {
    const kings = [...position[side]].filter((square) => position.kings.has(square));
    const men = [...position[side]].filter((square) => !position.kings.has(square));
    const list = (name, squares) => (squares.length ? `${name} ${squares.sort((a, b) => a - b).join(", ")}` : "");
    return [list("men", men), list("kings", kings)].filter(Boolean).join("; ") || "no pieces";
  };
  return `Board. White: ${of("white")}. Black: ${of("black")}. ${position.turn === "white" ? "White" : "Black"} to move.`;
}
