// Many small objects: binary trees built, walked and dropped.
public class Main {
    static final class Node {
        Node left, right;
    }

    static Node grow(int depth) {
        Node node = new Node();
        if (depth > 0) {
            node.left = grow(depth - 1);
            node.right = grow(depth - 1);
        }
        return node;
    }

    static long count(Node node) {
        return node == null ? 0 : 1 + count(node.left) + count(node.right);
    }

    public static void main(String[] arguments) {
        Node kept = grow(18);
        long sum = 0;
        for (int round = 0; round < 60; round++) sum += count(grow(14)) + round;
        System.out.println(count(kept) + " " + sum);
    }
}
