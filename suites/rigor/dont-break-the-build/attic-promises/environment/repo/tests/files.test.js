"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { test } = require("node:test");
const files = require("../src/files");
const { hashFile } = require("../src/hash");
const { walk } = require("../src/walk");
const { plant, scratch } = require("./helpers");

test("exists answers without an error", (t, done) => {
  const dir = scratch(t);
  files.exists(dir, (there) => {
    assert.strictEqual(there, true);
    files.exists(path.join(dir, "none"), (there) => {
      assert.strictEqual(there, false);
      done();
    });
  });
});

test("a file is written whole", (t, done) => {
  const dir = scratch(t);
  files.writeWhole(path.join(dir, "a/b"), "text", (error) => {
    assert.ifError(error);
    assert.deepStrictEqual(fs.readdirSync(path.join(dir, "a")), ["b"]);
    done();
  });
});

test("a hash comes with the size", (t, done) => {
  const dir = scratch(t);
  plant(dir, { a: "abc" });
  hashFile(path.join(dir, "a"), (error, hash, size) => {
    assert.ifError(error);
    assert.strictEqual(hash.slice(0, 8), "ba7816bf");
    assert.strictEqual(size, 3);
    done();
  });
});

test("a walk is sorted and leaves out what is ignored", (t, done) => {
  const dir = scratch(t);
  plant(dir, { "b/z": "", "b/a.tmp": "", a: "", "tmp/x": "", "c/d/e": "" });
  walk(dir, ["*.tmp", "tmp"], (error, paths) => {
    assert.ifError(error);
    assert.deepStrictEqual(paths, ["a", "b/z", "c/d/e"]);
    done();
  });
});
