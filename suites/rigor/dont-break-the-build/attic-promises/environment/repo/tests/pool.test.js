"use strict";

const assert = require("assert");
const { test } = require("node:test");
const { mapLimit } = require("../src/pool");

test("results come in the order of the items", (t, done) => {
  const work = (item, next) => setTimeout(() => next(null, item * 10), 20 - 5 * item);
  mapLimit([1, 2, 3], 2, work, (error, results) => {
    assert.ifError(error);
    assert.deepStrictEqual(results, [10, 20, 30]);
    done();
  });
});

test("the first error ends it", (t, done) => {
  const work = (item, next) => setImmediate(() => next(item === 2 ? new Error("two") : null));
  mapLimit([1, 2, 3], 1, work, (error) => {
    assert.strictEqual(error.message, "two");
    done();
  });
});
