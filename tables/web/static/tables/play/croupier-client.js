// A client of Croupier's public API: sign in, look, sit down, follow a table, act.
//
//   const croupier = new CroupierClient();
//   await croupier.signIn("player", "secret");
//   const { tables } = await croupier.tables({ free_seat: true });
//   await croupier.sit(tables[0].id, { buy_in_minor: 10000 });
//   const table = croupier.follow(tables[0].id, { onChange: (state) => draw(state) });
//   await table.act({ name: "call" });
//
// Requests that move money carry an Idempotency-Key and are sent again under the same key when
// the answer was lost. A followed table is kept whole by protocol.js: frames in order, gaps asked
// for, a fresh ticket for every connection.

import { TableLink, browserWorld } from "../protocol.js";
import { reduce } from "../reducer.js";
import { LiveProofs } from "../verify/live.js";
import { Seeds, isBarred } from "./seeds.js";
import { spotsOf } from "../spots.js";

const TRIES = 4;
const PAUSE_MS = 400;
const REPLACED = 4409;
const ANSWER_MS = 6000;
const AGAIN = new Set([0, 429, 502, 503, 504]); // 0: the answer, or the request, was lost

/** A refusal by the house: RFC 9457, with the rule's stable `code` and its facts. */
export class Problem extends Error {
  constructor(facts) {
    super(facts.detail ?? facts.title ?? facts.code);
    Object.assign(this, { facts, code: facts.code, status: facts.status });
  }
}

