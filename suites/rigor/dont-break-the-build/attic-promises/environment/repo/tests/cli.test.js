"use strict";

const assert = require("assert");
const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { test } = require("node:test");
const { plant, scratch } = require("./helpers");

const BIN = path.join(__dirname, "..", "bin", "attic.js");

function attic(dir, ...words) {
  const done = spawnSync(process.execPath, [BIN, ...words], { cwd: dir, encoding: "utf8" });
  return [done.status, done.stdout, done.stderr];
}

test("a snapshot is taken and restored", (t) => {
  const dir = scratch(t);
  plant(dir, { "work/a": "one\n", "work/b/c": "two\n", "work/b/d.log": "noise\n" });
  assert.deepStrictEqual(attic(dir, "init", "store"), [0, "", ""]);
  assert.deepStrictEqual(attic(dir, "take", "store", "first", "work", "--ignore", "*.log"), [
    0,
    "first: 2 files, 8 bytes, 2 new\n",
    "",
  ]);
  assert.deepStrictEqual(attic(dir, "restore", "store", "first", "back"), [0, "2 files\n", ""]);
  assert.strictEqual(fs.readFileSync(path.join(dir, "back/b/c"), "utf8"), "two\n");
  assert.ok(!fs.existsSync(path.join(dir, "store/lock")));
});

test("a directory that is no store is told", (t) => {
  const dir = scratch(t);
  assert.deepStrictEqual(attic(dir, "list", "nothing"), [1, "", "attic: nothing is no store\n"]);
});

test("a wrong call shows the usage", (t) => {
  const [status, out, err] = attic(scratch(t), "take", "store");
  assert.deepStrictEqual([status, out], [2, ""]);
  assert.match(err, /^usage: attic init STORE\n/);
});
