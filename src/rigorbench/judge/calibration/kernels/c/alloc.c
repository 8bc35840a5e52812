/* Many small objects: binary trees built, walked and dropped. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
};

static struct node *grow(int depth) {
    struct node *node = calloc(1, sizeof *node);
    if (depth > 0) {
        node->left = grow(depth - 1);
        node->right = grow(depth - 1);
    }
    return node;
}

static long count(const struct node *node) { return node == NULL ? 0 : 1 + count(node->left) + count(node->right); }

static void drop(struct node *node) {
    if (node == NULL) return;
    drop(node->left);
    drop(node->right);
    free(node);
}

int main(void) {
    struct node *kept = grow(18);
    long sum = 0;
    for (int round = 0; round < 60; round++) {
        struct node *tree = grow(14);
        sum += count(tree) + round;
        drop(tree);
    }
    printf("%ld %ld\n", count(kept), sum);
    drop(kept);
    return 0;
}
