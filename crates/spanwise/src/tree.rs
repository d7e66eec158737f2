//! The fixed tree: in come values in order, from anywhere in the sequence, out comes one value whose
//! grouping depends on the length alone. Terminals with a grouping use it as their partial.
//!
//! In step k of the tree the neighbours `2i` and `2i + 1` become `i`; an odd last one goes up as it
//! is. So the value of an aligned run of `2^k` is a node, whoever computes it: a stretch of the
//! sequence is kept as the few largest nodes inside it, and two stretches merge into the nodes of
//! both, whatever the place of the cut between them. Nodes of many values are made by one loop over
//! small ones, so that cheap values take no longer than in a serial fold.

/// Where a stretch gets its values, in order.
pub(crate) trait Nodes: Sized {
    /// A value, and what neighbours merge into.
    type Node;

    /// The level of the nodes that are made at once; a loop merges them.
    const BASE: u32;

    /// The last values, if they are fewer than this, are folded at once too.
    const FEW: usize;

    /// These nodes, which have to be put back before the next use.
    fn lend(&mut self) -> Self;

    /// The node of the next `2^BASE` values, which begin at a multiple of that.
    fn base(&mut self) -> Self::Node;

    /// The node of the next `2^level` values, which begin at a multiple of that, for a level below.
    fn small(&mut self, level: u32) -> Self::Node;

    /// The value of so many last values, fewer than `FEW`, of a tree or right of other nodes.
    fn few(&mut self, count: usize) -> Self::Node;

    /// Two neighbours into one.
    fn merge(&self, left: Self::Node, right: Self::Node) -> Self::Node;
}

/// The value of eight neighbours.
#[inline(always)]
pub(crate) fn of_eight<V>(values: [V; 8], merge: impl Fn(V, V) -> V) -> V {
    let [a, b, c, d, e, f, g, h] = values;
    let front = merge(merge(a, b), merge(c, d));
    let back = merge(merge(e, f), merge(g, h));
    merge(front, back)
}

/// The value of one to seven neighbours.
#[inline]
pub(crate) fn of_few<V>(count: usize, mut one: impl FnMut() -> V, merge: impl Fn(V, V) -> V) -> V {
    let mut pair = || merge(one(), one());
    let four = (count & 4 != 0).then(|| merge(pair(), pair()));
    let two = (count & 2 != 0).then(pair);
    let last = (count & 1 != 0).then(one);
    let both = |left: Option<V>, right: Option<V>| match (left, right) {
        (Some(left), Some(right)) => Some(merge(left, right)),
        (left, right) => left.or(right),
    };
    both(four, both(two, last)).expect("there is a value")
}

/// The highest level of a node that one loop makes.
const LOOP: u32 = 12;

/// The node of the next `2^level` values, which begin at a multiple of that.
fn node<N: Nodes>(nodes: &mut N, level: u32) -> N::Node {
    if level < N::BASE {
        return nodes.small(level);
    }
    if level > LOOP {
        let left = node(nodes, level - 1);
        let right = node(nodes, level - 1);
        return nodes.merge(left, right);
    }
    // A local is kept in registers, which what lies behind a reference is not.
    let mut local = nodes.lend();
    // The left neighbour of each level's node to come, if that is a right one.
    let mut held = [const { None }; LOOP as usize];
    let mut made = 0_usize;
    let value = loop {
        made += 1;
        let mut value = local.base();
        let above = made.trailing_zeros();
        for left in &mut held[..above as usize] {
            value = local.merge(left.take().expect("a right node has a left neighbour"), value);
        }
        if above == level - N::BASE {
            break value;
        }
        held[above as usize] = Some(value);
    };
    *nodes = local;
    value
}

/// The value of the next `count` values, at least one, the last ones: a whole tree, or what is right of
/// the nodes before.
fn join<N: Nodes>(nodes: &mut N, count: usize) -> N::Node {
    if count < N::FEW {
        return nodes.few(count);
    }
    let level = count.ilog2();
    let left = node(nodes, level);
    match count - (1 << level) {
        0 => left,
        rest => {
            let right = join(nodes, rest);
            nodes.merge(left, right)
        }
    }
}

/// A stretch of the sequence, folded into the largest nodes of the fixed tree that lie inside it.
#[derive(Debug)]
pub(crate) struct Tree<V> {
    /// The index behind the last value.
    end: usize,
    /// The value of the whole sequence, once it has been seen whole.
    whole: Option<V>,
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
    #[inline]
    pub(crate) fn at(first: usize) -> Self {
        Self { end: first, whole: None, nodes: Vec::new() }
    }

