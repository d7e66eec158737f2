//! The fixed tree: in come values in order, from anywhere in the sequence, out comes one value whose
//! grouping depends on the length alone. Terminals with a grouping use it as their partial.
//!
//! In step k of the tree the neighbours `2i` and `2i + 1` become `i`; an odd last one goes up as it
//! is. So the value of an aligned run of `2^k` is a node, whoever computes it: a stretch of the
//! sequence is kept as the few largest nodes inside it, and two stretches merge into the nodes of
//! both, whatever the place of the cut between them.

/// A stretch of the sequence, folded into the largest nodes of the fixed tree that lie inside it.
#[derive(Debug)]
pub(crate) struct Tree<V> {
    /// The index behind the last value.
    end: usize,
    /// Adjacent nodes up to `end`.
    nodes: Vec<Node<V>>,
}

#[derive(Debug)]
struct Node<V> {
    /// The node covers `2^level` values.
    level: u32,
    value: V,
}

impl<V> Tree<V> {
    /// A stretch that begins at this index, still empty.
    pub(crate) fn at(first: usize) -> Self {
        // Room for a plan's tree, so that it seldom grows.
        Self { end: first, nodes: Vec::with_capacity(12) }
    }

    /// The next value.
    #[inline]
    pub(crate) fn push(&mut self, value: V, merge: impl Fn(V, V) -> V) {
        self.add(Node { level: 0, value }, merge);
    }

    /// The stretch that follows this one.
    pub(crate) fn append(&mut self, next: Self, merge: impl Fn(V, V) -> V) {
        for node in next.nodes {
            self.add(node, &merge);
        }
    }

    /// One value for a stretch that began at 0; `None` if it is empty.
    pub(crate) fn finish(self, merge: impl Fn(V, V) -> V) -> Option<V> {
        // The nodes shrink towards the end, so each odd one out meets its left neighbour last.
        let values = self.nodes.into_iter().rev().map(|node| node.value);
        values.reduce(|right, left| merge(left, right))
    }

    fn add(&mut self, mut node: Node<V>, merge: impl Fn(V, V) -> V) {
        let mut index = self.end >> node.level;
        self.end += 1 << node.level;
        // An odd node's left neighbour may lie in the stretch before this one: then it waits.
        while index % 2 == 1 && self.nodes.last().is_some_and(|left| left.level == node.level) {
            let left = self.nodes.pop().expect("there is a last node");
            node = Node { level: node.level + 1, value: merge(left.value, node.value) };
            index /= 2;
        }
        self.nodes.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(left: String, right: String) -> String {
        format!("({left}{right})")
    }

    /// The definition: neighbours, level by level.
    fn by_levels(n: usize) -> Option<String> {
        let mut level: Vec<String> = (0..n).map(|i| format!("{i} ")).collect();
        while level.len() > 1 {
            let mut above = Vec::new();
            let mut values = level.into_iter();
            while let Some(left) = values.next() {
                above.push(match values.next() {
                    Some(right) => pair(left, right),
                    None => left,
                });
            }
            level = above;
        }
        level.pop()
    }

    fn stretch(from: usize, to: usize) -> Tree<String> {
        let mut tree = Tree::at(from);
        for i in from..to {
            tree.push(format!("{i} "), pair);
        }
        tree
    }

    #[test]
    fn it_is_the_level_by_level_tree_wherever_it_is_cut() {
        for n in (0..=70).chain([127, 128, 129, 1000, 1023, 1025]) {
            let expected = by_levels(n);
            assert_eq!(stretch(0, n).finish(pair), expected);
            for first in (0..=n).step_by(1 + n / 30) {
                for second in (first..=n).step_by(1 + n / 20) {
                    let mut right = stretch(first, second);
                    right.append(stretch(second, n), pair);
                    let mut all = stretch(0, first);
                    all.append(right, pair);
                    assert!(all.nodes.len() <= 11);
                    assert_eq!(
                        all.finish(pair),
                        expected,
                        "{n} values cut at {first} and {second}"
                    );
                }
            }
        }
    }
}
