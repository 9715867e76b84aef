// Hands over a line that drops, repeats and reorders.
//
// After each recording the screen must hold what the house's public view holds, and in between it
// may never hold a frame twice or out of order.

import { TableLink } from "../../../tables/web/static/tables/protocol.js";
import { reduce } from "../../../tables/web/static/tables/reducer.js";
import { World } from "./protocol.js";
import { told } from "./reducer.js";

/** mulberry32: the same faults every time. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const sorted = (value) => JSON.stringify(value, (_, one) =>
  one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one);

// A game with a modifier is named when its hand is opened, not by the view.
const alike = ({ game: _game, ...view }) => told(view);

// What else a display draws from: as the house's own snapshot of that moment tells it.
const DRAWN = ["seats", "specials", "dealer", "floor_calls", "choice"];

function differs(state, last) {
  const faults = DRAWN.filter((part) => sorted(state[part] ?? null) !== sorted(last[part] ?? null))
    .map((part) => `${part}: ${sorted(state[part] ?? null)}\n instead ${sorted(last[part] ?? null)}`);
  for (const of of ["id", "number"]) {
    const [mine, theirs] = [state, last].map((one) => (one.hand ?? one.last_hand)?.[of]);
    if (mine !== theirs) faults.push(`hand ${of}: ${mine} instead ${theirs}`);
  }
  return faults;
}

async function watched({ snapshot, frames, views, last }, random) {
  const world = new World();
  const found = { repaired: 0, wrong: [] };
  const held = [];
  let sent = 0;
  const head = () => (sent ? frames[sent - 1].seq : snapshot.seq);
  const link = new TableLink({
    config: { socket_path: "/ws", ticket: "first", ticket_url: "/t" }, world,
    reduce(state, frame) {
      if (frame.type === "events") held.push(frame.seq);
      return reduce(state, frame);
    },
    state: reduce(null, { type: "snapshot", state: { ...snapshot, server_time: world.time() } }),
    onChange() {},
  });
  link.start();
  await world.pass(0);
  const socket = world.sockets.at(-1);
  const say = (frame) => socket.onmessage({ data: JSON.stringify(frame) });
  // What the server answers to; a snapshot is never needed, because it holds every frame.
  let answered = 0;
  const answer = () => {
    for (; answered < socket.sent.length; answered += 1) {
      const asked = socket.sent[answered];
      if (asked.type !== "subscribe" || asked.from_seq === undefined) continue;
      if (asked.from_seq < head()) found.repaired += 1;
      for (const frame of frames.slice(0, sent)) if (frame.seq > asked.from_seq) say(frame);
    }
  };
  say({ type: "hello", server_time: world.time(), heartbeat_ms: 1000, you: { seat: null } });
  answer();
  let late = [];
  for (const frame of frames) {
    sent += 1;
    if (random() < 0.15) late.push(frame);
    else if (random() >= 0.15) say(frame); // else it is lost
    if (random() < 0.05) say(frame);
    if (late.length && random() < 0.5) {
      for (const one of late.sort(() => random() - 0.5)) say(one);
      late = [];
    }
    await world.pass(200 + random() * 400);
    answer();
    if (random() < 0.4) say({ type: "heartbeat", seq: head(), server_time: world.time() });
    await world.pass(300);
    answer();
  }
  for (let beat = 0; beat < 4; beat += 1) {
    say({ type: "heartbeat", seq: head(), server_time: world.time() });
    await world.pass(1000);
    answer();
  }
  link.stop();
  const { state } = link;
  if (state.unsure) found.wrong.push(`unknown events: ${state.unsure}`);
  if (world.reports.length) found.wrong.push(`could not read: ${world.reports[0].stack.slice(0, 300)}`);
  if (held.some((seq, at) => at && seq !== held[at - 1] + 1)) found.wrong.push(`out of order: ${held}`);
  if (last) found.wrong.push(...differs(state, last));
  const view = (state.hand ?? state.last_hand)?.view;
  const shown = last ? (last.hand ?? last.last_hand)?.view : views.at(-1);
  if (state.seq !== head()) found.wrong.push(`stands at ${state.seq}, not ${head()}`);
  else if (!view || sorted(alike(view)) !== sorted(alike(shown))) found.wrong.push(`shows ${view && sorted(told(view))}\n instead ${sorted(told(shown))}`);
  return found;
}

/** What came of recordings told so: {hands, events, repaired, wrong}. */
export async function lossy(recordings) {
  const random = chance(9);
  const sum = { hands: 0, events: 0, repaired: 0, wrong: [] };
  for (const [name, recording] of Object.entries(recordings)) {
    const { repaired, wrong } = await watched(recording, random);
    sum.hands += 1;
    sum.events += recording.frames.reduce((events, frame) => events + frame.events.length, 0);
    sum.repaired += repaired;
    sum.wrong.push(...wrong.map((one) => `${name}: ${one}`));
  }
  return sum;
}