    /// The whole sequence, of `count` values.
    #[inline]
    pub(crate) fn of_all(nodes: &mut impl Nodes<Node = V>, count: usize) -> Self {
        let whole = (count > 0).then(|| join(nodes, count));
        Self { end: count, whole, nodes: Vec::new() }
    }

    /// The next `count` values.
    pub(crate) fn extend(&mut self, nodes: &mut impl Nodes<Node = V>, count: usize) {
        let mut left = count;
        while left > 0 {
            let level = self.end.trailing_zeros().min(left.ilog2());
            left -= 1 << level;
            let value = node(nodes, level);
            self.add(Node { level, value }, |left, right| nodes.merge(left, right));
        }
    }

    /// The stretch that follows this one.
    pub(crate) fn append(&mut self, next: Self, merge: impl Fn(V, V) -> V) {
        for node in next.nodes {
            self.add(node, &merge);
        }
        // Nothing comes before a whole sequence or behind it.
        self.whole = self.whole.take().or(next.whole);
    }

    /// One value for a stretch that began at 0; `None` if it is empty.
    #[inline]
    pub(crate) fn finish(self, merge: impl Fn(V, V) -> V) -> Option<V> {
        // The nodes shrink towards the end, so each odd one out meets its left neighbour last.
        let values = self.nodes.into_iter().rev().map(|node| node.value);
        self.whole.or_else(|| values.reduce(|right, left| merge(left, right)))
    }

    fn add(&mut self, mut node: Node<V>, merge: impl Fn(V, V) -> V) {
        if self.nodes.capacity() == 0 {
            // Room for a plan's tree, so that it seldom grows.
            self.nodes.reserve(12);
        }
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

    /// Numbers from here on, in nodes of `2^BASE`.
    struct From<const BASE: u32>(usize);

    impl<const BASE: u32> From<BASE> {
        fn next(&mut self) -> String {
            self.0 += 1;
            format!("{} ", self.0 - 1)
        }
    }

    impl<const BASE: u32> Nodes for From<BASE> {
        type Node = String;

        const BASE: u32 = BASE;
        const FEW: usize = if BASE > 2 { 8 } else { 0 };

        fn lend(&mut self) -> Self {
            Self(self.0)
        }

        fn base(&mut self) -> String {
            if BASE == 3 {
                assert_eq!(self.0 % 8, 0);
                return of_eight(std::array::from_fn(|_| self.next()), pair);
            }
            self.small(BASE)
        }

        fn small(&mut self, level: u32) -> String {
            assert_eq!(self.0 % (1 << level), 0);
            match level {
                0 => self.next(),
                _ => pair(self.small(level - 1), self.small(level - 1)),
            }
        }

        fn few(&mut self, count: usize) -> String {
            assert_eq!(self.0 % 8, 0);
            of_few(count, || self.next(), pair)
        }

        fn merge(&self, left: String, right: String) -> String {
            pair(left, right)
        }
    }

    fn stretch(from: usize, to: usize) -> Tree<String> {
        let mut tree = Tree::at(from);
        tree.extend(&mut From::<0>(from), to - from);
        tree
    }

    #[test]
    fn it_is_the_level_by_level_tree_wherever_it_is_cut() {
        for n in (0..=70).chain([127, 128, 129, 136, 191, 193, 1000, 1023, 1025, 8195]) {
            let expected = by_levels(n);
            assert_eq!(stretch(0, n).finish(pair), expected);
            assert_eq!(Tree::of_all(&mut From::<0>(0), n).finish(pair), expected);
            assert_eq!(Tree::of_all(&mut From::<3>(0), n).finish(pair), expected);
            assert_eq!(Tree::of_all(&mut From::<5>(0), n).finish(pair), expected);
            for first in (0..=n).step_by(1 + n / 20) {
                for second in (first..=n).step_by(1 + n / 15) {
                    let mut right = stretch(first, second);
                    right.append(stretch(second, n), pair);
                    let mut all = stretch(0, first);
                    all.append(right, pair);
                    assert!(all.nodes.len() <= 14);
                    assert_eq!(
                        all.finish(pair),
                        expected,
                        "{n} values cut at {first} and {second}"
                    );
                    let mut all = stretch(0, first);
                    all.extend(&mut From::<3>(first), second - first);
                    all.extend(&mut From::<5>(second), n - second);
                    assert_eq!(all.finish(pair).as_ref(), expected.as_ref());
                }
            }
        }
    }

    #[test]
    fn a_whole_sequence_is_a_stretch_like_others() {
        let mut all = Tree::at(0);
        all.append(Tree::of_all(&mut From::<3>(0), 21), pair);
        all.append(Tree::at(21), pair);
        assert_eq!(all.finish(pair), by_levels(21));
    }
}
