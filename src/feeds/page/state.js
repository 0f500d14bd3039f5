// The game as the public sees it, folded from the stream: the same fold as `src/feeds/board_state.rs`.
//
// A state begins as a snapshot (`docs/http-api.md`) and keeps its field names; events are applied in the
// order of their numbers. Sets of squares are kept as `Set`s.

/** Reads a FEN such as `W:W31,K32:B1,2`. */
export function readFen(fen) {
  const position = { turn: fen.startsWith("B") ? "black" : "white", white: new Set(), black: new Set(), kings: new Set() };
  for (const part of fen.replace(/\.$/, "").split(":").slice(1)) {
    const squares = part.startsWith("B") ? position.black : position.white;
    for (const item of part.slice(1).split(",").filter(Boolean)) {
      const king = item.startsWith("K");
      const square = Number(king ? item.slice(1) : item);
      squares.add(square);
      if (king) position.kings.add(square);
    }
  }
  return position;
}

/** Which piece stands on a square: `white-man`, `black-king`, …, or null. */
export function pieceAt(position, square) {
  const side = position.white.has(square) ? "white" : position.black.has(square) ? "black" : null;
  return side && `${side}-${position.kings.has(square) ? "king" : "man"}`;
}

export class GameState {
  constructor(snapshot) {
    const { game, epoch, seq, t, at, pace, delay_s, about, phase, variant, start_fen, fen, turn, time_control, clock_lost, clock, ending } = snapshot;
    Object.assign(this, { game, epoch, seq, t, at, pace, delay_s, about, phase, variant, start_fen, fen, turn, time_control, clock_lost, clock, ending });
    this.position = snapshot.fen ? readFen(snapshot.fen) : readFen("W:W:B");
    this.contacts = new Set(snapshot.contacts);
    this.moves = snapshot.moves;
    const age = snapshot.at ? Date.parse(snapshot.served_at) - Date.parse(snapshot.at) : 0;
    this.#anchor(snapshot.t + Math.max(0, age) * snapshot.pace);
  }

  /** Folds one event in. Returns false when it does not follow: then only a snapshot helps. */
  apply(event) {
    if (event.epoch !== this.epoch || event.game !== this.game || event.seq !== this.seq + 1) return false;
    this.seq = event.seq;
    this.t = Math.max(this.t, event.t);
    this.at = event.at;
    if (event.t > this.now()) this.#anchor(event.t);
    switch (event.kind) {
      case "game-started":
        Object.assign(this, { variant: event.variant, phase: "playing", start_fen: event.fen });
        Object.assign(this, { moves: [], clock: null, ending: null, clock_lost: false, time_control: event.time_control ?? null });
        this.#standAt(event.fen);
        this.contacts = new Set([...this.position.white, ...this.position.black]);
        break;
      case "contact":
        if (event.closed) this.contacts.add(event.square);
        else this.contacts.delete(event.square);
        break;
      case "move": {
        const { ply, side, text, from, to, captures, status, complete_t, fen } = event;
        const clock = this.moves.find((move) => move.ply === ply)?.clock ?? null;
        this.moves = this.moves.filter((move) => move.ply !== ply);
        this.moves.push({ ply, side, text, from, to, captures, status, complete_t, fen, clock });
        this.moves.sort((a, b) => a.ply - b.ply);
        // A move may become final after the reply to it is known already.
        if (this.moves.at(-1).ply === ply) this.#standAt(fen);
        break;
      }
      case "withdrawn":
        this.moves = this.moves.filter((move) => move.ply < event.ply);
        this.#standAt(event.fen);
        break;
      case "position-set":
        this.#standAt(event.fen);
        break;
      case "clock":
        this.clock = { white_ms: event.white_ms, black_ms: event.black_ms, running: event.running, flag: event.flag, t: event.t };
        // A clock that still runs for the mover has not been pressed after his move.
        if (this.lastMove && event.running !== this.lastMove.side) this.lastMove.clock ??= this.clock;
        break;
      case "clock-connection":
        this.clock_lost = event.connection === "lost";
        break;
      case "adjourning":
      case "sealing":
      case "adjourned":
        this.phase = "adjourned";
        break;
      case "paused":
        this.phase = "paused";
        break;
      case "resumed":
        // After a restart of the program the game stands where it stood.
        if (!event.restart) this.phase = "playing";
        break;
      case "result":
        this.ending = { result: event.result, reason: event.reason };
        this.phase = "ended";
        break;
      case "recording-ended":
        if (!this.ending) this.phase = "stopped";
        break;
      default: // Presses, wells, and kinds of a later version show nothing here.
    }
    return true;
  }

  get lastMove() {
    return this.moves.at(-1) ?? null;
  }

  /** What is to be seen on a square: `standing`, `lifted`, `set-down`, `to-remove` or `none`. */
  discAt(square) {
    const piece = this.position.white.has(square) || this.position.black.has(square);
    const closed = this.contacts.has(square);
    if (piece) return closed ? "standing" : "lifted";
    if (!closed) return "none";
    return this.lastMove?.captures.includes(square) ? "to-remove" : "set-down";
  }

  get lifted() {
    return [...this.position.white, ...this.position.black].filter((square) => !this.contacts.has(square));
  }

  /** The position after a ply; ply 0 is the start. */
  positionAfter(ply) {
    const fen = ply === 0 ? this.start_fen : this.moves.findLast((move) => move.ply <= ply)?.fen;
    return fen ? readFen(fen) : this.position;
  }

  /** The moment on the game's time line, reckoned from what was heard last. */
  now() {
    return this.anchor.t + (performance.now() - this.anchor.heard) * this.pace;
  }

  /** What a side's clock showed after a ply, if a clock reported then. */
  timeAfter(ply, side) {
    const clock = this.moves.findLast((move) => move.ply <= ply)?.clock;
    return clock ? { ms: clock[`${side}_ms`], what: "left", running: false } : null;
  }

  /** What a side's clock shows: remaining time if a clock reports, else the time its moves took. */
  timeOf(side) {
    const playing = this.phase === "playing";
    if (this.clock) {
      const running = playing && this.clock.running === side;
      const left = this.clock[`${side}_ms`] - (running ? Math.max(0, this.now() - this.clock.t) : 0);
      return { ms: Math.max(0, left), what: this.clock.flag === side ? "flag" : "left", running };
    }
    let used = 0;
    let before = 0;
    for (const move of this.moves) {
      if (move.side === side) used += Math.max(0, move.complete_t - before);
      before = Math.max(before, move.complete_t);
    }
    const running = playing && this.position.turn === side;
    if (running) used += Math.max(0, this.now() - before);
    return { ms: used, what: "used", running };
  }

  #standAt(fen) {
    this.fen = fen;
    this.position = readFen(fen);
    this.turn = this.position.turn;
  }

  #anchor(t) {
    this.anchor = { t, heard: performance.now() };
  }
}
