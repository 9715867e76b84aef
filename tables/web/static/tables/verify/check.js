// What a hand's proof shows, step by step: the same checks as verify_hand.py, from the same page
// (docs/fairness.md, its sections in brackets), without the house.

import { verifierOf } from "./ed25519.js";
import { sha256 } from "./sha256.js";

const FORMATS = ["croupier-proof-1", "croupier-proof-2", "croupier-proof-3"];
const SALT_LEAST = 16;
const WITHHELD = "withheld";
const WITHHELD_MOST = 2;
const FACES = 6;
const WORDS = { purpose: ["deal", "reshuffle", "dice"], mode: ["players", "house", "certified", "scripted"] };
const FIRST_CARD = { 36: 16, 52: 0, 53: 0, 54: 0 };

export const STEPS = [
  "form", "key", "signatures", "numbering", "lists", "seeds", "ends", "joined", "decks", "openings", "order", "cut", "cards", "dice",
];

// Form

const maybe = (shape) => ({ maybe: shape });
const HEX = "hex32";
const SIGNED = "hex64";
const SALT = "hex16+";
const LIST = { commitments: [HEX], at: "whole", signature: SIGNED };
const END = { end: "text", reason: "text", root: "whole?", joined: `${HEX}?`, at: "whole", signature: SIGNED };
const ROOT = { number: "whole", root: HEX, previous: HEX, signature: SIGNED };
const CUT = {
  number: "whole", purpose: "text", mode: "text", kind: "kind", contents: maybe(["whole"]), roots: [ROOT],
  list: maybe(LIST), seeds: [`${HEX}?`], opened_at: ["whole?"], end: maybe(END),
  full: [{ number: "whole", cards: ["whole"], salts: [SALT] }],
};
const OPENING = {
  cut: "whole", root: "whole", position: "whole", slot: "whole", card: "whole", salt: SALT, proof: [["side", HEX]],
  seq: "whole", to: "text",
};
const RECEIPT = { cut: "whole", root: HEX, commitment: HEX, at: "whole", signature: SIGNED, opened_at: "whole?", opened_signature: `${SIGNED}?` };
const { full: _, ...LISTED } = CUT;
const PAGE = { cuts: [{ ...LISTED, hand: "whole?" }], ends: {}, next: "whole?" };
const BUNDLE = {
  format: "text", table: "whole", hand: "whole", hand_number: "whole", family: "text", status: "text", viewer: "whole?",
  public_key: HEX, reveal_ms: "whole", cuts: [CUT], openings: [OPENING], receipts: [RECEIPT],
};
// What a bundle of the third format has besides.
const DEALT = { seats: ["whole"], button: "whole?", dealt: [{ seq: "whole", cut: "whole", first: "whole", to: ["whole?"], how: "text" }] };

const isObject = (one) => typeof one === "object" && one !== null && !Array.isArray(one);

function misfits(found, wanted, where) {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || (wanted.length > 1 && wanted.length !== found.length)) return [where];
    return found.flatMap((one, at) => misfits(one, wanted.length > 1 ? wanted[at] : wanted[0], `${where}[${at}]`));
  }
  if (isObject(wanted)) {
    if ("maybe" in wanted) return found === null ? [] : misfits(found, wanted.maybe, where);
    if (!isObject(found)) return [where];
    return Object.entries(wanted).flatMap(([name, kind]) => (Object.hasOwn(found, name) ? misfits(found[name], kind, `${where}.${name}`) : [`${where}.${name}`]));
  }
  return isOf(found, wanted) ? [] : [where];
}

function isOf(found, kind) {
  if (kind.endsWith("?")) return found === null || isOf(found, kind.slice(0, -1));
  if (kind === "whole") return Number.isSafeInteger(found) && found >= 0;
  if (typeof found !== "string") return false;
  if (kind === "text") return true;
  if (kind === "side") return found === "left" || found === "right";
  if (kind === "kind") return /^(0|[1-9]\d{0,2})\+(0|[1-9]\d{0,2})$/.test(found) && found.split("+").every((one) => Number(one) <= 255);
  if (!/^[0-9a-f]*$/.test(found)) return false;
  if (kind === SALT) return found.length >= 2 * SALT_LEAST && found.length % 2 === 0;
  return found.length === 2 * Number(kind.slice(3));
}

// Streams, commitments and cuts [2 to 6]

const ascii = new TextEncoder();

