// SHA-256 and SHA-512 (FIPS 180-4) of bytes. The browser's own are missing on pages without TLS, and
// asking them for a thousand small hashes takes longer than working them out here.

const ROOTS = 80;

// Fractional parts of square and cube roots of primes, in 64 bits: where both hashes' constants come from.
function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

function fraction(prime, power) {
  const wanted = BigInt(prime) << BigInt(64 * power);
  let low = 0n;
  let high = 1n << 70n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= wanted) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}

const CUBES = primes(ROOTS).map((prime) => fraction(prime, 3));
const SQUARES = primes(8).map((prime) => fraction(prime, 2));
const high32 = (number) => Number(number >> 32n) | 0;
const low32 = (number) => Number(number & 0xffffffffn) | 0;

const K = Int32Array.from(CUBES.slice(0, 64), high32);
const START = Int32Array.from(SQUARES, high32);
const W = new Int32Array(64);

/** Bytes with the closing bit and their length, in whole blocks. */
function padded(bytes, block, lengthBytes) {
  const size = Math.ceil((bytes.length + 1 + lengthBytes) / block) * block;
  const out = new Uint8Array(size);
  out.set(bytes);
  out[bytes.length] = 0x80;
  new DataView(out.buffer).setUint32(size - 4, bytes.length * 8);
  return out;
}

/** 32 bytes. */
export function sha256(bytes) {
  const data = padded(bytes, 64, 8);
  let [h0, h1, h2, h3, h4, h5, h6, h7] = START;
  for (let at = 0; at < data.length; at += 64) {
    for (let t = 0; t < 16; t += 1) {
      const i = at + 4 * t;
      W[t] = (data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3];
    }
    for (let t = 16; t < 64; t += 1) {
      const x = W[t - 15];
      const y = W[t - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      W[t] = (W[t - 16] + s0 + W[t - 7] + s1) | 0;
    }
    let a = h0, b = h1, c = h2, d = h3, e = h4, f = h5, g = h6, h = h7;
    for (let t = 0; t < 64; t += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + W[t]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    h0 = (h0 + a) | 0; h1 = (h1 + b) | 0; h2 = (h2 + c) | 0; h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0; h5 = (h5 + f) | 0; h6 = (h6 + g) | 0; h7 = (h7 + h) | 0;
  }
  const out = new Uint8Array(32);
  const view = new DataView(out.buffer);
  [h0, h1, h2, h3, h4, h5, h6, h7].forEach((word, at) => view.setInt32(4 * at, word));
  return out;
}

const K_HIGH = Int32Array.from(CUBES, high32);
const K_LOW = Int32Array.from(CUBES, low32);
const HIGH = new Int32Array(ROOTS);
const LOW = new Int32Array(ROOTS);

/** 64 bytes. Words are kept as two halves; sums carry by hand. */
export function sha512(bytes) {
  const data = new DataView(padded(bytes, 128, 16).buffer);
  const high = Int32Array.from(SQUARES, high32);
  const low = Int32Array.from(SQUARES, low32);
  const a = new Int32Array(8);
  const b = new Int32Array(8);
  for (let at = 0; at < data.byteLength; at += 128) {
    for (let t = 0; t < 16; t += 1) {
      HIGH[t] = data.getInt32(at + 8 * t);
      LOW[t] = data.getInt32(at + 8 * t + 4);
    }
    for (let t = 16; t < ROOTS; t += 1) {
      const xh = HIGH[t - 15], xl = LOW[t - 15], yh = HIGH[t - 2], yl = LOW[t - 2];
      const s0h = right(xh, xl, 1) ^ right(xh, xl, 8) ^ (xh >>> 7);
      const s0l = right(xl, xh, 1) ^ right(xl, xh, 8) ^ ((xl >>> 7) | (xh << 25));
      const s1h = right(yh, yl, 19) ^ right(yl, yh, 29) ^ (yh >>> 6);
      const s1l = right(yl, yh, 19) ^ right(yh, yl, 29) ^ ((yl >>> 6) | (yh << 26));
      const sum = (LOW[t - 16] >>> 0) + (s0l >>> 0) + (LOW[t - 7] >>> 0) + (s1l >>> 0);
      LOW[t] = sum | 0;
      HIGH[t] = (HIGH[t - 16] + s0h + HIGH[t - 7] + s1h + Math.floor(sum / 2 ** 32)) | 0;
    }
    a.set(high);
    b.set(low);
    for (let t = 0; t < ROOTS; t += 1) round(a, b, t);
    for (let i = 0; i < 8; i += 1) {
      const sum = (low[i] >>> 0) + (b[i] >>> 0);
      low[i] = sum | 0;
      high[i] = (high[i] + a[i] + Math.floor(sum / 2 ** 32)) | 0;
    }
  }
  const out = new DataView(new ArrayBuffer(64));
  for (let i = 0; i < 8; i += 1) {
    out.setInt32(8 * i, high[i]);
    out.setInt32(8 * i + 4, low[i]);
  }
  return new Uint8Array(out.buffer);
}

/** The first half of two, turned right by less than 32 bits. */
const right = (one, other, by) => (one >>> by) | (other << (32 - by));

function round(a, b, t) {
  const eh = a[4], el = b[4], ah = a[0], al = b[0];
  const s1h = right(eh, el, 14) ^ right(eh, el, 18) ^ right(el, eh, 9);
  const s1l = right(el, eh, 14) ^ right(el, eh, 18) ^ right(eh, el, 9);
  const ch = (eh & a[5]) ^ (~eh & a[6]);
  const cl = (el & b[5]) ^ (~el & b[6]);
  const sum = (b[7] >>> 0) + (s1l >>> 0) + (cl >>> 0) + (K_LOW[t] >>> 0) + (LOW[t] >>> 0);
  const oneh = (a[7] + s1h + ch + K_HIGH[t] + HIGH[t] + Math.floor(sum / 2 ** 32)) | 0;
  const onel = sum | 0;
  const s0h = right(ah, al, 28) ^ right(al, ah, 2) ^ right(al, ah, 7);
  const s0l = right(al, ah, 28) ^ right(ah, al, 2) ^ right(ah, al, 7);
  const mh = (ah & a[1]) ^ (ah & a[2]) ^ (a[1] & a[2]);
  const ml = (al & b[1]) ^ (al & b[2]) ^ (b[1] & b[2]);
  const more = (s0l >>> 0) + (ml >>> 0);
  const twoh = (s0h + mh + Math.floor(more / 2 ** 32)) | 0;
  const down = (b[3] >>> 0) + (onel >>> 0);
  const top = (onel >>> 0) + ((more | 0) >>> 0);
  const dh = (a[3] + oneh + Math.floor(down / 2 ** 32)) | 0;
  const th = (oneh + twoh + Math.floor(top / 2 ** 32)) | 0;
  a.copyWithin(1, 0, 7);
  b.copyWithin(1, 0, 7);
  a[4] = dh; b[4] = down | 0;
  a[0] = th; b[0] = top | 0;
}
