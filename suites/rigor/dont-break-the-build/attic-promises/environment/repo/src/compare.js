"use strict";

const manifests = require("./manifest");

/** What became of the files from one snapshot to another: the paths that were added, removed and changed. */
function compare(store, from, to, done) {
  manifests.read(store, from, (error, before) => {
    if (error) return done(error);
    manifests.read(store, to, (error, after) => {
      if (error) return done(error);
      const old = new Map(before.files.map((file) => [file.path, file.hash]));
      const now = new Map(after.files.map((file) => [file.path, file.hash]));
      done(null, {
        added: [...now.keys()].filter((file) => !old.has(file)),
        removed: [...old.keys()].filter((file) => !now.has(file)),
        changed: [...now.keys()].filter((file) => old.has(file) && old.get(file) !== now.get(file)),
      });
    });
  });
}

module.exports = { compare };
