//! What a simulated call tells.

/// What a simulated call tells. Times are in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Until the caller had its result.
    pub nanos: u64,
    /// Rows, by where they began and ended, in the order in which they were done.
    pub ran: Vec<(usize, usize)>,
    /// What all rows took, together.
    pub work: u64,
    /// What all threads spent waiting for a stolen half of their own, together.
    pub waiting: u64,
    /// What they spent without any work, asleep or awake.
    pub without: u64,
    /// Halves that were taken by another thread.
    pub steals: usize,
    /// Those from another memory node.
    pub far: usize,
    /// Halves that were offered.
    pub offers: usize,
    /// Wakes that were given.
    pub wakes: usize,
    /// When each thread first had work, if ever.
    pub began: Vec<Option<u64>>,
}

impl Outcome {
    /// How many times faster than one thread.
    pub fn speed_up(&self, serial: u64) -> f64 {
        serial as f64 / self.nanos as f64
    }

    /// What part of the threads' time went into anything but rows.
    pub fn idle(&self) -> f64 {
        1.0 - self.work as f64 / (self.nanos as f64 * self.began.len() as f64)
    }

    /// What part of the thefts was across nodes.
    pub fn far_share(&self) -> f64 {
        self.far as f64 / self.steals.max(1) as f64
    }

    /// When nine threads in ten had begun, of those that had work at all.
    pub fn late(&self) -> u64 {
        let mut began: Vec<u64> = self.began.iter().flatten().copied().collect();
        began.sort_unstable();
        began[(began.len() - 1) * 9 / 10]
    }
}
