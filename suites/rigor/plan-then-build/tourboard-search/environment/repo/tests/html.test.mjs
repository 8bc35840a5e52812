import assert from "node:assert/strict";
import { test } from "node:test";

import { attributes, html, raw } from "../src/index.mjs";

test("what is put in is escaped", () => {
  assert.equal(String(html`<p>${`<b> & "c"`}</p>`), "<p>&lt;b&gt; &amp; &quot;c&quot;</p>");
});

test("parts that are safe are taken as they are", () => {
  assert.equal(String(html`<ul>${[html`<li>${1}</li>`, null, raw("<hr>")]}</ul>`), "<ul><li>1</li><hr></ul>");
});

test("attributes may be left out or have no value", () => {
  assert.equal(String(attributes({ a: "x>", b: false, c: true, d: null, e: 0 })), ' a="x&gt;" c e="0"');
});
