import { ServerClock, TableLink, freshness, retryDelay, socketAddress } from "../../../tables/web/static/tables/protocol.js";
import { reduce } from "../../../tables/web/static/tables/reducer.js";
import { equal, ok } from "./check.js";

const BEGIN = Date.parse("2026-01-15T20:00:00Z");

// A world without a network: time moves when told to, sockets say what they are told.
export class World {
  clock = 0;
  timers = [];
  sockets = [];
  tickets = 0;
  location = { protocol: "https:", host: "house.test" };
  random = () => 0.5;
  reports = [];
  report = (error) => this.reports.push(error);
  now = () => this.clock;
  after = (ms, run) => this.timers.push({ at: this.clock + ms, run });
  every = (ms, run) => this.timers.push({ at: this.clock + ms, run, ms });
  cancel = () => {};
  fetchTicket = async () => `later-${(this.tickets += 1)}`;
  open = (address) => {
    const socket = { address, readyState: 1, sent: [], closed: false, send: (text) => socket.sent.push(JSON.parse(text)), close: () => (socket.closed = true) };
    this.sockets.push(socket);
    return socket;
  };

  async pass(ms) {
    const end = this.clock + ms;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers.splice(this.timers.indexOf(next), 1);
      this.clock = next.at;
      if (next.ms) this.timers.push({ ...next, at: next.at + next.ms });
      await next.run();
    }
    this.clock = end;
    await null;
  }

  time = (late_ms = 0) => new Date(BEGIN + this.clock - late_ms).toISOString();
}

async function linked(recording) {
  const world = new World();
  const state = reduce(null, { type: "snapshot", state: { ...recording.snapshot, server_time: world.time() } });
  const config = { socket_path: "/ws/v1/tables/7", ticket: "first", ticket_url: "/display/7/ticket" };
  const link = new TableLink({ config, reduce, state, onChange() {}, world });
  link.start();
  await world.pass(0);
  const say = (frame) => world.sockets.at(-1).onmessage({ data: JSON.stringify(frame) });
  const beat = (seq = link.state.seq, late_ms = 0) => say({ type: "heartbeat", seq, server_time: world.time(late_ms) });
  const hello = () => say({ type: "hello", server_time: world.time(), heartbeat_ms: 1000, you: { seat: null, role: "display" } });
  const snapshot = (seq) => say({ type: "snapshot", seq, state: { ...recording.snapshot, seq, server_time: world.time() } });
  const asked = () => world.sockets.at(-1).sent.at(-1);
  return { world, link, say, beat, hello, snapshot, asked };
}

async function toldToReload(recording, world_facts = {}) {
  const made = await linked(recording);
  Object.assign(made.world, world_facts);
  made.reloads = [];
  made.link.onReload = (why) => made.reloads.push(why);
  return made;
}

