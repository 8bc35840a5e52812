"use strict";

const fs = require("fs");
const path = require("path");

let count = 0;

/** Whether there is something at a path. */
function exists(name, done) {
  fs.access(name, (error) => done(!error));
}

function readText(name, done) {
  fs.readFile(name, "utf8", done);
}

/** Write a file so that it appears whole or not at all; its directory is made. */
function writeWhole(name, data, done) {
  const beside = `${name}.${process.pid}-${count++}.new`;
  fs.mkdir(path.dirname(name), { recursive: true }, (error) => {
    if (error) return done(error);
    fs.writeFile(beside, data, (error) => {
      if (error) return remove(beside, () => done(error));
      fs.rename(beside, name, (error) => {
        if (error) return remove(beside, () => done(error));
        done(null);
      });
    });
  });
}

/** Take a file away; that it is not there is no error. */
function remove(name, done) {
  fs.unlink(name, (error) => done(error && error.code !== "ENOENT" ? error : null));
}

module.exports = { exists, readText, writeWhole, remove };
