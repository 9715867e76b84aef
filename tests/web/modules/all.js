// Every module's tests, by module.

import { testsOf as dealer } from "./dealer.js";
import { tests as i18n } from "./i18n.js";
import { tests as money } from "./money.js";
import { testsOf as play } from "./play.js";
import { testsOf as protocol } from "./protocol.js";
import { testsOf as reducer } from "./reducer.js";
import { tests as seeds } from "./seeds.js";
import { testsOf as settlement } from "./settlement.js";
import { testsOf as spots } from "./spots.js";
import { tests as showdown } from "./showdown.js";
import { tests as verify } from "./verify.js";

export const allTests = (recordings) => ({
  money, i18n, dealer: dealer(recordings), reducer: reducer(recordings), settlement: settlement(recordings), protocol: protocol(recordings), play: play(recordings), spots: spots(recordings), verify, seeds, showdown,
});
