// Many small objects: binary trees built, walked and dropped.
#include <cstdio>
#include <memory>

struct Node {
    std::unique_ptr<Node> left, right;
};

static std::unique_ptr<Node> grow(int depth) {
    auto node = std::make_unique<Node>();
    if (depth > 0) {
        node->left = grow(depth - 1);
        node->right = grow(depth - 1);
    }
    return node;
}

static long count(const Node *node) { return node == nullptr ? 0 : 1 + count(node->left.get()) + count(node->right.get()); }

int main() {
    const auto kept = grow(18);
    long sum = 0;
    for (int round = 0; round < 60; round++) sum += count(grow(14).get()) + round;
    std::printf("%ld %ld\n", count(kept.get()), sum);
}
