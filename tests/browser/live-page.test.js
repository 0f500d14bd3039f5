// The live page in a real browser, against `draughtsd demo`, and `draughtsd run` where it needs a configuration.
//
// Run by `.ci/run`, not by `cargo test`: it needs Chromium. Settings, as environment variables:
// - DRAUGHTSD: the program (default `target/release/draughtsd`);
// - CHROMIUM: the browser (default `/usr/bin/chromium`);
// - SHOTS: where screenshots go (default `shots` beside this file).

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import Ajv from "ajv/dist/2020.js";
import { chromium } from "playwright-core";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = process.env.DRAUGHTSD ?? here("../../target/release/draughtsd");
const SHOTS = process.env.SHOTS ?? here("shots");
// Nothing but the page may go to the network: no first run, no updates, no sync.
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PATIENCE_MS = 20_000;

let browser;
const running = new Set();

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
});

after(async () => {
  for (const demo of running) demo.child.kill("SIGKILL");
  await browser?.close();
});

/** Starts a demo; resolves with its address once it has said it. */
const startDemo = (...args) => start(["demo", ...args]);

async function start(args, options = {}) {
  const child = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "inherit"], ...options });
  const demo = { child, ended: new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal }))) };
  running.add(demo);
  demo.ended.then(() => running.delete(demo));
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([new Promise((resolve) => lines.once("line", resolve)), demo.ended]);
  assert.match(String(first), /^http:\/\/127\.0\.0\.1:\d+\/$/, "the first line is the address");
  demo.url = first;
  demo.port = new URL(first).port;
  return demo;
}

/** Ends a demo as a service manager would; it has to go in peace. */
async function stopDemo(demo) {
  demo.child.kill("SIGTERM");
  assert.deepEqual(await demo.ended, { code: 0, signal: null });
}

/** Opens the page and watches what it asks for and what it complains of. */
async function openPage(url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(PATIENCE_MS);
  const seen = { requests: [], complaints: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && seen.complaints.push(message.text()));
  await page.goto(url);
  return { page, seen };
}

const movesShown = (page) => page.locator("#moves button[data-ply]:not([data-ply=''])");

async function waitForMoves(page, count) {
  await movesShown(page).nth(count - 1).waitFor();
}

/** What the page shows, in the words of the snapshot. */
function readPage() {
  const root = document.documentElement.dataset;
  const shown = { epoch: Number(root.epoch), seq: Number(root.seq) };
  const squares = [...document.querySelectorAll("[data-square]")];
  const where = (test) => squares.filter((square) => test(square.dataset)).map((square) => Number(square.dataset.square)).sort((a, b) => a - b);
  shown.white = where(({ piece }) => piece.startsWith("white"));
  shown.black = where(({ piece }) => piece.startsWith("black"));
  shown.kings = where(({ piece }) => piece.endsWith("king"));
  shown.lifted = where(({ disc }) => disc === "lifted");
  shown.set_down = where(({ disc }) => disc === "set-down");
  shown.to_remove = where(({ disc }) => disc === "to-remove");
  shown.moves = [...document.querySelectorAll("#moves button")]
    .filter((button) => button.dataset.ply)
    .map((button) => `${button.dataset.ply} ${button.textContent} ${button.className}`);
  shown.toMove = ["white", "black"].filter((side) => !document.querySelector(`#${side} .to-move`).hidden);
  return shown;
}

/** The same of a snapshot. */
function readSnapshot(snapshot) {
  const { epoch, seq, white, black, kings, lifted, set_down, to_remove, moves, turn, phase } = snapshot;
  return {
    epoch, seq, white, black, kings, lifted, set_down, to_remove,
    moves: moves.map((move) => `${move.ply} ${move.text} ${move.status}`),
    toMove: phase === "playing" ? [turn] : [],
  };
}

/** Compares page and snapshot at one and the same event. */
async function assertPageIsSnapshot(page, url) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const before = await page.evaluate(readPage);
    const snapshot = await (await fetch(`${url}api/v1/game`)).json();
    if (before.seq !== snapshot.seq || before.epoch !== snapshot.epoch) continue;
    assert.deepEqual(before, readSnapshot(snapshot));
    return;
  }
  assert.fail("page and snapshot were never at the same event");
}

async function assertAllOnOneScreen(page, what) {
  const excess = await page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    const outside = [...document.querySelectorAll("#board, .player, .status, .clock, .tools, .connection, .tools button")]
      .filter((node) => {
        const box = node.getBoundingClientRect();
        return box.left < -0.5 || box.top < -0.5 || box.right > clientWidth + 0.5 || box.bottom > clientHeight + 0.5;
      })
      .map((node) => node.id || node.className);
    return { wide: scrollWidth - clientWidth, high: scrollHeight - clientHeight, outside, moves: document.getElementById("moves").clientHeight };
  });
  assert.deepEqual({ ...excess, moves: excess.moves > 40 }, { wide: 0, high: 0, outside: [], moves: true }, what);
}

