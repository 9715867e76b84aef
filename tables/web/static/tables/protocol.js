// The live link to a table: one WebSocket, frames in order, and an honest age.
//
// The age of the data is told by the server's own heartbeats, never by the socket's state: a
// frozen network leaves a socket open and silent. Data is current when a heartbeat whose time is
// recent says that we hold everything.

const STALE_MS = 5000;
const LAG_MS = 2000;
const RETRY_LEAST_MS = 500;
const RETRY_MOST_MS = 8000;
const GAP_GRACE_MS = 250;
const ASK_AGAIN_MS = 2000;
const TELL_LAG_MS = 10000;
const LAG_MOST_MS = 86400000;
const CLOCK_WINDOW_MS = 60000;

/** Our clock against the server's: the least delayed of the last minute's samples is the best. */
export class ServerClock {
  samples = [];

  hear(server_time, now) {
    const time = Date.parse(server_time);
    if (!Number.isFinite(time)) return;
    this.samples = this.samples.filter((one) => now - one.now < CLOCK_WINDOW_MS);
    this.samples.push({ now, offset: time - now });
  }

  restart() {
    this.samples = [];
  }

  get offset() {
    return this.samples.length ? Math.max(...this.samples.map((one) => one.offset)) : null;
  }

  /** Server time in ms, or null before anything was heard. */
  at(now) {
    return this.offset === null ? null : now + this.offset;
  }
}

export const freshness = (age_ms) => (age_ms > STALE_MS ? "stale" : age_ms > LAG_MS ? "lag" : "live");

export function retryDelay(tries, random = Math.random) {
  const most = Math.min(RETRY_MOST_MS, RETRY_LEAST_MS * 2 ** Math.min(tries, 10));
  return RETRY_LEAST_MS + random() * (most - RETRY_LEAST_MS);
}

