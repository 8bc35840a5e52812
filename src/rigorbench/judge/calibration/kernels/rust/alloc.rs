// Many small objects: binary trees built, walked and dropped.
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

fn grow(depth: u32) -> Box<Node> {
    if depth > 0 {
        Box::new(Node { left: Some(grow(depth - 1)), right: Some(grow(depth - 1)) })
    } else {
        Box::new(Node { left: None, right: None })
    }
}

fn count(node: &Option<Box<Node>>) -> i64 {
    match node {
        None => 0,
        Some(inner) => 1 + count(&inner.left) + count(&inner.right),
    }
}

fn main() {
    let kept = Some(grow(18));
    let mut sum: i64 = 0;
    for round in 0..60 {
        sum += count(&Some(grow(14))) + round;
    }
    println!("{} {}", count(&kept), sum);
}
