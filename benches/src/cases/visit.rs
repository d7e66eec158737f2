//! Who measures. In come pipelines one by one, out come their cells: hot, after sleep, or unpinned, each
//! held to what is promised for it.

use crate::{
    cell::{Cell, Limit, Most, Place},
    peers::Peers,
    pipeline::{Pipeline, ours, sleepers, variants},
    session::{Session, once},
};

/// Sees pipelines one by one. The places that it is shown are hot ones; it knows better.
pub trait Visit {
    /// Measures one pipeline at one size.
    ///
    /// # Errors
    ///
    /// If answers differ.
    fn visit<P: Pipeline>(&mut self, place: Place, job: &P) -> Result<(), String>;
}

/// Threads are awake from the calls before.
#[derive(Debug)]
pub struct Hot<'a> {
    /// The run.
    pub session: &'a mut Session,
    /// The pools.
    pub peers: &'a Peers,
}

impl Visit for Hot<'_> {
    fn visit<P: Pipeline>(&mut self, place: Place, job: &P) -> Result<(), String> {
        let (serial, _) = once(|| job.serial());
        let mut variants = variants(job, self.peers);
        let cell = self.session.add_hot(place, serial, &mut variants)?;
        if let Some(limit) = hot_limit(cell) {
            cell.judge(limit);
        }
        Ok(())
    }
}

/// Everybody sleeps for 5 ms before each call.
#[derive(Debug)]
pub struct Cold<'a> {
    /// The run.
    pub session: &'a mut Session,
    /// The pools.
    pub peers: &'a Peers,
}

impl Visit for Cold<'_> {
    fn visit<P: Pipeline>(&mut self, place: Place, job: &P) -> Result<(), String> {
        let place = Place { state: "after sleep", ..place };
        let (ask, rounds) = self.session.cold();
        let cell = self.session.add(place, &ask, rounds, &mut sleepers(job, self.peers))?;
        let most = match cell.nanos("serial again") {
            ..3e5 => 1.05,
            ..1e6 => 0.75,
            _ => 0.60,
        };
        let (of, beside, most) = ("deque", "serial again", Most::Times(most));
        cell.judge(Limit { row: "after 5 ms of sleep", of, beside, most });
        Ok(())
    }
}

/// The system puts threads where it likes.
#[derive(Debug)]
pub struct Unpinned<'a> {
    /// The run.
    pub session: &'a mut Session,
    /// Pools whose threads are not pinned.
    pub peers: &'a Peers,
}

impl Visit for Unpinned<'_> {
    fn visit<P: Pipeline>(&mut self, place: Place, job: &P) -> Result<(), String> {
        let place = Place { state: "unpinned", ..place };
        let (serial, _) = once(|| job.serial());
        let mut variants = ours(job, self.peers);
        variants.extend(sleepers(job, self.peers).pop());
        let cell = self.session.add_hot(place, serial, &mut variants)?;
        if cell.nanos("serial") >= 1e6 {
            cell.judge(Limit::serial("unpinned, from 1 ms of work on", Most::Times(0.62)));
        }
        Ok(())
    }
}

/// What a hot cell is held to.
fn hot_limit(cell: &Cell) -> Option<Limit> {
    use Most::{Either, More, Times};

    let serial = |row, most| Some(Limit::serial(row, most));
    let Place { case, cost, items, .. } = &cell.place;
    match &case[..] {
        // A few dear rows are all that serial runs.
        "any, hit at 1 %" if cost != "cheap" => return None,
        "any, hit at 1 %" => return serial("any, early hit", Either(1.10, 20.0)),
        "find_first, absent" | "any, absent" if cost == "cheap" => {
            let row = "find_first and any, absent";
            return if *items == 1_000_000 { serial(row, Times(0.55)) } else { None };
        }
        "growing" | "falling" => return serial("growing or falling cost", Times(0.53)),
        "all in the first eighth" | "all in the last eighth" => {
            return serial("all cost in one eighth", Times(0.58));
        }
        "nested, 100 rows of 1,000" => return serial("100 × 1,000 nested", Times(0.52)),
        _ => {}
    }
    match (&cost[..], &case[..], items) {
        ("expensive", _, ..100) => None,
        ("expensive", _, ..1000) => serial("expensive", Times(0.60)),
        ("expensive", _, ..10_000) => serial("expensive", Times(0.54)),
        ("expensive", _, _) => serial("expensive", Times(0.52)),
        (_, "sum of f64", 1000) => serial("f64 sum, cheap", Times(0.42)),
        (_, "sum of f64", 10_000) => serial("f64 sum, cheap", Times(0.32)),
        (_, "sum of f64", 100_000) => serial("f64 sum, cheap", Times(0.22)),
        (_, "sum of f64", 10_000_000) => serial("f64 sum, cheap", Times(0.30)),
        (_, "sum of f64", _) => None,
        ("cheap", _, ..1000) => serial("cheap", More(15.0)),
        ("cheap", _, 1000) => serial("cheap", Times(1.05)),
        ("cheap", _, 10_000) => serial("cheap", Times(0.66)),
        ("cheap", "map, collect", 100_000) => serial("cheap", Times(0.60)),
        ("cheap", _, 100_000) => serial("cheap", Times(0.56)),
        ("cheap", _, 1_000_000) => serial("cheap", Times(0.55)),
        ("cheap", _, _) => {
            let beside = cell.best_peer()?.name;
            Some(Limit { row: "cheap", of: "deque", beside, most: Times(1.03) })
        }
        _ => None,
    }
}