const nibble = (code) => (code < 58 ? code - 48 : code - 87); // digits, then a to f
const HEX_OF = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, "0"));

export function bytes(text) {
  const out = new Uint8Array(text.length / 2);
  for (let at = 0; at < out.length; at += 1) out[at] = (nibble(text.charCodeAt(2 * at)) << 4) | nibble(text.charCodeAt(2 * at + 1));
  return out;
}

export function hex(data) {
  let text = "";
  for (const one of data) text += HEX_OF[one];
  return text;
}

function joinedBytes(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const label = (text) => ascii.encode(`${text}\0`);

export function* stream(name, seed) {
  const start = joinedBytes(label(name), seed);
  for (let block = 0; ; block += 1) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setUint32(4, block);
    yield* sha256(joinedBytes(start, counter));
  }
}

export function uniform(most, source) {
  const size = most <= 256 ? 1 : 2;
  const values = 256 ** size;
  for (;;) {
    let value = 0;
    for (let at = 0; at < size; at += 1) value = value * 256 + source.next().value;
    if (value < values - (values % most)) return value % most;
  }
}

const range = (count, from = 0) => Array.from({ length: count }, (_, at) => from + at);

export function shuffled(count, source) {
  const order = range(count);
  for (let place = count - 1; place > 0; place -= 1) {
    const other = uniform(place + 1, source);
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
}

const LEAF = label("\0croupier/leaf/1");

export const leaf = (hand, slot, card, salt) => sha256(joinedBytes(LEAF, label(hand), [slot, card], salt));

const pair = new Uint8Array(65);
pair[0] = 1;

function node(left, right) {
  pair.set(left, 1);
  pair.set(right, 33);
  return sha256(pair);
}

export function rootOf(leaves) {
  let level = leaves;
  while (level.length > 1) {
    const above = [];
    for (let at = 0; at < level.length; at += 2) above.push(at + 1 < level.length ? node(level[at], level[at + 1]) : level[at]);
    level = above;
  }
  return level[0];
}

/** On which side the siblings of a slot stand, from the leaf up [4]. */
const span = (at, size, count) => `${at * size}-${Math.min((at + 1) * size, count)}`;

/** From a slot up to the root: the side of each sibling, it, and the node above both, by the slots under them. */
function way(slot, count) {
  const found = [];
  for (let at = slot, width = count, size = 1; width > 1; at = Math.floor(at / 2), width = Math.ceil(width / 2), size *= 2) {
    const sibling = at % 2 ? at - 1 : at + 1;
    if (sibling < width) found.push([at % 2 ? "left" : "right", span(sibling, size, count), span(Math.floor(at / 2), 2 * size, count)]);
  }
  return found;
}

export const sides = (slot, count) => way(slot, count).map(([side]) => side);

export const seedCommitment = (seed) => sha256(joinedBytes(label("croupier/seed/1"), seed));

export function joinedSeed(roots, seeds) {
  const counted = [seeds.length >> 8, seeds.length & 255];
  return sha256(joinedBytes(label("croupier/joined/1"), [roots.length], ...roots, counted, ...seeds));
}

// What a cut says

const counts = (cut) => cut.kind.split("+").map(Number);
const commitments = (cut) => cut.list?.commitments ?? [];
const opened = (cut) => cut.seeds.filter((seed) => seed !== null).map(bytes);
const dealtRoot = (cut) => cut.end?.root ?? null;
const isDealt = (cut) => cut.end?.end === "dealt";
const rootBytes = (cut) => cut.roots.map(({ root }) => bytes(root));

/** The slot of each card's position, and the players' part of each die. */
export function cutOf(cut) {
  const [cards, dice] = counts(cut);
  const seeds = opened(cut);
  if (!seeds.length) return { order: range(cards), added: Array(dice).fill(0) };
  const joined = joinedSeed(rootBytes(cut), seeds);
  const rolled = stream("croupier/die/1", joined);
  return { order: shuffled(cards, stream("croupier/cut/1", joined)), added: Array.from({ length: dice }, () => uniform(FACES, rolled)) };
}

class Report {
  checked = Object.fromEntries([...STEPS, "table"].map((step) => [step, 0]));
  problems = [];
  by = "";
  signatures_ms = 0;

  wrong(step, code, facts) {
    this.problems.push({ step, code, facts });
  }

  check(step, holds, code, facts) {
    this.checked[step] += 1;
    if (!holds) this.wrong(step, code, facts);
    return holds;
  }
}

/**
 * Every step for one bundle, as a report {checked, problems, by, signatures_ms}.
 * key: the house's as it was published, if it is known. subtle: the browser's cryptography.
 */
export async function verify(bundle, key = "", subtle = globalThis.crypto?.subtle) {
  const report = new Report();
  for (const where of formMisfits(bundle)) report.wrong("form", "misfit", { where });
  if (report.problems.length) return report;
  report.check("form", FORMATS.includes(bundle.format), "other_format", { found: bundle.format });
  for (const cut of bundle.cuts) kindsFit(cut, report);
  if (report.problems.length) return report;
  if (key) report.check("key", bundle.public_key === key.toLowerCase(), "other_key", { found: bundle.public_key });
  const began = performance.now();
  await checkSignatures(bundle, report, subtle);
  report.signatures_ms = performance.now() - began;
  checkNumbering(bundle.cuts, report);
  checkLists(bundle, report);
  checkSeeds(bundle, report);
  checkEnds(bundle, report);
  for (const cut of bundle.cuts) {
    checkJoined(cut, report);
    checkDecks(bundle, cut, report);
  }
  checkOpenings(bundle, report);
  if (tellsOrder(bundle)) checkOrder(bundle, report);
  checkCards(bundle, report);
  return report;
}

function formMisfits(bundle) {
  const found = misfits(bundle, BUNDLE, "bundle");
  return found.length || !tellsOrder(bundle) ? found : misfits(bundle, DEALT, "bundle");
}

/** Bundles of the first two formats do not say what was dealt to whom. */
const tellsOrder = ({ format }) => format === FORMATS[2];

/** Sizes that every later step relies on. */
function kindsFit(cut, report) {
  const [cards, dice] = counts(cut);
  const slots = cards + dice;
  const about = { cut: cut.number };
  report.check("form", slots >= 1 && slots <= 255, "no_deck", about);
  report.check("form", cut.roots.length >= 1 && cut.roots.length <= 255, "no_roots", about);
  for (const [field, known] of Object.entries(WORDS)) report.check("form", known.includes(cut[field]), "unknown_word", { ...about, found: cut[field] });
  if (cut.end) {
    const { end, root, reason } = cut.end;
    const whole = ["dealt", "void"].includes(end) && (root !== null) === isDealt(cut) && (reason === "-") === (isDealt(cut) && cut.mode !== "scripted");
    report.check("form", whole, "odd_end", about);
  }
  if (cut.contents === null) {
    report.check("form", cut.purpose === "reshuffle", "no_contents", about);
  } else {
    const first = FIRST_CARD[cards];
    const rising = cut.contents.every((card, at) => card <= 255 && (!at || cut.contents[at - 1] < card));
    const due = first === undefined || cut.contents.every((card, at) => card === first + at);
    report.check("form", cut.contents.length === cards && rising && due && cut.purpose !== "reshuffle", "odd_contents", about);
  }
  for (const full of cut.full) {
    const fits = full.cards.length === slots && full.salts.length === slots && full.cards.every((card) => card <= 255);
    report.check("form", fits, "odd_deck", { ...about, root: full.number });
  }
}

/** A bundle with those of the receipts kept elsewhere that are of its cuts and signed by its key. */
export async function withReceipts(bundle, kept, subtle = globalThis.crypto?.subtle) {
  if (misfits(bundle, BUNDLE, "bundle").length || misfits(kept, [RECEIPT], "kept").length) return bundle;
  const { holds } = await verifierOf(bytes(bundle.public_key), subtle);
  const cuts = new Set(bundle.cuts.map(({ number }) => number));
  const own = new Set(bundle.receipts.map(canonical));
  const fresh = [];
  for (const receipt of kept) {
    if (!cuts.has(receipt.cut) || own.has(canonical(receipt))) continue;
    const signed = await Promise.all(signedFor(receipt, 0).map((job) => holds(signedText(bundle.table, job), bytes(job.signature))));
    if (signed.every(Boolean)) fresh.push(receipt);
  }
  return { ...bundle, receipts: [...bundle.receipts, ...fresh] };
}

async function checkSignatures(bundle, report, subtle) {
  const { by, holds } = await verifierOf(bytes(bundle.public_key), subtle);
  report.by = by;
  const jobs = bundle.cuts.flatMap((cut) => signedIn(cut, bundle.hand));
  bundle.receipts.forEach((receipt, place) => jobs.push(...signedFor(receipt, place)));
  await checkSigned(bundle.table, jobs, holds, report, "signatures");
}

/** Has each signature checked, all of them at once where that is possible. */
async function checkSigned(table, jobs, holds, report, step) {
  const answers = jobs.map((job) => holds(signedText(table, job), bytes(job.signature)));
  for (const [at, { what, cut, number }] of jobs.entries()) report.check(step, await answers[at], "bad_signature", { what, cut, number });
}

const signedText = (table, { what, cut, fields }) => ascii.encode([`croupier/${what}/1`, table, cut, ...fields].join(" "));

/** What the house has signed of a cut. */
function signedIn({ number: cut, kind, roots, list, end }, hand) {
  const [first] = roots;
  const together = roots.length > 1 && roots.every(({ signature }) => signature === first.signature);
  const signed = (what, { number, previous, signature }, hashes) => ({ what, cut, number, fields: [number, kind, previous, ...hashes], signature });
  // Each by itself: a deck alone, or the way of the first format.
  const jobs = together ? [signed("roots", first, roots.map(({ root }) => root))] : roots.map((one) => signed("root", one, [one.root]));
  if (list) jobs.push({ what: "list", cut, number: 0, fields: [hand ?? "None", list.at, list.commitments.length, ...list.commitments], signature: list.signature });
  if (end) jobs.push({ what: "end", cut, number: 0, fields: [end.end, end.reason, end.root ?? "-", end.joined ?? "-", end.at], signature: end.signature });
  return jobs;
}

function signedFor(receipt, number) {
  const { cut } = receipt;
  const jobs = [{ what: "receipt", cut, number, fields: [receipt.root, receipt.commitment, receipt.at], signature: receipt.signature }];
  if (receipt.opened_at !== null) jobs.push({ what: "opened", cut, number, fields: [receipt.commitment, receipt.opened_at], signature: receipt.opened_signature ?? "0".repeat(128) });
  return jobs;
}

function checkNumbering(cuts, report) {
  let before = 0;
  const known = new Map();
  const roots = new Set();
  for (const cut of cuts) {
    report.check("numbering", cut.number > before, "cuts_out_of_order", { cut: cut.number, after: before });
    before = cut.number;
    let last = cut.roots[0].number - 1;
    for (const { number, root } of cut.roots) {
      const about = { cut: cut.number, root: number };
      report.check("numbering", number === last + 1, "root_gap", { ...about, after: last });
      report.check("numbering", !known.has(number), "two_roots", about);
      report.check("numbering", !roots.has(root), "root_again", about);
      last = number;
      known.set(number, root);
      roots.add(root);
    }
  }
  for (const cut of cuts) {
    for (const { number, previous } of cut.roots) {
      const due = number === 1 ? "0".repeat(64) : known.get(number - 1) ?? previous;
      report.check("numbering", previous === due, "wrong_previous", { cut: cut.number, root: number });
    }
  }
}

function checkLists(bundle, report) {
  const known = new Map(bundle.cuts.map((cut) => [cut.number, cut]));
  for (const cut of bundle.cuts) {
    const about = { cut: cut.number };
    const given = commitments(cut);
    given.forEach((commitment, place) => report.check("lists", given.indexOf(commitment) === place, "commitment_twice", { ...about, place }));
    if (!cut.list) {
      report.check("lists", !cut.seeds.length, "seeds_without_list", about);
      continue;
    }
    cut.opened_at.forEach((at, place) => report.check("lists", at === null || at >= cut.list.at, "opened_before_list", { ...about, place }));
  }
  bundle.receipts.forEach((receipt, place) => {
    const about = { cut: receipt.cut, receipt: place };
    const listed = known.get(receipt.cut);
    if (!report.check("lists", listed !== undefined, "receipt_of_unknown_cut", about)) return;
    report.check("lists", receipt.root === listed.roots.at(-1).root, "receipt_of_other_roots", about);
    if (!listed.list) {
      report.check("lists", !isDealt(listed), "receipt_not_listed", about);
      return;
    }
    report.check("lists", commitments(listed).includes(receipt.commitment), "receipt_not_listed", about);
    report.check("lists", receipt.at <= listed.list.at, "receipt_after_list", about);
    report.check("lists", receipt.opened_at === null || receipt.opened_at >= listed.list.at, "list_after_opening", about);
  });
}

function checkSeeds(bundle, report) {
  for (const cut of bundle.cuts) {
    const about = { cut: cut.number };
    const given = commitments(cut);
    const windowOpen = !cut.end && !cut.seeds.length;
    const paired = cut.seeds.length === cut.opened_at.length && cut.seeds.every((seed, at) => (seed === null) === (cut.opened_at[at] === null));
    if (!report.check("seeds", paired && (windowOpen || cut.seeds.length === given.length), "seeds_missing", about)) continue;
    cut.seeds.forEach((seed, place) => {
      if (seed !== null) report.check("seeds", hex(seedCommitment(bytes(seed))) === given[place], "seed_not_committed", { ...about, place });
    });
    bundle.receipts.forEach((receipt, place) => {
      const at = given.indexOf(receipt.commitment);
      if (receipt.cut !== cut.number || receipt.opened_at === null || !cut.seeds.length || at < 0) return;
      report.check("seeds", cut.seeds[at] !== null, "opened_seed_left_out", { ...about, receipt: place });
    });
  }
}

/** Whether the hand was played to its end. */
export const isOver = (bundle) => ["finished", "settled"].includes(bundle.status);

function checkEnds(bundle, report) {
  const over = isOver(bundle);
  let voids = 0;
  let deals = 0;
  bundle.cuts.forEach((cut, at) => {
    const { purpose } = cut;
    const about = { cut: cut.number };
    if (!cut.end) {
      report.check("ends", bundle.status !== "settled", "not_ended", about);
      return;
    }
    const missing = cut.seeds.includes(null);
    if (isDealt(cut)) {
      report.check("ends", !missing || voids === WITHHELD_MOST, "dealt_without_a_seed", about);
      if (purpose === "deal") deals += 1;
    } else if (cut.end.reason === WITHHELD) {
      report.check("ends", missing, "nothing_withheld", about);
      voids += 1;
      report.check("ends", voids <= WITHHELD_MOST, "too_many_voids", { ...about, voids });
      const followed = bundle.cuts.slice(at + 1).some((later) => later.purpose === purpose);
      report.check("ends", followed || !over, "not_followed", about);
    } else if (cut.list) {
      const again = bundle.cuts.slice(at + 1).some((later) => later.purpose === purpose && isDealt(later));
      report.check("ends", !again, "redrawn", { ...about, reason: cut.end.reason });
    }
  });
  const noBets = bundle.family === "banked" && !bundle.cuts.length && !bundle.openings.length;
  report.check("ends", (deals === 1 || !over || noBets) && deals <= 1, "not_one_deal", { deals });
}

function checkJoined(cut, report) {
  const about = { cut: cut.number };
  const roots = rootBytes(cut);
  const seeds = opened(cut);
  if (cut.mode === "scripted") report.check("joined", false, "scripted", about);
  const alone = cut.mode === "certified" || cut.mode === "scripted";
  const single = alone || cut.purpose === "reshuffle" || counts(cut)[0] === 0;
  report.check("joined", !single || roots.length === 1, "not_one_root", about);
  if (alone) report.check("joined", !cut.list && !seeds.length, "seeds_in_certified", about);
  if (!cut.end) return;
  const due = seeds.length ? joinedSeed(roots, seeds) : null;
  const said = cut.end.joined;
  report.check("joined", said === (due && hex(due)) || (said === null && !isDealt(cut)), "joined_differs", about);
  if (!isDealt(cut)) return;
  const { number } = cut.roots[due ? uniform(roots.length, stream("croupier/deck/1", due)) : 0];
  report.check("joined", dealtRoot(cut) === number, "other_deck", { due: number, ...about });
  report.check("joined", (cut.mode !== "players") === !seeds.length, "mode_differs", about);
}

function checkDecks(bundle, cut, report) {
  const [cards] = counts(cut);
  const known = cut.purpose === "reshuffle" || cards === 0 || cards in FIRST_CARD;
  report.check("decks", known, "no_such_deck", { cut: cut.number, cards });
  const every = new Map(cut.roots.map(({ number, root }) => [number, root]));
  const dealt = dealtRoot(cut);
  const voidedRound = bundle.family === "banked" && bundle.status === "voided";
  const shown = new Set(cut.full.map(({ number }) => number));
  for (const root of every.keys()) {
    const due = cut.end && cut.purpose !== "reshuffle" && (voidedRound || root !== dealt);
    const about = { cut: cut.number, root };
    if (due) report.check("decks", shown.has(root), "deck_not_opened", about);
    else report.check("decks", !shown.has(root), "deck_opened_too_much", about);
  }
  for (const full of cut.full) {
    const about = { cut: cut.number, root: full.number };
    if (!report.check("decks", every.has(full.number), "deck_of_unknown_root", about)) continue;
    const hand = `${bundle.table}/${full.number}`;
    const leaves = full.cards.map((card, slot) => leaf(hand, slot, card, bytes(full.salts[slot])));
    report.check("decks", hex(rootOf(leaves)) === every.get(full.number), "deck_is_another", about);
    if (cut.contents !== null) {
      const found = full.cards.slice(0, cards).sort((one, two) => one - two);
      report.check("decks", found.every((card, at) => card === cut.contents[at]), "deck_not_complete", about);
    }
    report.check("decks", full.cards.slice(cards).every((value) => value < FACES), "no_die", about);
  }
}

/** Each shown card's proof, its place in the cut, and each die's face. */
function checkOpenings(bundle, report) {
  const known = new Map(bundle.cuts.map((cut) => [cut.number, cut]));
  const [orders, nodes] = [new Map(), new Map()];
  bundle.openings.forEach((opening, at) => {
    const { slot, position, card } = opening;
    const about = { opening: at, cut: opening.cut, position };
    const cut = known.get(opening.cut);
    const root = cut?.roots.findLast(({ number }) => number === opening.root);
    if (!report.check("openings", root !== undefined, "opening_of_unknown_root", about)) return;
    report.check("openings", dealtRoot(cut) === opening.root, "deck_was_not_dealt", about);
    const [cards, dice] = counts(cut);
    const fits = slot < cards + dice && position < cards + dice && card <= 255;
    if (!report.check("openings", fits, "no_such_place", about)) return;
    if (!nodes.has(root.number)) nodes.set(root.number, new Map());
    proofHolds(bundle, cut, opening, root.root, nodes.get(root.number), about, report);
    if (!orders.has(cut.number)) orders.set(cut.number, cutOf(cut));
    const { order, added } = orders.get(cut.number);
    const due = position < cards ? order[position] : position;
    report.check("cut", due === slot, "wrong_slot", { due, ...about });
    if (slot < cards) {
      const inDeck = cut.contents === null || cut.contents.includes(card);
      report.check("openings", inDeck && !("face" in opening), "not_in_deck", about);
    } else {
      const face = 1 + ((card + added[slot - cards]) % FACES);
      report.check("dice", card < FACES && opening.face === face, "wrong_face", { due: face, ...about });
    }
  });
}

/** Places of a deck are dealt one after the other, each to whom it is due. */
function checkOrder(bundle, report) {
  const known = new Map(bundle.cuts.map((cut) => [cut.number, cut]));
  const [due, holders] = [new Map(), new Map()];
  let before = 0;
  bundle.dealt.forEach((dealt, at) => {
    const { cut: number, first, to, how, seq } = dealt;
    const about = { cut: number, dealt: at };
    const cut = known.get(number);
    const sound = cut !== undefined && isDealt(cut) && cut.purpose !== "reshuffle" && ["up", "down"].includes(how);
    if (!report.check("order", sound, "dealt_from_no_deck", about)) return;
    const [cards, dice] = counts(cut);
    const rolled = first >= cards;
    const next = due.get(`${number} ${rolled}`) ?? (rolled ? cards : 0);
    const mayBurn = bundle.family === "poker" && !rolled && next > 0;
    const follows = first === next || (mayBurn && first === next + 1);
    const fits = follows && to.length > 0 && first + to.length <= (rolled ? cards + dice : cards);
    report.check("order", fits, "left_out", { ...about, due: next, first });
    due.set(`${number} ${rolled}`, first + to.length);
    // More than a deck holds is wrong already, and would take long to look through.
    report.check("order", seq >= before && (!fits || inTheirTurn(to, bundle.family, bundle.button)), "out_of_turn", about);
    before = seq;
    to.forEach((seat, nth) => settles(holders, `${number} ${first + nth}`, { number, position: first + nth, dealt, seat }));
  });
  const shown = new Set();
  const reshuffles = new Set(bundle.cuts.filter(({ purpose }) => purpose === "reshuffle").map(({ number }) => number));
  bundle.openings.forEach(({ cut, position, seq, to }, at) => {
    const about = { cut, opening: at, position };
    shown.add(`${cut} ${position}`);
    if (reshuffles.has(cut)) return;
    const held = holders.get(`${cut} ${position}`);
    if (!report.check("order", held !== undefined, "never_dealt", about)) return;
    const { dealt, seat } = held;
    report.check("order", dealt.how === "up" ? seq === dealt.seq : seq >= dealt.seq, "shown_at_another_time", about);
    if (dealt.how === "down" && seq === dealt.seq && to === "you") report.check("order", bundle.seats.includes(seat), "of_another_seat", about);
  });
  for (const [place, { number, position, dealt, seat }] of holders) {
    if (dealt.how === "up" || bundle.seats.includes(seat)) report.check("order", shown.has(place), "not_opened", { cut: number, position });
  }
}

/** Card by card from the button's left, or from the lowest seat; against the house and with dice each may get all of his at once. */
function inTheirTurn(to, family, button) {
  const order = [...new Set(to)];
  const counted = order.map((seat) => to.filter((one) => one === seat).length);
  const byCard = range(Math.max(0, ...counted)).flatMap((turn) => order.filter((_, nth) => counted[nth] > turn));
  const atOnce = order.flatMap((seat, nth) => Array(counted[nth]).fill(seat));
  const seats = order.filter((seat) => seat !== null);
  const begins = family === "poker" ? button ?? 0 : family === "bluff" && seats.length ? seats[0] - 1 : 0;
  const rising = [...seats].sort((one, two) => one - two);
  const due = [...rising.filter((seat) => seat > begins), ...rising.filter((seat) => seat <= begins), ...(order.includes(null) ? [null] : [])];
  const same = (one) => to.every((seat, at) => seat === one[at]);
  return (same(byCard) || (family !== "poker" && same(atOnce))) && order.every((seat, at) => seat === due[at]);
}

/** The cards of a deck whose contents are not secret, in ascending order. */
export function contentsOf(kind) {
  const cards = Number(kind.split("+")[0]);
  return range(cards).map((card) => card + (FIRST_CARD[cards] ?? 0));
}

/** What is wrong with the openings of a hand as far as it has come: [] if each holds. Cuts have number, kind, roots, seeds and end. */
export function shownHold(shown) {
  const report = new Report();
  checkOpenings(shown, report);
  checkCards(shown, report);
  return report.problems;
}

/** The proof leads to the root, or to a node that an opening before it has shown; what a good one shows is added. */
function proofHolds(bundle, cut, { root: number, slot, card, salt, proof }, root, shown, about, report) {
  const [cards, dice] = counts(cut);
  const due = way(slot, cards + dice);
  const fits = proof.length <= due.length && proof.every(([side], at) => side === due[at][0]);
  report.check("openings", fits, "proof_of_another_place", about);
  let [here, at] = [span(slot, 1, cards + dice), leaf(`${bundle.table}/${number}`, slot, card, bytes(salt))];
  const passed = new Map([[here, hex(at)]]);
  if (fits) {
    proof.forEach(([side, sibling], nth) => {
      at = side === "right" ? node(at, bytes(sibling)) : node(bytes(sibling), at);
      [, , here] = due[nth];
      passed.set(due[nth][1], sibling).set(here, hex(at));
    });
  }
  const end = proof.length < due.length ? shown.get(here) : root;
  if (report.check("openings", fits && hex(at) === end, "proof_fails", about)) for (const [place, found] of passed) shown.set(place, found);
}

/** Puts the value there unless one is; whether that which is there now is the value. */
function settles(map, key, value) {
  if (!map.has(key)) map.set(key, value);
  return map.get(key) === value;
}

function checkCards({ cuts, openings }, report, step = "cards", more = {}) {
  const cardsOf = new Map(cuts.map((cut) => [cut.number, counts(cut)[0]]));
  const reshuffles = new Set(cuts.filter(({ purpose }) => purpose === "reshuffle").map(({ number }) => number));
  const [inSlot, ofCard, firstSeq] = [new Map(), new Map(), new Map()];
  const isCard = ({ cut, slot }) => slot < (cardsOf.get(cut) ?? 0);
  for (const { cut, seq } of openings) firstSeq.set(cut, Math.min(seq, firstSeq.get(cut) ?? seq));
  openings.forEach((opening, at) => {
    const { cut, root, slot, card, seq } = opening;
    const about = { opening: at, cut, card, ...more };
    report.check(step, settles(inSlot, `${root} ${slot}`, card), "slot_twice", about);
    if (!isCard(opening)) return;
    let once = settles(ofCard, `${root} ${card}`, slot);
    for (const later of openings) {
      if (later.cut > cut && later.card === card && isCard(later)) once &&= reshuffles.has(later.cut) && seq < firstSeq.get(later.cut);
    }
    report.check(step, once, "card_twice", about);
  });
  saltsDiffer([{ cuts, openings }], report, step, more);
}

function saltsDiffer(bundles, report, step, more = {}) {
  const salts = new Map();
  const look = (salt, root, slot) => report.check(step, settles(salts, salt, `${root} ${slot}`), "salt_again", { root, slot, ...more });
  for (const { cuts, openings } of bundles) {
    for (const { salt, root, slot } of openings) look(salt, root, slot);
    for (const { full } of cuts) for (const deck of full) deck.salts.forEach((salt, slot) => look(salt, deck.number, slot));
  }
}

// Many bundles of one table

const canonical = (one) => JSON.stringify(one, (_, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value));
const ascending = (all) => [...new Set(all)].sort((one, two) => one - two);

/** Whether JSON is a page of a table's cuts, as the house tells everybody. */
export const isPage = (found) => misfits(found, PAGE, "page").length === 0;

/**
 * What several sound bundles say together: views of one hand, and hands of one table.
 * listed: cuts of that table as the house tells everybody, which no hand of the bundles used.
 */
export async function verifyTogether(bundles, listed = [], subtle = globalThis.crypto?.subtle) {
  const report = new Report();
  const tables = ascending(bundles.map((bundle) => bundle.table));
  const several = listed.length > 0 && tables.length > 1;
  if (several) report.wrong("table", "cuts_of_which_table", { tables: tables.length });
  const others = several ? [] : listed;
  const deals = new Map();
  for (const table of tables) {
    const own = bundles.filter((bundle) => bundle.table === table);
    const { holds } = await verifierOf(bytes(own[0].public_key), subtle);
    await checkSigned(table, others.flatMap((cut) => signedIn(cut, cut.hand)), holds, report, "table");
    agree(table, [...own.flatMap(({ cuts, hand }) => cuts.map((cut) => ({ ...cut, hand }))), ...others], report);
    for (const hand of ascending(own.map((bundle) => bundle.hand))) {
      const views = own.filter((bundle) => bundle.hand === hand);
      for (const dealt of views.flatMap((view) => (tellsOrder(view) ? view.dealt : []))) {
        const { cut, first } = dealt;
        report.check("table", settles(deals, `${hand} ${cut} ${first}`, canonical(dealt)), "two_deals", { hand, cut, first });
      }
      checkCards({ cuts: views[0].cuts, openings: views.flatMap(({ openings }) => openings) }, report, "table", { hand });
    }
    saltsDiffer(own, report, "table");
  }
  return report;
}

/** One history of cuts and roots, whoever was told of it. Cuts have their hand, null for one that waits for it or was void before any. */
function agree(table, cuts, report) {
  const seen = new Map();
  const hands = new Map();
  const roots = new Map();
  const codes = { list: "two_lists", end: "two_ends", seeds: "two_seeds" };
  for (const cut of cuts) {
    if (cut.hand !== null) report.check("table", settles(hands, cut.number, cut.hand), "two_hands", { cut: cut.number, table });
    for (const [field, code] of Object.entries(codes)) {
      if (cut[field] === null || cut[field].length === 0) continue;
      report.check("table", settles(seen, `${cut.number} ${field}`, canonical(cut[field])), code, { cut: cut.number, table });
    }
    for (const root of cut.roots) {
      if (!roots.has(root.number)) roots.set(root.number, root);
      report.check("table", roots.get(root.number).root === root.root, "two_roots", { root: root.number, table });
    }
  }
  const numbers = ascending(roots.keys());
  const named = new Map();
  for (let number = numbers[0]; number <= numbers.at(-1); number += 1) {
    const about = { root: number, table };
    if (!report.check("table", roots.has(number), "root_missing", about)) continue;
    const { root, previous } = roots.get(number);
    report.check("table", settles(named, root, number), "root_again", about);
    if (roots.has(number - 1)) report.check("table", previous === roots.get(number - 1).root, "wrong_previous", about);
  }
}
