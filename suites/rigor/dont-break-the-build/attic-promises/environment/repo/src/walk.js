"use strict";

const fs = require("fs");
const path = require("path");
const { mapLimit } = require("./pool");

/** Whether a name is one of those to be left out: `name` or `*.ending`. */
function ignored(name, ignore) {
  return ignore.some((pattern) => (pattern.startsWith("*") ? name.endsWith(pattern.slice(1)) : name === pattern));
}

/** The files below a directory as paths with slashes, sorted; links are passed over. */
function walk(root, ignore, done) {
  below(root, "", ignore, (error, paths) => {
    if (error) return done(error);
    done(null, paths.sort());
  });
}

function below(root, prefix, ignore, done) {
  fs.readdir(path.join(root, prefix), { withFileTypes: true }, (error, entries) => {
    if (error) return done(error);
    const wanted = entries.filter((entry) => !ignored(entry.name, ignore));
    mapLimit(
      wanted,
      4,
      (entry, next) => {
        const name = prefix + entry.name;
        if (entry.isDirectory()) return below(root, `${name}/`, ignore, next);
        next(null, entry.isFile() ? [name] : []);
      },
      (error, lists) => {
        if (error) return done(error);
        done(null, lists.flat());
      },
    );
  });
}

module.exports = { walk, ignored };
