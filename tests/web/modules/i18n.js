import { WORDS, handName, languageOf, plural, translator } from "../../../tables/web/static/tables/i18n.js";
import { equal, ok } from "./check.js";

const places = (entry) => [entry].flat().map((text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort());

export const tests = {
  "every phrase exists in both languages and names the same facts"() {
    equal(Object.keys(WORDS.pl).sort(), Object.keys(WORDS.en).sort());
    for (const key of Object.keys(WORDS.en)) {
      const [english, polish] = [WORDS.en[key], WORDS.pl[key]].map(places);
      for (const form of [...english, ...polish]) {
        if (key !== "spot_in_all") equal(form, english[0], key);
      }
      equal(Array.isArray(WORDS.pl[key]), Array.isArray(WORDS.en[key]), key);
    }
  },
  "Polish counts in three forms"() {
    equal([1, 2, 4, 5, 11, 12, 14, 21, 22, 104, 112].map((n) => plural(n, "pl")), [0, 1, 1, 2, 2, 2, 2, 2, 1, 1, 2]);
    equal(translator("pl")("seconds_left", { n: 3 }), "zostały 3 sekundy");
    equal(translator("en")("seconds_left", { n: 1 }), "1 second left");
  },
  "the address can ask for a language; an unknown one reads English"() {
    equal(languageOf({ language: "en" }, "?lang=pl"), "pl");
    equal(languageOf({ language: "pl-PL" }, ""), "pl");
    equal(languageOf({ language: "de" }, ""), "en");
  },
  "Polish names a hand from its class and cards"() {
    const t = translator("pl");
    const name = (hand, cards) => handName({ class: hand, words: "?", cards: cards.split(" ") }, t);
    equal(name("pair", "Th Ts 3d"), "Para dziesiątek");
    equal(name("flush", "Jh 6h 2h"), "Kolor do waleta");
    equal(name("straight", "Ah 5c 4d 3s 2h"), "Strit do piątki");
    equal(name("straight", "3h 2c Ad"), "Strit do trójki");
    equal(name("straight", "Ah Kc Qd"), "Strit do asa");
    equal(name("full_house", "2h 2s 2c 7d 7c"), "Ful: dwójki na siódemkach");
    equal(name("two_pair", "Ad As 7d 7c Kh"), "Dwie pary: asy i siódemki");
    equal(name("straight_flush", "9h 8h 7h"), "Poker do dziewiątki");
  },
  "the server's words stand where there are none of ours"() {
    const low = { class: "low", words: "Low 7-4-3-2-A", cards: ["7c", "4d", "3s", "2h", "Ac"] };
    equal(handName(low, translator("pl")), "Low 7-4-3-2-A");
    ok(handName({ class: "pair", words: "Pair of tens", cards: ["Th", "Ts", "3d"] }, translator("en")) === "Pair of tens", "English is the server's");
  },
};