export function socketAddress(path, ticket, location) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${path}?ticket=${encodeURIComponent(ticket)}`;
}

export class TableLink {
  /**
   * config: {socket_path, ticket, ticket_url}; reduce: (state, frame) -> state; state: the page's
   * snapshot; onChange() after anything a view may show; onReply(frame) for acks and refusals;
   * onReload(why) when this screen is another one by now, or none.
   */
  constructor({ config, reduce, state, onChange, onReply = () => {}, onReload = () => {}, world }) {
    Object.assign(this, { config, reduce, state, onChange, onReply, onReload, world });
    this.ticket = config.ticket;
    this.clock = new ServerClock();
    this.tries = 0;
    this.freshAt = world.now();
    this.heardAt = world.now();
    this.resyncedAt = null;
    this.awaiting = false; // a snapshot is asked for: what came before it is of no use
    this.askedAt = -Infinity;
    this.oldest_ms = 0;
    this.toldAt = world.now();
    if (state?.server_time) this.clock.hear(state.server_time, this.freshAt);
  }

  start() {
    this.connect();
    this.watch = this.world.every(500, () => this.look());
  }

  stop() {
    this.world.cancel(this.watch);
    this.world.cancel(this.retry);
    this.drop();
  }

  get age_ms() {
    return Math.max(0, this.world.now() - this.freshAt);
  }

  get freshness() {
    return freshness(this.age_ms);
  }

  serverNow() {
    return this.clock.at(this.world.now());
  }

  send(frame) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  async connect() {
    this.retry = null;
    const ticket = await this.freshTicket();
    if (ticket === null) {
      this.again();
      return;
    }
    const socket = this.world.open(socketAddress(this.config.socket_path, ticket, this.world.location));
    this.socket = socket;
    this.openedAt = this.world.now();
    socket.onmessage = ({ data }) => this.socket === socket && this.hear(JSON.parse(data));
    socket.onclose = ({ code }) => this.socket === socket && this.closed(code);
  }

  // A ticket opens one socket, once; the first comes with the page.
  async freshTicket() {
    const first = this.ticket;
    this.ticket = null;
    if (first) return first;
    try {
      return await this.world.fetchTicket(this.config.ticket_url);
    } catch (error) {
      this.trouble = String(error?.message ?? error);
      if (error?.status === 403) this.onReload("refused");
      return null;
    }
  }

  closed(code) {
    this.code = code;
    this.socket = null;
    this.again();
  }

  again() {
    if (this.retry) return;
    this.tries += 1;
    this.retry = this.world.after(retryDelay(this.tries, this.world.random), () => this.connect());
    this.onChange();
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  // Silence on an open socket is a dead line: leave it, and whatever it may still deliver.
  look() {
    const now = this.world.now();
    if (this.socket && now - Math.max(this.heardAt, this.openedAt) > STALE_MS) {
      this.drop();
      this.again();
    }
    this.tellLag(now);
    this.onChange();
  }

  // A display says how old its picture was at the most; the house keeps it by ten minutes.
  tellLag(now) {
    this.oldest_ms = Math.max(this.oldest_ms, this.age_ms);
    if (this.you?.role !== "display" || now - this.toldAt < TELL_LAG_MS) return;
    if (!this.send({ type: "ping", lag_ms: Math.min(LAG_MOST_MS, Math.round(this.oldest_ms)) })) return;
    this.toldAt = now;
    this.oldest_ms = 0;
  }

  subscribe(from_seq) {
    const now = this.world.now();
    this.askedAt = now;
    this.awaiting = from_seq === undefined;
    const wish = this.config.openings && this.wished !== this.socket ? { openings: true } : {};
    const isSaid = this.send(from_seq === undefined ? { type: "subscribe", ...wish } : { type: "subscribe", from_seq, ...wish });
    if (isSaid && wish.openings) this.wished = this.socket;
  }

  hear(frame) {
    const now = this.world.now();
    const frozen = now - this.heardAt > STALE_MS;
    this.heardAt = now;
    if (frame.server_time && frame.type === "hello") this.clock.restart();
    if (frame.server_time) this.clock.hear(frame.server_time, now);
    if (frame.type === "hello") this.hello(frame);
    else if (frozen) this.subscribe(); // a backlog follows: take the table as it stands instead
    else this.take(frame, now);
    this.onChange();
  }

  hello(frame) {
    this.you = frame.you;
    this.code = this.trouble = null;
    this.outdated = Boolean(this.config.build && frame.build && frame.build !== this.config.build);
    const current = this.freshness !== "stale" && Number.isInteger(this.state?.seq);
    this.subscribe(current ? this.state.seq : undefined);
  }

  take(frame, now) {
    switch (frame.type) {
      case "snapshot":
        this.snapshot(frame, now);
        break;
      case "events":
        if (!this.awaiting) this.events(frame, now);
        break;
      case "heartbeat":
        this.heartbeat(frame, now);
        break;
      case "resync_required": // a snapshot follows by itself
        this.awaiting = true;
        this.askedAt = now;
        break;
      case "reload":
        this.onReload(frame.why);
        break;
      case "ack":
      case "refused":
      case "seed_committed":
      case "seed_opened":
      case "seed_refused":
      case "standing":
      case "openings":
        this.onReply(frame);
    }
  }

  snapshot(frame, now) {
    if (this.late(frame.state.server_time, now)) {
      this.subscribe();
      return;
    }
    const wasStale = this.freshness === "stale";
    this.state = this.reduce(this.state, frame);
    this.awaiting = false;
    this.current(now, frame.state.server_time);
    if (wasStale) this.resyncedAt = now;
  }

  events(frame, now) {
    const held = this.state.seq;
    if (frame.seq <= held) return;
    if (frame.prev === held) {
      this.apply(frame, now);
    } else if (frame.prev < held) {
      this.subscribe();
    } else {
      this.gap(now);
    }
  }

  // A frame this page cannot read must not stop the table: the snapshot tells what it did.
  apply(frame, now) {
    try {
      this.state = this.reduce(this.state, frame);
    } catch (error) {
      this.world.report(error);
      this.state = { ...this.state, seq: frame.seq, unsure: ["unread"] };
    }
    if (this.state.unsure && now - this.askedAt > ASK_AGAIN_MS) this.subscribe();
  }

  heartbeat(frame, now) {
    if (this.awaiting || this.state.unsure) {
      if (now - this.askedAt > ASK_AGAIN_MS) this.subscribe();
      if (this.awaiting) return;
    }
    if (frame.seq > this.state.seq) {
      // The push may still be on its way.
      this.world.after(GAP_GRACE_MS, () => frame.seq > this.state.seq && this.gap(this.world.now()));
    } else if (!this.late(frame.server_time, now)) {
      this.current(now, frame.server_time);
    }
  }

  gap(now) {
    if (this.awaiting || now - this.askedAt < GAP_GRACE_MS * 2) return;
    this.subscribe(this.state.seq);
  }

  late(server_time, now) {
    const time = Date.parse(server_time);
    return Number.isFinite(time) && this.clock.at(now) - time > LAG_MS;
  }

  current(now, server_time) {
    const written = Date.parse(server_time) - this.clock.offset;
    this.freshAt = Math.max(this.freshAt, Number.isFinite(written) ? Math.min(now, written) : now);
    this.tries = 0;
  }
}

/** What the link needs of the browser; tests bring their own. */
export function browserWorld() {
  return {
    location,
    random: Math.random,
    report: (error) => console.error(error),
    now: () => performance.now(),
    after: (ms, run) => setTimeout(run, ms),
    every: (ms, run) => setInterval(run, ms),
    cancel: (timer) => {
      clearTimeout(timer);
      clearInterval(timer);
    },
    open: (address) => new WebSocket(address),
    async fetchTicket(address) {
      const crumb = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
      const answer = await fetch(address, {
        method: "POST",
        credentials: "same-origin",
        headers: crumb ? { "X-CSRFToken": decodeURIComponent(crumb[1]) } : {},
      });
      if (!answer.ok) throw Object.assign(new Error(`ticket refused: ${answer.status}`), { status: answer.status });
      return (await answer.json()).ticket;
    },
  };
}