/** Reads a stream of events to its end: name and data of each. */
async function* readStream(url) {
  let rest = "";
  for await (const bytes of (await fetch(url)).body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + bytes).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      yield { id: field("id"), name: field("event"), data: JSON.parse(field("data")) };
    }
  }
}

test("what is served is as the schemas say", async () => {
  // `strict` would also refuse conditions that name a key required elsewhere.
  const ajv = new Ajv({ allErrors: true, strict: false });
  const schema = (name) => JSON.parse(readFileSync(here(`../../docs/schema/${name}.schema.json`)));
  ajv.addSchema(schema("event"), "event.schema.json").addSchema(schema("snapshot"), "snapshot.schema.json");
  const check = (name, document) => assert.ok(ajv.validate(`${name}.schema.json`, document), `${ajv.errorsText()}: ${JSON.stringify(document)}`);

  const demo = await startDemo("--speed", "200", "--port", "0", "--board", "brazilian", "--exit-at-end");
  const kinds = new Map();
  let seq = null;
  for await (const { id, name, data } of readStream(`${demo.url}api/v1/events`)) {
    check(name === "snapshot" ? "snapshot" : "event", data);
    if (name === undefined) assert.equal(data.seq, seq + 1, "no gaps");
    assert.equal(id, `${data.epoch}-${data.seq}`);
    seq = data.seq;
    kinds.set(data.kind, (kinds.get(data.kind) ?? 0) + 1);
  }
  for (const kind of ["snapshot", "contact", "move", "press", "clock", "result", "recording-ended"]) assert.ok(kinds.get(kind), kind);
  assert.throws(() => check("event", { kind: "move" }), "the schema can refuse");
  assert.deepEqual(await demo.ended, { code: 0, signal: null });
});

test("the page follows the game and shows what the snapshot says", async () => {
  const demo = await startDemo("--speed", "10", "--port", "0");
  const { page, seen } = await openPage(demo.url);
  for (let moves = 1; moves <= 30; moves += 1) {
    await waitForMoves(page, moves);
    await assertPageIsSnapshot(page, demo.url);
  }
  assert.equal(await page.locator("#connection").textContent(), "Live");
  assert.match(await page.title(), /–/);
  assert.equal(await page.locator("[data-square]").count(), 50);
  assert.match(await page.locator("#white .time").textContent(), /^\d+:\d\d$/);
  assert.match(await page.locator("#board").getAttribute("aria-label"), /^Board\. White: men /);

  const origin = new URL(demo.url).origin;
  assert.deepEqual(seen.requests.filter((url) => new URL(url).origin !== origin), [], "nothing is fetched from elsewhere");
  assert.deepEqual(seen.complaints, []);
  await page.close();
  await stopDemo(demo);
});

test("clocks count down between reports, one at a time", async () => {
  const demo = await startDemo("--speed", "20", "--port", "0");
  const { page } = await openPage(demo.url);
  await waitForMoves(page, 2);
  const readings = await page.evaluate(async () => {
    const read = () => ["white", "black"].map((side) => document.querySelector(`#${side} .time`).textContent);
    const seen = new Set([read().join(" ")]);
    for (let i = 0; i < 30; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      seen.add(read().join(" "));
    }
    return { distinct: seen.size, running: document.querySelectorAll(".player.running").length };
  });
  assert.ok(readings.distinct > 5, `${readings.distinct} different readings in 1.5 s at twenty times the speed of life`);
  assert.equal(readings.running, 1);
  await page.close();
  await stopDemo(demo);
});

test("a server that was restarted is found again", async () => {
  const demo = await startDemo("--speed", "10", "--port", "0");
  const { page } = await openPage(demo.url);
  await waitForMoves(page, 6);
  const epoch = await page.evaluate(() => document.documentElement.dataset.epoch);
  await stopDemo(demo);
  await page.locator("html[data-connection=reconnecting], html[data-connection=lost]").waitFor({ state: "attached" });
  assert.match(await page.locator("#connection").textContent(), /Reconnecting|lost/);
  assert.equal(await movesShown(page).count() >= 6, true, "what was known stays visible");

  const again = await startDemo("--speed", "10", "--port", demo.port, "--seed", "2");
  assert.equal(again.url, demo.url, "the port is free again");
  await page.waitForFunction((old) => document.documentElement.dataset.epoch !== old, epoch);
  await page.locator("html[data-connection=live]").waitFor({ state: "attached" });
  await waitForMoves(page, 3);
  await assertPageIsSnapshot(page, again.url);
  await page.close();
  await stopDemo(again);
});

