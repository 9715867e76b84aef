// `node --test tests/web/modules`

import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { allTests } from "./all.js";

const folder = new URL("../fixtures/", import.meta.url);
const recordings = Object.fromEntries(readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]));

for (const [module, tests] of Object.entries(allTests(recordings))) {
  for (const [name, run] of Object.entries(tests)) test(`${module}: ${name}`, run);
}
