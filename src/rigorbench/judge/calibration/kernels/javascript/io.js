// Reading two numbers from each of many lines and writing one.
const lines = require("fs").readFileSync(0, "utf8").split("\n");
const out = [];
for (const line of lines) {
  if (line === "") continue;
  const [a, b] = line.split(" ");
  out.push(Number(a) + Number(b));
}
console.log(out.join("\n"));
