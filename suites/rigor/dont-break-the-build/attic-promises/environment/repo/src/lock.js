"use strict";

const fs = require("fs");
const path = require("path");
const { AtticError } = require("./errors");
const { remove } = require("./files");

/** Do some work while nobody else writes to the store. The lock is gone when `done` is called, however the work ended. */
function withLock(store, work, done) {
  const name = path.join(store.dir, "lock");
  fs.writeFile(name, `${process.pid}\n`, { flag: "wx" }, (error) => {
    if (error && error.code === "EEXIST") return done(new AtticError("BUSY", "somebody else writes to the store"));
    if (error) return done(error);
    const release = (...results) => remove(name, (error) => done(results[0] || error, ...results.slice(1)));
    try {
      work(release);
    } catch (error) {
      release(error);
    }
  });
}

module.exports = { withLock };
