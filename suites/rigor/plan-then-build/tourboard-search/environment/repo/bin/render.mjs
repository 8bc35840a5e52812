#!/usr/bin/env node
// Prints a page: node bin/render.mjs TOURS.json URL, such as tours or tours/mud
import { readFileSync } from "node:fs";

import { createApp } from "../src/index.mjs";

const [file, url] = process.argv.slice(2);
if (url === undefined) {
  console.error("usage: render.mjs TOURS.json URL");
  process.exit(2);
}
console.log(createApp({ tours: JSON.parse(readFileSync(file, "utf8")), url }).html());
