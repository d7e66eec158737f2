//! What things cost, in nanoseconds. In come what was measured and what is assumed, out come prices.

use spanwise_topology::{Distance, Layout};

/// What things cost, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// A cache line that another core of the same third-level cache wrote last. Measured.
    pub line: u64,
    /// A look at a seat where nothing has changed since the last.
    pub look: u64,
    /// Between two rounds of looks.
    pub pause: u64,
    /// A look at a flag that nobody has changed.
    pub flag: u64,
    /// How much longer a theft takes for each other thread that looks at the same line.
    pub herd: u64,
    /// To offer a half, fence included.
    pub offer: u64,
    /// To take it back.
    pub take_back: u64,
    /// A stride beside its rows: a clock read, and the look at what ends a call.
    pub stride: u64,
    /// What a wake costs the thread that gives it. Measured.
    pub wake_call: u64,
    /// From then on until the thread that gets it runs: some time between these two. Measured.
    pub wake: (u64, u64),
    /// By how much rows may take longer than they should, in thousandths.
    pub noise: u64,
}

impl Prices {
    /// On the machine that the pool was tuned on: AMD EPYC of the fifth generation, a guest with two cores of one
    /// third-level cache. `scaling` measures them anew wherever it runs.
    pub const MEASURED: Self = Self {
        line: 60,
        look: 3,
        pause: 20,
        flag: 1,
        herd: 10,
        offer: 12,
        take_back: 6,
        stride: 30,
        wake_call: 6_000,
        wake: (36_000, 89_000),
        noise: 20,
    };

    /// How many times dearer a line is at a distance than within one third-level cache. Assumed: what
    /// is usual on servers of many chips.
    pub fn times(distance: Distance) -> f64 {
        match distance {
            Distance::Core => 0.4,
            Distance::L2 => 0.7,
            Distance::L3 => 1.0,
            Distance::Node => 2.5,
            Distance::Package => 3.5,
            Distance::Machine => 6.0,
        }
    }

    /// A line that passes between two workers.
    pub(super) fn line_between(&self, layout: &Layout, from: usize, to: usize) -> u64 {
        let distance = layout.distance(from, to).unwrap_or(Distance::L3);
        (self.line as f64 * Self::times(distance)) as u64
    }
}
