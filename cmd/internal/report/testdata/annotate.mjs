// Prints annotations with GitHub's own toolkit: annotate.mjs MODULES, with a list of [word, message, properties] on standard input.
import { readFileSync } from "node:fs";
const core = await import(process.argv[2] + "/@actions/core/lib/core.js");
for (const [word, message, properties] of JSON.parse(readFileSync(0, "utf8"))) core[word](message, properties);