export function testsOf(recordings) {
  const recording = recordings["holdem_side_pots.json"];
  const { frames } = recording;
  const first = recording.snapshot.seq;
  return {
    "data is live for two seconds, lags to five, then is stale"() {
      equal([0, 2000, 2001, 5000, 5001].map(freshness), ["live", "live", "lag", "lag", "stale"]);
    },
    "retries come within half a second to eight, whatever the try"() {
      for (const tries of [0, 1, 3, 9, 500]) {
        for (const chance of [0, 0.5, 1]) {
          const delay = retryDelay(tries, () => chance);
          ok(delay >= 500 && delay <= 8000, `${tries} tries: ${delay}`);
        }
      }
    },
    "the address carries the ticket"() {
      equal(socketAddress("/ws/v1/tables/7", "a b", { protocol: "http:", host: "h:1" }), "ws://h:1/ws/v1/tables/7?ticket=a%20b");
    },
    "the least delayed sample tells the server's time"() {
      const clock = new ServerClock();
      clock.hear("2026-01-15T20:00:00.000Z", 1000);
      clock.hear("2026-01-15T20:00:01.000Z", 2400);
      equal(clock.at(3000), BEGIN + 2000);
    },
    async "it goes on from the page's snapshot"() {
      const { world, asked, hello } = await linked(recording);
      equal(world.sockets[0].address, "wss://house.test/ws/v1/tables/7?ticket=first");
      hello();
      equal(asked(), { type: "subscribe", from_seq: first });
    },
    async "openings are asked for once a connection, and handed on"() {
      const { link, say, hello, asked } = await linked(recording);
      const told = [];
      Object.assign(link, { onReply: (frame) => told.push(frame.type) });
      link.config = { ...link.config, openings: true };
      hello();
      equal(asked(), { type: "subscribe", from_seq: first, openings: true });
      link.subscribe();
      equal(asked(), { type: "subscribe" });
      say({ type: "openings", hand_id: 1, seq: first, openings: [] });
      equal(told, ["openings"]);
    },
    async "frames apply in order, and a frame twice applies once"() {
      const { link, say, hello } = await linked(recording);
      hello();
      say(frames[0]);
      say(frames[0]);
      say(frames[1]);
      equal([link.state.seq, link.state.hand.view.pot_minor], [first + 2, 4500]);
    },
    async "a gap is asked for and not guessed over"() {
      const { world, link, say, hello, asked } = await linked(recording);
      hello();
      await world.pass(1000);
      say(frames[2]);
      equal([link.state.seq, asked()], [first, { type: "subscribe", from_seq: first }]);
      equal(world.sockets[0].sent.length, 2);
      frames.slice(0, 3).forEach(say);
      equal(link.state.seq, first + 3);
    },
    async "a heartbeat that is ahead asks, after a moment, for what was lost"() {
      const { world, link, beat, hello } = await linked(recording);
      hello();
      await world.pass(1000);
      beat(first + 1);
      await world.pass(300);
      equal(world.sockets[0].sent.length, 2);
      ok(link.age_ms >= 1300, "being behind is not being live");
    },
    async "silence makes it stale, whatever the socket says"() {
      const { world, link, beat, hello } = await linked(recording);
      hello();
      beat();
      await world.pass(1900);
      equal(link.freshness, "live");
      await world.pass(2000);
      equal(link.freshness, "lag");
      await world.pass(2000);
      equal([link.freshness, world.sockets[0].closed], ["stale", true]);
    },
    async "heartbeats that come late do not make old data new"() {
      const { world, link, beat, hello } = await linked(recording);
      hello();
      for (let second = 0; second < 7; second += 1) {
        await world.pass(1000);
        beat(first, 1000 * second);
      }
      equal(link.freshness, "stale");
    },
    async "a display tells every ten seconds how old its picture was at the most, a player never"() {
      const { world, say, beat, hello, asked } = await linked(recording);
      hello();
      for (let second = 1; second <= 11; second += 1) {
        await world.pass(1000);
        if (second < 4 || second > 6) beat();
      }
      equal(asked(), { type: "ping", lag_ms: 4000 });
      for (let second = 1; second <= 10; second += 1) {
        await world.pass(1000);
        beat();
      }
      equal(asked(), { type: "ping", lag_ms: 1000 });
      const sent = world.sockets[0].sent.length;
      say({ type: "hello", server_time: world.time(), heartbeat_ms: 1000, you: { seat: 3, role: "player" } });
      await world.pass(3000);
      beat();
      for (let second = 1; second <= 10; second += 1) {
        await world.pass(1000);
        beat();
      }
      equal(world.sockets[0].sent.slice(sent).map(({ type }) => type), ["subscribe"]);
    },
    async "after a freeze the backlog is dropped and a snapshot taken"() {
      const { world, link, say, beat, hello, snapshot, asked } = await linked(recording);
      hello();
      beat();
      world.clock += 30000; // the page stood still: no timer ran
      beat(first + 1, 29000);
      equal(asked(), { type: "subscribe" });
      say(frames[0]);
      say(frames[1]);
      equal([link.state.seq, link.freshness], [first, "stale"]);
      snapshot(first + 9);
      equal([link.state.seq, link.freshness, link.resyncedAt], [first + 9, "live", world.clock]);
    },
    async "it comes back with a new ticket, for ever"() {
      const { world, link, hello, beat, snapshot, asked } = await linked(recording);
      hello();
      beat();
      world.sockets[0].onclose({ code: 4503 });
      await world.pass(60000);
      ok(world.sockets.length > 5 && link.tries > 5, "it keeps trying");
      equal(world.sockets[1].address, "wss://house.test/ws/v1/tables/7?ticket=later-1");
      while (!link.socket) await world.pass(250);
      hello();
      equal(asked(), { type: "subscribe" });
      snapshot(first + 2);
      equal([link.state.seq, link.freshness, link.tries], [first + 2, "live", 0]);
    },
    async "resync_required waits for the snapshot that follows"() {
      const { link, say, hello, snapshot } = await linked(recording);
      hello();
      say({ type: "resync_required", expected: first + 1, current: null });
      say(frames[0]);
      equal(link.state.seq, first);
      snapshot(first + 40);
      equal(link.state.seq, first + 40);
    },
    async "what it does not know makes it ask for a snapshot"() {
      const { world, say, hello, asked } = await linked(recording);
      hello();
      await world.pass(2100);
      say({ type: "heartbeat", seq: first, server_time: world.time() });
      say({ type: "events", seq: first + 1, prev: first, at: world.time(), events: [{ type: "elephant_seen", public: {} }] });
      equal(asked(), { type: "subscribe" });
    },
    async "a frame it cannot read costs a snapshot, not the table"() {
      const { world, link, say, beat, hello, snapshot, asked } = await linked(recording);
      hello();
      say(frames[0]);
      say({ ...frames[1], events: [{ type: "raised", public: { seat: 99 } }] });
      await world.pass(2100);
      beat();
      equal([world.reports.length, asked()], [1, { type: "subscribe" }]);
      snapshot(first + 2);
      equal([link.state.seq, link.state.unsure, link.freshness], [first + 2, undefined, "live"]);
    },
    async "a screen that was moved or shown out is told, or finds out when it asks for a ticket"() {
      const { say, hello, world, link, reloads } = await toldToReload(recordings["three_card_poker.json"], {
        fetchTicket: async () => { throw Object.assign(new Error("ticket refused"), { status: 403 }); },
      });
      hello();
      say({ type: "reload", why: "moved" });
      equal(reloads, ["moved"]);
      world.sockets.at(-1).onclose({ code: 4403 });
      await world.pass(2000);
      equal(reloads.slice(0, 2), ["moved", "refused"]);
      link.stop();
    },
    async "a page of another build knows that it is outdated, one of the same does not"() {
      const { say, world, link } = await toldToReload(recordings["three_card_poker.json"]);
      const hello = (build) => say({ type: "hello", server_time: world.time(), heartbeat_ms: 1000, you: { seat: null }, build });
      link.config.build = "one";
      hello("one");
      equal(link.outdated, false);
      hello("two");
      equal(link.outdated, true);
      link.stop();
    },
  };
}
