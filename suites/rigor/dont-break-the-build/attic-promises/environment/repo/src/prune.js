"use strict";

const { remove } = require("./files");
const { withLock } = require("./lock");
const manifests = require("./manifest");
const { mapLimit } = require("./pool");

/** Remove all snapshots but the newest, and what only they needed; gives their names, and how many objects went. */
function prune(store, keep, done) {
  withLock(store, (release) => sweep(store, keep, release), done);
}

function sweep(store, keep, done) {
  manifests.names(store, (error, names) => {
    if (error) return done(error);
    const gone = names.slice(0, Math.max(names.length - keep, 0));
    const kept = names.slice(gone.length);
    mapLimit(
      kept,
      4,
      (name, next) => manifests.read(store, name, next),
      (error, read) => {
        if (error) return done(error);
        const needed = new Set(read.flatMap((manifest) => manifest.files.map((file) => file.hash)));
        mapLimit(
          gone,
          4,
          (name, next) => remove(manifests.place(store, name), next),
          (error) => {
            if (error) return done(error);
            store.objects((error, hashes) => {
              if (error) return done(error);
              const loose = hashes.filter((hash) => !needed.has(hash));
              mapLimit(
                loose,
                4,
                (hash, next) => remove(store.place(hash), next),
                (error) => {
                  if (error) return done(error);
                  done(null, gone, loose.length);
                },
              );
            });
          },
        );
      },
    );
  });
}

module.exports = { prune };
