// Ed25519 signatures (RFC 8032, 5.1): by the browser where it can, else worked out here.

import { sha512 } from "./sha256.js";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const MASK = 2n ** 255n - 1n;

const mod = (number) => {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
};

function power(base, exponent) {
  let result = 1n;
  let square = mod(base);
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const D2 = (2n * D) % P;
const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);
const ZERO = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = ((y1 - x1) * (y2 - x2)) % P;
  const b = ((y1 + x1) * (y2 + x2)) % P;
  const c = (((t1 * t2) % P) * D2) % P;
  const d = (2n * z1 * z2) % P;
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

function double([x, y, z]) {
  const a = (x * x) % P;
  const b = (y * y) % P;
  const c = (2n * z * z) % P;
  const sum = x + y;
  const e = (sum * sum - a - b) % P;
  const g = b - a, f = g - c, h = -a - b;
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

function number(bytes) {
  let hex = "";
  for (let at = bytes.length - 1; at >= 0; at -= 1) hex += bytes[at].toString(16).padStart(2, "0");
  return BigInt(`0x${hex}`);
}

function pointOf(bytes) {
  const all = number(bytes);
  const y = all & MASK;
  const sign = all >> 255n;
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  const square = (u * power(v, P - 2n)) % P;
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square)) x = (x * ROOT_OF_MINUS_1) % P;
  if (mod(x * x - square) || (x === 0n && sign)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, (x * y) % P];
}

const same = ([x1, y1, z1], [x2, y2, z2]) => !mod(x1 * z2 - x2 * z1) && !mod(y1 * z2 - y2 * z1);

/** 0 to 15 times a point. */
function multiples(point) {
  const found = [ZERO, point];
  while (found.length < 16) found.push(add(found.at(-1), point));
  return found;
}

let baseMultiples = null;
const known = new Map(); // multiples of a key's negative: a hand's signatures are all of one key

function keyMultiples(key) {
  const name = key.join();
  if (!known.has(name)) {
    const point = pointOf(key);
    known.clear();
    known.set(name, point && multiples([P - point[0], point[1], 1n, P - point[3]]));
  }
  return known.get(name);
}

/** Whether a signature is of this key: R = S B - k A, four bits of both numbers at a time. */
export function holdsHere(key, message, signature) {
  baseMultiples ??= multiples(pointOf(Uint8Array.from({ length: 32 }, (_, at) => (at ? 0x66 : 0x58))));
  const minus = keyMultiples(key);
  const s = number(signature.subarray(32));
  if (!minus || s >= ORDER) return false;
  const hashed = new Uint8Array(64 + message.length);
  hashed.set(signature.subarray(0, 32));
  hashed.set(key, 32);
  hashed.set(message, 64);
  const k = number(sha512(hashed)) % ORDER;
  const [sDigits, kDigits] = [s, k].map((one) => one.toString(16).padStart(64, "0"));
  let total = ZERO;
  for (let at = 0; at < 64; at += 1) {
    if (at) total = double(double(double(double(total))));
    const [own, its] = [parseInt(sDigits[at], 16), parseInt(kDigits[at], 16)];
    if (own) total = add(total, baseMultiples[own]);
    if (its) total = add(total, minus[its]);
  }
  const r = pointOf(signature.subarray(0, 32));
  return r !== null && same(total, r);
}

/** A function like `holdsHere`, by the browser if it knows the curve. It may give a promise. */
export async function verifierOf(key, subtle = globalThis.crypto?.subtle) {
  try {
    const imported = await subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return { by: "browser", holds: (message, signature) => subtle.verify("Ed25519", imported, signature, message) };
  } catch {
    // No TLS, a browser that does not know the curve, or no point: worked out here, and told as false.
    return { by: "page", holds: (message, signature) => holdsHere(key, message, signature) };
  }
}
