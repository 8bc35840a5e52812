"use strict";

/**
 * Do the work for all items, at most `limit` at a time. Gives the results in the order of the items, or the first error;
 * once something has failed nothing more is started.
 */
function mapLimit(items, limit, work, done) {
  const results = new Array(items.length);
  let next = 0;
  let running = 0;
  let finished = false;

  function finish(error) {
    if (finished) return;
    finished = true;
    if (error) done(error);
    else done(null, results);
  }

  function start() {
    if (next === items.length && running === 0) return finish(null);
    while (!finished && running < limit && next < items.length) {
      const place = next++;
      running++;
      work(items[place], (error, result) => {
        running--;
        if (error) return finish(error);
        results[place] = result;
        start();
      });
    }
  }

  start();
}

module.exports = { mapLimit };