/** Random, also on pages that are not served securely (where randomUUID is missing). */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class CroupierClient {
  /** onSignedOut: the house does not know our token (any more). */
  constructor({ base = "", token = null, onSignedOut = () => {} } = {}) {
    Object.assign(this, { base, token, onSignedOut });
  }

  /** One request; lost answers and a busy house are tried again where that is safe. */
  async request(method, path, { body, query, key, isSafe = method === "GET" || Boolean(key) } = {}) {
    const asked = new URLSearchParams(Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== ""));
    const address = `${this.base}/api/v1/${path}${asked.size ? `?${asked}` : ""}`;
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(address, this.options(method, body, key));
      } catch (error) {
        if (error.status === 401 && this.token) this.forget();
        if (!isSafe || tries >= TRIES || !AGAIN.has(error.status)) throw error;
      }
      await pause(PAUSE_MS * 2 ** (tries - 1));
    }
  }

  /** {text, next}: an answer that is no JSON, and the path of the page after it. */
  async text(path) {
    const answer = await fetch(`${this.base}/api/v1/${path}`, this.options("GET"));
    if (!answer.ok) throw new Problem({ ...(await answer.json()), status: answer.status });
    const [, next = null] = /<(?:[^>]*\/api\/v1\/)?([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "") ?? [];
    return { text: await answer.text(), next };
  }

  options(method, body, key) {
    const headers = { Accept: "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    return { method, headers, credentials: "omit", body: body === undefined ? undefined : JSON.stringify(body) };
  }

  forget() {
    this.token = null;
    this.onSignedOut();
  }

  /** code: of the account's second factor, asked for by the refusal `factor_needed`. */
  async signIn(username, password, code = "") {
    this.token = null;
    const answer = await this.request("POST", "sign-in", { body: { username, password, code } });
    this.token = answer.token;
    return answer;
  }

  async signOut() {
    try {
      await this.request("POST", "sign-out");
    } finally {
      this.token = null;
    }
  }

  register = (facts) => this.request("POST", "registrations", { body: facts });
  me = () => this.request("GET", "me");
  tokens = () => this.request("GET", "tokens");
  endToken = (id) => this.request("DELETE", `tokens/${id}`, { isSafe: true });
  endOtherTokens = () => this.request("DELETE", "tokens", { isSafe: true });
  setPassword = (current, fresh) => this.request("PUT", "me/password", { body: { current, new: fresh } });
  factor = () => this.request("GET", "me/second-factor");
  factorBegin = (password) => this.request("POST", "me/second-factor", { body: { password } });
  factorConfirm = (code) => this.request("PUT", "me/second-factor", { body: { code } });
  factorDrop = (code) => this.request("DELETE", "me/second-factor", { query: { code } });
  data = () => this.request("GET", "me/data");
  closeAccount = () => this.request("POST", "wallet/close", { isSafe: true });
  games = () => this.request("GET", "games");
  tables = (query) => this.request("GET", "tables", { query });
  table = (id) => this.request("GET", `tables/${id}`);
  events = (id, query) => this.request("GET", `tables/${id}/events`, { query });
  wallet = () => this.request("GET", "wallet");
  statement = (query) => this.request("GET", "wallet/statement", { query });
  limits = () => this.request("GET", "wallet/limits");
  setLimit = (limit) => this.request("PUT", "wallet/limits", { body: limit, isSafe: true });
  coolOff = (hours) => this.request("POST", "wallet/cool-off", { body: { hours } });
  exclude = (months) => this.request("POST", "wallet/exclusion", { body: { months } });
  session = () => this.request("GET", "wallet/session");
  realityCheck = (every_s) => this.request("PUT", "wallet/reality-check", { body: { every_s }, isSafe: true });
  acknowledge = () => this.request("POST", "wallet/reality-check/acknowledge", { isSafe: true });
  hands = (query) => this.request("GET", "hands", { query });
  hand = (id) => this.request("GET", `hands/${id}`);
  /** All of one's own hands in a written form, a line of JSON each. */
  handsExport = async (format) => {
    const lines = [];
    for (let path = `hands/export?format=${format}&limit=200`; path; ) {
      const answer = await this.text(path);
      lines.push(answer.text);
      path = answer.next;
    }
    return lines.join("");
  };
  flag = (id) => this.request("POST", `hands/${id}/flag`, { body: {}, isSafe: true });
  proof = (id) => this.request("GET", `hands/${id}/proof`);

  // What moves money, or could: one key per intention, however often it has to be sent.
  sit = (id, { seat = null, buy_in_minor, invitation = "" }) => this.pay(`tables/${id}/seats`, { seat, buy_in_minor, ...(invitation ? { invitation } : {}) });
  topUp = (id, amount_minor) => this.pay(`tables/${id}/top-ups`, { amount_minor });
  tip = (id, amount_minor) => this.pay(`tables/${id}/tips`, { amount_minor });
  spots = (id, spots) => this.request("POST", `tables/${id}/spots`, { body: { spots }, isSafe: true });
  leave = (id) => this.pay(`tables/${id}/leave`, {});
  /** Play money, in a house that has a sandbox. */
  playMoney = (amount_minor) => this.pay("sandbox/deposits", { amount_minor });
  withdraw = (amount_minor, currency) => this.pay("wallet/withdrawals", { amount_minor, currency });
  pay = (path, body) => this.request("POST", path, { body, key: uuid() });

  /** at: nothing for now, "hand" when this hand is over, "big_blind" when it comes. */
  sitOut = (id, at) => this.request("POST", `tables/${id}/sit-out`, { body: at ? { at } : {}, isSafe: true });
  choose = (id, choices) => this.request("PATCH", `tables/${id}/seat`, { body: choices, isSafe: true });
  comeBack = (id) => this.request("POST", `tables/${id}/return`, { body: {}, isSafe: true });

  waiting = () => this.request("GET", "waiting");
  joinList = (id) => this.request("POST", `tables/${id}/waiting`, { body: {}, isSafe: true });
  leaveList = (id) => this.request("DELETE", `tables/${id}/waiting`, { isSafe: true });
  reserve = (id, seat) => this.request("POST", `tables/${id}/reservations`, { body: { seat }, isSafe: true });
  changeSeat = (id, seat) => this.request("POST", `tables/${id}/seat-change`, { body: { seat }, isSafe: true });
  transfer = (id, to_table) => this.pay(`tables/${id}/transfer`, { to_table });

  ticket = (id, role = "player") => this.request("POST", `tables/${id}/tickets`, { body: { role }, isSafe: true });

  /** Follow a table. onFrame(frame, state) is told what happened, onChange(table) that something may look different. */
  follow(id, listeners) {
    return new FollowedTable(this, id, listeners);
  }
}

async function once(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    throw new Problem({ code: "no_answer", status: 0, detail: String(error?.message ?? error) });
  }
  if (answer.status === 204) return null;
  const told = await answer.json().catch(() => ({ code: "no_answer", detail: answer.statusText }));
  if (!answer.ok) throw new Problem({ ...told, status: answer.status });
  return told;
}

/** One table with its socket: `state` as in protocol.md, kept current. */
export class FollowedTable {
  constructor(client, id, { onChange = () => {}, onFrame = () => {}, onReplaced = () => {}, onReceipt = () => {} } = {}) {
    Object.assign(this, { client, id, onChange, onFrame, onReplaced, standing: null });
    this.proofs = null; // what checks each card, once that is asked for
    this.pending = new Map(); // what we sent and have no answer to, by action_id
    this.link = null;
    this.seeds = new Seeds((message) => this.link?.send(message) ?? false, undefined, onReceipt);
  }

  /** Raises a Problem when there is no such table. */
  async open() {
    const state = reduce(null, { type: "snapshot", state: await this.client.table(this.id) });
    if (this.closed) return this;
    this.link = new TableLink({
      config: { socket_path: `/ws/v1/tables/${this.id}` },
      state,
      reduce: (former, frame) => this.reduced(former, frame),
      onChange: () => this.changed(),
      onReply: (frame) => this.answered(frame),
      world: { ...browserWorld(), fetchTicket: async () => (await this.client.ticket(this.id)).ticket },
    });
    this.link.start();
    return this;
  }

  close() {
    this.closed = true;
    this.link?.stop();
  }

