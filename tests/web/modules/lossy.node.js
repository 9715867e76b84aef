// `node lossy.node.js recordings.json`: prints what lossy.js says of them.

import { readFileSync } from "node:fs";
import { lossy } from "./lossy.js";

console.log(JSON.stringify(await lossy(JSON.parse(readFileSync(process.argv[2], "utf8")))));
