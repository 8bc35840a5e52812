"use strict";

const path = require("path");
const { AtticError } = require("./errors");
const { exists } = require("./files");
const { withLock } = require("./lock");
const manifests = require("./manifest");
const { mapLimit } = require("./pool");
const { walk } = require("./walk");

/** Take a snapshot of a directory; gives its manifest, and how many files, bytes and fresh objects there were. */
function take(store, root, name, options, done) {
  let file;
  try {
    file = manifests.place(store, name);
  } catch (error) {
    return done(error);
  }
  withLock(
    store,
    (release) => {
      exists(file, (there) => {
        if (there) return release(new AtticError("TAKEN", `there is a snapshot ${name} already`));
        gather(store, root, name, options, release);
      });
    },
    done,
  );
}

function gather(store, root, name, options, done) {
  const stats = { files: 0, bytes: 0, fresh: 0 };
  walk(root, options.ignore || [], (error, paths) => {
    if (error) return done(error);
    mapLimit(
      paths,
      4,
      (file, next) => {
        store.put(path.join(root, file), (error, hash, size, fresh) => {
          if (error) return next(error);
          stats.files += 1;
          stats.bytes += size;
          stats.fresh += fresh ? 1 : 0;
          if (options.onFile) options.onFile(file);
          next(null, { path: file, hash, size });
        });
      },
      (error, files) => {
        if (error) return done(error);
        const manifest = { name, taken: (options.now || new Date()).toISOString(), files };
        manifests.write(store, manifest, (error) => {
          if (error) return done(error);
          done(null, manifest, stats);
        });
      },
    );
  });
}

module.exports = { take };
