// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
#include "ranking.hpp"

bool listed_before(const Team& one, const Result& of_one, const Team& other, const Result& of_other) {
  if (of_one == of_other) return one.name() < other.name();
  return better(of_one, of_other);
}

bool listed_before(const Team& one, const Team& other) {
  return listed_before(one, one.result(), other, other.result());
}

void Ranking::update(std::int32_t node) {
  Node& one = nodes_[node];
  one.size = 1 + size_of(one.left) + size_of(one.right);
}

std::int32_t Ranking::make(const Team& team) {
  // xorshift: priorities need not be good, only not in step with the input.
  seed_ ^= seed_ << 13;
  seed_ ^= seed_ >> 17;
  seed_ ^= seed_ << 5;
  std::int32_t node;
  if (unused_.empty()) {
    node = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    node = unused_.back();
    unused_.pop_back();
  }
  nodes_[node] = {&team, team.result(), seed_, 1, 0, 0};
  return node;
}

void Ranking::split(std::int32_t node, const Team& team, std::int32_t& before, std::int32_t& rest) {
  if (node == 0) {
    before = rest = 0;
    return;
  }
  std::int32_t part = 0;
  if (listed_before(*nodes_[node].team, nodes_[node].result, team, team.result())) {
    split(nodes_[node].right, team, part, rest);
    nodes_[node].right = part;
    before = node;
  } else {
    split(nodes_[node].left, team, before, part);
    nodes_[node].left = part;
    rest = node;
  }
  update(node);
}

std::int32_t Ranking::merge(std::int32_t one, std::int32_t other) {
  if (one == 0) return other;
  if (other == 0) return one;
  if (nodes_[one].priority > nodes_[other].priority) {
    nodes_[one].right = merge(nodes_[one].right, other);
    update(one);
    return one;
  }
  nodes_[other].left = merge(one, nodes_[other].left);
  update(other);
  return other;
}

void Ranking::insert(const Team& team) {
  std::int32_t before = 0, rest = 0;
  split(root_, team, before, rest);
  root_ = merge(merge(before, make(team)), rest);
}

void Ranking::erase(const Team& team) {
  std::int32_t* link = &root_;
  while (nodes_[*link].team != &team) {
    Node& node = nodes_[*link];
    --node.size;
    link = listed_before(team, team.result(), *node.team, node.result) ? &node.left : &node.right;
  }
  const std::int32_t gone = *link;
  *link = merge(nodes_[gone].left, nodes_[gone].right);
  unused_.push_back(gone);
}

int Ranking::rank(const Result& result) const {
  int found = 1;
  each(0, size(), [&](const Team& one) { found += better(one.result(), result); });
  if (found > 0) return found;
  for (std::int32_t node = root_; node != 0;) {
    const Node& one = nodes_[node];
    if (better(one.result, result)) {
      found += size_of(one.left) + 1;
      node = one.right;
    } else {
      node = one.left;
    }
  }
  return found;
}

int Ranking::place(const Team& team, const Result& result) const {
  int found = 0;
  for (std::int32_t node = root_; node != 0;) {
    const Node& one = nodes_[node];
    if (listed_before(*one.team, one.result, team, result)) {
      found += size_of(one.left) + 1;
      node = one.right;
    } else {
      node = one.left;
    }
  }
  return found;
}

const Team& Ranking::at(int place) const {
  std::int32_t node = root_;
  while (true) {
    const Node& one = nodes_[node];
    const int left = size_of(one.left);
    if (place == left) return *one.team;
    node = place < left ? one.left : one.right;
    if (place > left) place -= left + 1;
  }
}

void Ranking::each(int first, int count, const std::function<void(const Team&)>& visit) const {
  visit_from(root_, first, count, visit);
}

void Ranking::visit_from(std::int32_t node, int& skip, int& count,
                         const std::function<void(const Team&)>& visit) const {
  if (node == 0 || count == 0) return;
  const Node& one = nodes_[node];
  if (skip >= one.size) {
    skip -= one.size;
    return;
  }
  visit_from(one.left, skip, count, visit);
  if (count > 0) {
    if (skip > 0) {
      --skip;
    } else {
      visit(*one.team);
      --count;
    }
  }
  visit_from(one.right, skip, count, visit);
}
