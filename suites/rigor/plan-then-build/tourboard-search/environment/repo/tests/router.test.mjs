import assert from "node:assert/strict";
import { test } from "node:test";

import { format, parse } from "../src/index.mjs";

test("the routes of the pages", () => {
  assert.equal(parse("/").name, "list");
  assert.equal(parse("/tours").name, "list");
  assert.deepEqual(parse("/tours/a%2Fb"), { name: "tour", id: "a/b" });
  assert.deepEqual(parse("/tours/%zz"), { name: "missing", path: "/tours/%zz" });
  assert.deepEqual(parse("/a/b"), { name: "missing", path: "/a/b" });
});

test("a route has one URL", () => {
  for (const url of ["/tours", "/tours/a%2Fb", "/a/b"]) assert.equal(format(parse(url)), url);
  assert.equal(format(parse("/")), "/tours");
});