  get state() {
    return this.link?.state ?? null;
  }

  get replaced() {
    return this.link?.code === REPLACED;
  }

  /** The seat this player was dealt in this hand, or null. */
  get mine() {
    return this.state?.hand ? this.state.you?.dealt_as ?? null : null;
  }

  /** The open window: of the hand in play, or of the choice of the next game. */
  get turn() {
    return (this.state?.hand ?? this.state?.choice)?.turn ?? null;
  }

  /** What may be done now; [] when nothing is asked of us. */
  get legal() {
    const { turn, state } = this;
    return turn && state.you?.legal_turn === turn.turn_id ? state.you.legal_actions : [];
  }

  /** Whether a decision of ours is open. */
  get asked() {
    const { turn } = this;
    if (turn && !this.state.hand) return this.state.choice.waiting.includes(this.state.you?.seat);
    if (!turn || this.mine === null) return false;
    const { view } = this.state.hand;
    if (turn.window === "betting") return view.window === "betting";
    return spotsOf(this.state, view, this.mine).some((seat) => view.waiting.includes(seat));
  }

  reduced(former, frame) {
    this.proofs?.take(frame);
    const state = reduce(former, frame);
    this.onFrame(frame, state);
    return state;
  }

  changed() {
    if (this.closed) return;
    if (this.replaced && !this.told) {
      this.told = true;
      this.link.stop(); // two windows that take the seat from each other would never end
      this.onReplaced();
    }
    if (this.link && this.link.socket !== this.line) {
      this.line = this.link.socket;
      if (this.line) this.seeds.reconnected();
    }
    if (this.link && !this.replaced) this.seeds.consider(this.state, this.link.serverNow());
    // The ranges of a decision come with a snapshot, once per decision.
    if (this.link && this.asked && this.state.you.legal_turn !== this.turn.turn_id) this.refresh();
    this.onChange(this);
  }

  /** From here on each card is opened as it is shown and checked here; `proofs.found` says how that went. */
  checkCards() {
    if (this.proofs) return;
    this.proofs = new LiveProofs(this.id);
    this.link.config.openings = true;
    if (this.link.socket?.readyState === 1) this.link.subscribe(); // else with the next connection
    this.onChange(this);
  }

  refresh() {
    const { link } = this;
    if (link.socket?.readyState === 1 && !link.awaiting) link.subscribe();
  }

  /** Play here again, after another window has taken over. */
  takeBack() {
    this.told = false;
    this.link.code = null;
    this.link.start();
  }

  /** Resolves once the house has written the action; raises a Problem when it refuses. */
  async act(action, turn_id = this.turn.turn_id) {
    const action_id = uuid();
    const sent = { action_id, turn_id, action };
    const answer = new Promise((resolve, reject) => this.pending.set(action_id, { resolve, reject }));
    answer.catch(() => {}); // it may come after we have stopped waiting for it
    try {
      if (this.link.send({ type: "act", ...sent })) {
        const late = pause(ANSWER_MS).then(() => null);
        const first = await Promise.race([answer, late]);
        if (first) return first;
      }
      // The socket has gone, or is silent: the very same action by REST counts once.
      return await this.client.request("POST", `tables/${this.id}/actions`, { body: sent, isSafe: true });
    } catch (error) {
      this.learn(error.facts);
      throw error;
    } finally {
      this.pending.delete(action_id);
    }
  }

  // A refusal says what is legal now.
  learn(facts) {
    const { state } = this;
    if (!facts?.legal_actions || facts.turn_id !== this.turn?.turn_id) return;
    this.link.state = { ...state, you: { ...state.you, legal_actions: facts.legal_actions, legal_turn: facts.turn_id } };
  }

  /** Until when no seed of ours is taken; null if they are. */
  get seedsBarredUntil() {
    return isBarred(this.state, this.link?.serverNow()) ? this.state.you.seeds_barred_until : null;
  }

  barSeeds(seeds_barred_until) {
    const { state } = this;
    if (!state?.you || (state.you.seeds_barred_until ?? null) === seeds_barred_until) return;
    this.link.state = { ...state, you: { ...state.you, seeds_barred_until } };
    this.onChange(this);
  }

  answered(frame) {
    if (frame.type === "standing") {
      this.standing = frame;
      this.barSeeds(frame.seeds_barred_until ?? null);
      return;
    }
    if (frame.type.startsWith("seed_")) {
      this.seeds.answered(frame);
      if (frame.problem?.code === "seed_barred") this.barSeeds(frame.problem.until);
      return;
    }
    if (frame.type === "openings") {
      if (this.proofs?.take(frame)) this.onChange(this);
      return;
    }
    const sent = this.pending.get(frame.action_id);
    if (!sent) return;
    if (frame.type === "ack") sent.resolve({ seq: frame.seq, replayed: frame.replayed ?? false });
    else sent.reject(new Problem(frame.problem));
  }
}
