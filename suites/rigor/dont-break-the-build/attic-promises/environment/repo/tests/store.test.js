"use strict";

const assert = require("assert");
const path = require("path");
const { test } = require("node:test");
const attic = require("..");
const { plant, scratch } = require("./helpers");

/** A store with two snapshots of a directory that has changed in between. */
function two(t, done) {
  const dir = scratch(t);
  const work = path.join(dir, "work");
  plant(work, { a: "one", b: "two", c: "three" });
  attic.openStore(path.join(dir, "store"), { create: true }, (error, store) => {
    assert.ifError(error);
    attic.take(store, work, "old", { now: new Date(1000) }, (error) => {
      assert.ifError(error);
      plant(work, { a: "four", d: "two" });
      attic.take(store, work, "new", { now: new Date(2000), ignore: ["c"] }, (error, manifest, stats) => {
        assert.ifError(error);
        assert.deepStrictEqual(stats, { files: 3, bytes: 10, fresh: 1 });
        done(store, dir);
      });
    });
  });
}

test("two snapshots are compared", (t, done) => {
  two(t, (store) => {
    attic.compare(store, "old", "new", (error, changes) => {
      assert.ifError(error);
      assert.deepStrictEqual(changes, { added: ["d"], removed: ["c"], changed: ["a"] });
      done();
    });
  });
});

test("pruning removes what nobody needs", (t, done) => {
  two(t, (store) => {
    attic.prune(store, 1, (error, names, objects) => {
      assert.ifError(error);
      assert.deepStrictEqual([names, objects], [["old"], 2]);
      attic.verify(store, (error, problems) => {
        assert.ifError(error);
        assert.deepStrictEqual(problems, []);
        done();
      });
    });
  });
});

test("a name is given once", (t, done) => {
  two(t, (store, dir) => {
    attic.take(store, path.join(dir, "work"), "new", {}, (error) => {
      assert.strictEqual(error.code, "TAKEN");
      done();
    });
  });
});

test("an unknown snapshot cannot be restored", (t, done) => {
  two(t, (store, dir) => {
    attic.restore(store, "newest", path.join(dir, "back"), {}, (error) => {
      assert.strictEqual(error.code, "NO_SNAPSHOT");
      done();
    });
  });
});
