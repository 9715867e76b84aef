import { chips, money, range } from "../../../tables/web/static/tables/money.js";
import { equal } from "./check.js";

export const tests = {
  "an amount shows a fraction only where it has one"() {
    equal(money(120000, 2), "1,200");
    equal(money(1250, 2), "12.50");
    equal(money(5, 2), "0.05");
    equal(money(7, 0), "7");
    equal(money(1234567, 3), "1,234.567");
  },
  "Polish groups by spaces and points by commas"() {
    equal(money(120050, 2, "pl"), "1\u00a0200,50");
    equal(money(99999999999, 2, "pl"), "999\u00a0999\u00a0999,99");
  },
  "no digit is lost to a float"() {
    equal(money(9007199254740991, 2), "90,071,992,547,409.91");
    equal(money(-10, 2), "\u22120.10");
  },
  "what is no whole number of minor units is not shown as money"() {
    equal(money(1.5, 2), "–");
    equal(money(undefined, 2), "–");
  },
  "a fixed bet is one amount, a range is two"() {
    equal(range(2000, 2000, 2), "20");
    equal(range(2500, 100000, 2), "25–1,000");
  },
  "chips make up the amount, greatest first"() {
    equal(chips(13500, 2), [100, 25, 5, 5]);
    equal(chips(500000, 2, 3), [1000, 1000, 1000]);
    equal(chips(50, 2), []);
  },
};