test("a long absence is called a lost connection", async () => {
  const demo = await startDemo("--speed", "10", "--port", "0");
  const { page } = await openPage(demo.url);
  await waitForMoves(page, 2);
  await stopDemo(demo);
  await page.locator("html[data-connection=lost]").waitFor({ state: "attached" });
  assert.match(await page.locator("#connection").textContent(), /^Connection lost/);
  await page.screenshot({ path: `${SHOTS}/lost.png` });
  await page.close();
});

test("the game can be looked through while it goes on", async () => {
  const demo = await startDemo("--speed", "10", "--port", "0");
  const { page } = await openPage(demo.url);
  await waitForMoves(page, 6);
  await page.keyboard.press("Home");
  await page.locator(".status.past").waitFor();
  const start = await page.evaluate(readPage);
  assert.equal(start.white.length, 20);
  assert.deepEqual([start.lifted, start.set_down, start.to_remove], [[], [], []]);
  await page.keyboard.press("ArrowRight");
  const snapshot = await (await fetch(`${demo.url}api/v1/game`)).json();
  await page.locator(`#moves [aria-current][data-ply="1"]`).waitFor();
  const first = await page.evaluate(readPage);
  assert.ok(first.white.includes(snapshot.moves[0].to) && !first.white.includes(snapshot.moves[0].from));
  await waitForMoves(page, 10);
  assert.equal(await page.locator(`#moves [aria-current]`).getAttribute("data-ply"), "1", "new moves do not lead away");
  await page.locator(`#moves [data-ply="3"]`).click();
  await page.locator(`#moves [aria-current][data-ply="3"]`).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".status:not(.past)").waitFor();
  await assertPageIsSnapshot(page, demo.url);
  await page.close();
  await stopDemo(demo);
});

test("a game on 64 squares is shown to its end", async () => {
  const demo = await startDemo("--speed", "60", "--port", "0", "--board", "russian");
  const { page } = await openPage(demo.url);
  await page.locator("#status", { hasText: "2-0" }).waitFor();
  await assertPageIsSnapshot(page, demo.url);
  assert.equal(await page.locator("[data-square]").count(), 32);
  assert.match(await page.locator("#status").textContent(), /White wins: Black/);
  assert.equal(await page.locator(".player.running").count(), 0, "no clock runs any more");
  const pdn = await (await fetch(`${demo.url}games.pdn`)).text();
  assert.match(pdn, /\[Result "1-0"\]/);
  await page.screenshot({ path: `${SHOTS}/ended.png` });
  await page.close();
  await stopDemo(demo);
});

test("everything is on one screen, light and dark, on phones and on a desk", async () => {
  const demo = await startDemo("--speed", "10", "--port", "0");
  const screens = { small: [360, 640], phone: [390, 844], lying: [844, 390], tablet: [820, 1180], desk: [1280, 800], wall: [1920, 1080] };
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, [width, height]] of Object.entries(screens)) {
      const { page, seen } = await openPage(demo.url, { viewport: { width, height }, colorScheme });
      await waitForMoves(page, 6);
      await assertAllOnOneScreen(page, `${name} ${colorScheme}`);
      await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png` });
      assert.deepEqual(seen.complaints, []);
      await page.close();
    }
  }
  await stopDemo(demo);
});

test("a demo that is to exit at the end does", async () => {
  const demo = await startDemo("--speed", "1000", "--port", "0", "--board", "brazilian", "--exit-at-end");
  assert.deepEqual(await demo.ended, { code: 0, signal: null });
});

test("a page that is behind says by how much and shows nothing early", async () => {
  const folder = mkdtempSync(join(tmpdir(), "draughtsd-"));
  writeFileSync(join(folder, "board.toml"), `
    [board]
    source = "simulated"
    game = "russian"
    [public]
    listen = "127.0.0.1:0"
    delay-min = 60
    [private]
    listen = "127.0.0.1:0"
    [log]
    level = "error"
    [simulated]
    speed = 20
  `);
  const daemon = await start(["run", "--config", "board.toml"], { cwd: folder });
  const { page, seen } = await openPage(daemon.url);
  await page.locator("#connection", { hasText: "Live, 60 min behind" }).waitFor();
  assert.equal(await movesShown(page).count(), 0);
  assert.equal(await page.locator("#status").textContent(), "Waiting for the game to begin");
  assert.deepEqual(seen.complaints, []);
  await page.close();
  await stopDemo(daemon);
  rmSync(folder, { recursive: true });
});
