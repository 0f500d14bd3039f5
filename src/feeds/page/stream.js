// Follows the server's stream of events and comes back when it breaks.
//
// The stream begins with a snapshot, or, when the server still has everything since the last event seen,
// goes on after it. Nothing is missed and nothing seen twice; should it be, a snapshot is asked for.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
// The server shows a sign of life every 10 s.
const SILENCE_MS = 30_000;
// Until then a broken connection is a hiccup.
const LOST_AFTER_MS = 8_000;

/**
 * Follows the events under `base`.
 *
 * - `takeSnapshot(snapshot)`: forget what was, this is the state.
 * - `takeEvent(event)`: returns false if the event does not follow what is known.
 * - `tell(state, waitMs)`: `live`, `reconnecting` or `lost`, and how long until the next try (0: not said).
 */
export function follow(base, { takeSnapshot, takeEvent, tell }) {
  let source = null;
  let lastId = null;
  let tries = 0;
  let heardAt = performance.now();
  let brokenSince = null;
  let lost = false;
  let timer = null;

  function open() {
    clearTimeout(timer);
    timer = null;
    source?.close();
    heardAt = performance.now();
    const query = lastId ? `?last-event-id=${encodeURIComponent(lastId)}` : "";
    const opened = new EventSource(`${base}events${query}`);
    source = opened;
    // Whatever still comes from a source that was given up is not for us.
    const on = (name, action) => opened.addEventListener(name, (event) => opened === source && action(event));
    const heard = () => (heardAt = performance.now());
    on("open", () => {
      heard();
      tries = 0;
      brokenSince = null;
      tell("live", 0);
    });
    on("heartbeat", heard);
    on("snapshot", (event) => {
      heard();
      lastId = event.lastEventId;
      takeSnapshot(JSON.parse(event.data));
    });
    on("message", (event) => {
      heard();
      lastId = event.lastEventId;
      if (!takeEvent(JSON.parse(event.data))) {
        lastId = null;
        broken();
      }
    });
    on("error", broken);
  }

  function broken() {
    source?.close();
    source = null;
    brokenSince ??= performance.now();
    // Spread out, so that a hall full of phones does not come back at one moment.
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.75 + 0.5 * Math.random());
    tries += 1;
    lost = performance.now() - brokenSince >= LOST_AFTER_MS;
    tell(lost ? "lost" : "reconnecting", wait);
    clearTimeout(timer);
    timer = setTimeout(open, wait);
  }

  function tryNow() {
    if (timer !== null) open();
  }

  setInterval(() => {
    if (source && performance.now() - heardAt > SILENCE_MS) broken();
    else if (brokenSince !== null && !lost && performance.now() - brokenSince >= LOST_AFTER_MS) {
      lost = true;
      tell("lost", 0);
    }
  }, 1000);
  addEventListener("online", tryNow);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && tryNow());
  open();
}
