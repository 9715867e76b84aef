import { bytes, hex, leaf, rootOf, shuffled, sides, stream, uniform } from "../../../tables/web/static/tables/verify/check.js";
import { holdsHere, verifierOf } from "../../../tables/web/static/tables/verify/ed25519.js";
import { sha256, sha512 } from "../../../tables/web/static/tables/verify/sha256.js";
import { VERIFY_WORDS } from "../../../tables/web/static/tables/verify/words.js";
import { equal, ok } from "./check.js";

const text = (words) => new TextEncoder().encode(words);

// RFC 8032, 7.1, tests 1 and 3.
const SIGNED = [
  ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"],
  ["fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"],
];

export const tests = {
  "SHA-256 gives the standard's digests"() {
    equal(hex(sha256(text(""))), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    equal(hex(sha256(text("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    equal(hex(sha256(text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    equal(hex(sha256(text("a".repeat(1_000)))), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
  },
  "SHA-512 gives the standard's digests"() {
    equal(hex(sha512(text("abc"))), "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
    equal(hex(sha512(text(""))), "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e");
    equal(hex(sha512(text("a".repeat(1_000)))), "67ba5535a46e3f86dbfbed8cbbaf0125c76ed549ff8b0b9e03e0c88cf90fa634fa7b12b47d77b694de488ace8d9a65967dc96df599727d3292a8d9d447709c97");
  },
  async "both hashes agree with the platform's at every length near a block"() {
    for (let length = 0; length < 260; length += 1) {
      const data = Uint8Array.from({ length }, (_, at) => (at * 7 + length) & 255);
      const [one, two] = await Promise.all(["SHA-256", "SHA-512"].map((name) => platform(name, data)));
      if (one) equal([hex(sha256(data)), hex(sha512(data))], [hex(one), hex(two)], `length ${length}`);
      else equal([sha256(data).length, sha512(data).length], [32, 64]);
    }
  },
  "the standard's signatures hold, and no other"() {
    for (const [key, message, signature] of SIGNED) {
      ok(holdsHere(bytes(key), bytes(message), bytes(signature)), "a true signature");
      ok(!holdsHere(bytes(key), bytes(`${message}00`), bytes(signature)), "another message");
      for (const at of [0, 31, 32, 63]) {
        const changed = bytes(signature);
        changed[at] ^= 1;
        ok(!holdsHere(bytes(key), bytes(message), changed), `a changed byte ${at}`);
      }
    }
    ok(!holdsHere(bytes(`02${"00".repeat(31)}`), text(""), new Uint8Array(64)), "a key that is no point");
  },
  async "a page without cryptography works signatures out itself"() {
    const [key, message, signature] = SIGNED[1].map(bytes);
    const own = await verifierOf(key, null);
    equal([own.by, own.holds(message, signature)], ["page", true]);
    const refuses = { importKey: async () => { throw new Error("NotSupportedError"); } };
    equal((await verifierOf(key, refuses)).by, "page");
  },
  "a tree's sides follow from slot and size"() {
    equal(sides(2, 5), ["right", "left", "right"]);
    equal(sides(4, 5), ["left"]);
    equal(sides(0, 1), []);
    const leaves = [0, 1, 2].map((slot) => leaf("1/1", slot, slot, new Uint8Array(16)));
    ok(hex(rootOf(leaves)) !== hex(rootOf(leaves.slice(0, 2))), "another tree");
  },
  "numbers are thrown away where they would favour the small ones"() {
    equal(uniform(52, [0xd0, 0xff, 0x35].values()), 1);
    equal(uniform(300, [0xff, 0xff, 0x01, 0x2d].values()), 1);
    equal(shuffled(52, stream("croupier/cut/1", new Uint8Array(32))).sort((a, b) => a - b), Array.from({ length: 52 }, (_, at) => at));
  },
  "every phrase is there in both languages"() {
    equal(Object.keys(VERIFY_WORDS.pl).sort(), Object.keys(VERIFY_WORDS.en).sort());
    for (const words of Object.values(VERIFY_WORDS)) ok(Object.values(words).every((one) => (Array.isArray(one) ? one.length > 1 : one.length > 0)), "an empty phrase");
  },
};

const platform = async (name, data) => (globalThis.crypto?.subtle ? new Uint8Array(await crypto.subtle.digest(name, data)) : null);
