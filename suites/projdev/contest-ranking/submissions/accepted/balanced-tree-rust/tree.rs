// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
//! A set in order, as a weight-balanced tree: one side of a node never weighs more than three times the other.

type Link<K> = Option<Box<Node<K>>>;

struct Node<K> {
    key: K,
    size: usize,
    left: Link<K>,
    right: Link<K>,
}

fn size<K>(link: &Link<K>) -> usize {
    link.as_ref().map_or(0, |node| node.size)
}

fn weight<K>(link: &Link<K>) -> usize {
    size(link) + 1
}

impl<K: Ord + Copy> Node<K> {
    fn measure(&mut self) {
        self.size = size(&self.left) + 1 + size(&self.right);
    }

    fn rotate_left(mut self: Box<Self>) -> Box<Self> {
        let mut top = self.right.take().expect("the heavier side");
        self.right = top.left.take();
        self.measure();
        top.left = Some(self);
        top.measure();
        top
    }

    fn rotate_right(mut self: Box<Self>) -> Box<Self> {
        let mut top = self.left.take().expect("the heavier side");
        self.left = top.right.take();
        self.measure();
        top.right = Some(self);
        top.measure();
        top
    }

    /// The same subtree in balance, after one key was added or removed on one of its sides.
    fn balanced(mut self: Box<Self>) -> Box<Self> {
        self.measure();
        if weight(&self.right) > 3 * weight(&self.left) {
            let right = self.right.take().expect("the heavier side");
            let inner = weight(&right.left) >= 2 * weight(&right.right);
            self.right = Some(if inner { right.rotate_right() } else { right });
            self.rotate_left()
        } else if weight(&self.left) > 3 * weight(&self.right) {
            let left = self.left.take().expect("the heavier side");
            let inner = weight(&left.right) >= 2 * weight(&left.left);
            self.left = Some(if inner { left.rotate_left() } else { left });
            self.rotate_right()
        } else {
            self
        }
    }

    fn without_first(mut self: Box<Self>) -> (K, Link<K>) {
        match self.left.take() {
            None => (self.key, self.right),
            Some(left) => {
                let (first, rest) = left.without_first();
                self.left = rest;
                (first, Some(self.balanced()))
            }
        }
    }
}

fn with<K: Ord + Copy>(link: Link<K>, key: K) -> Box<Node<K>> {
    let Some(mut node) = link else {
        return Box::new(Node { key, size: 1, left: None, right: None });
    };
    if key < node.key {
        node.left = Some(with(node.left.take(), key));
    } else {
        node.right = Some(with(node.right.take(), key));
    }
    node.balanced()
}

fn without<K: Ord + Copy>(link: Link<K>, key: &K) -> Link<K> {
    let mut node = link?;
    if *key < node.key {
        node.left = without(node.left.take(), key);
    } else if *key > node.key {
        node.right = without(node.right.take(), key);
    } else {
        let Some(right) = node.right.take() else {
            return node.left;
        };
        (node.key, node.right) = right.without_first();
    }
    Some(node.balanced())
}

pub struct Tree<K> {
    root: Link<K>,
}

impl<K: Ord + Copy> Tree<K> {
    pub fn new() -> Tree<K> {
        Tree { root: None }
    }

    pub fn len(&self) -> usize {
        size(&self.root)
    }

    /// Adds a key that is not there yet.
    pub fn add(&mut self, key: K) {
        self.root = Some(with(self.root.take(), key));
    }

    pub fn remove(&mut self, key: &K) {
        self.root = without(self.root.take(), key);
    }

    /// How many keys are smaller.
    pub fn below(&self, key: &K) -> usize {
        let mut count = 0;
        let mut link = &self.root;
        while let Some(node) = link {
            if node.key < *key {
                count += size(&node.left) + 1;
                link = &node.right;
            } else {
                link = &node.left;
            }
        }
        count
    }

    /// The key that so many others are below.
    pub fn at(&self, mut place: usize) -> Option<K> {
        let mut link = &self.root;
        while let Some(node) = link {
            let left = size(&node.left);
            if place == left {
                return Some(node.key);
            }
            if place < left {
                link = &node.left;
            } else {
                place -= left + 1;
                link = &node.right;
            }
        }
        None
    }
}
