// Many small objects: binary trees built, walked and dropped.
class Node {
  constructor(left, right) {
    this.left = left;
    this.right = right;
  }
}

function grow(depth) {
  return depth > 0 ? new Node(grow(depth - 1), grow(depth - 1)) : new Node(null, null);
}

function count(node) {
  return node === null ? 0 : 1 + count(node.left) + count(node.right);
}

const kept = grow(18);
let sum = 0;
for (let round = 0; round < 60; round++) sum += count(grow(14)) + round;
console.log(`${count(kept)} ${sum}`);
