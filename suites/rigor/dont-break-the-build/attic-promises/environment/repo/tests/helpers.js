"use strict";

const fs = require("fs");
const os = require("os");
const path = require("path");

/** A new directory that goes away after the test. */
function scratch(t) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "attic-"));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Write files below a directory: paths and their texts. */
function plant(dir, files) {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
}

module.exports = { scratch, plant };
