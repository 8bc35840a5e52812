// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Empties where the most is expected from the rates seen so far; knows nothing of capacities, never looks.
const readline = require("readline");

let state = null;

function choose() {
  const { last, rate, hour } = state;
  let best = 0;
  let most = -1;
  for (let barrel = 0; barrel < last.length; barrel++) {
    const expected = rate[barrel] === null ? Infinity : rate[barrel] * (hour - last[barrel]);
    if (expected > most) [best, most] = [barrel, expected];
  }
  state.chosen = best;
  process.stdout.write(`empty ${best + 1}\n`);
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (text) => {
  const numbers = text.trim().split(/\s+/).map(Number);
  if (state === null) {
    const [count, hours] = numbers;
    state = { hours, hour: 1, last: Array(count).fill(0), rate: Array(count).fill(null), chosen: 0 };
  } else {
    const { chosen, last, rate, hour } = state;
    const seen = numbers[0] / (hour - last[chosen]);
    rate[chosen] = rate[chosen] === null ? seen : (rate[chosen] + seen) / 2;
    last[chosen] = hour;
    state.hour += 1;
  }
  if (state.hour <= state.hours) choose();
  else lines.close();
});
lines.on("close", () => process.exit(0));
