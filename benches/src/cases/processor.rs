//! CPU time, of all threads and the kernel, for one small call a millisecond.

use std::{thread, time::Duration};

use super::suite::LEAVES;
use crate::{
    answer::Answer,
    cell::{Limit, Most, Place},
    chains::Sum,
    input::{cheap, list},
    machine,
    peers::Peers,
    pipeline::{Pipeline, variants},
    sample::{Ask, Measured},
    session::Session,
    stats::Summary,
};

/// CPU time a call, the sleeps between and their timers included.
///
/// # Errors
///
/// If answers differ.
pub fn processor(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let rows = list(1000);
    let job = Sum { rows: &rows, f: cheap, leaf: LEAVES[0] };
    let calls = session.times(100, 400) as u32;
    let place = Place::hot("CPU time, one call a millisecond", "cheap", 1000);
    session.show(&place);
    let expected = Answer::from(job.serial());
    let mut all = variants(&job, peers);
    // Their pools would be made for each call, which would cost more than the call.
    all.retain(|variant| !matches!(variant.name, "chili" | "fork_union" | "Serial"));
    let mut used = vec![Vec::new(); all.len()];
    for _ in 0..session.times(3, 9) {
        for (variant, used) in all.iter_mut().zip(&mut used) {
            let before = machine::cpu_time();
            for _ in 0..calls {
                let got = variant.take(&Ask::ONCE);
                if got.answer != expected {
                    return Err(format!("{place}: {}", variant.name));
                }
                thread::sleep(Duration::from_millis(1));
            }
            let time = machine::cpu_time() - before;
            used.push(time.as_nanos() as f64 / f64::from(calls));
        }
    }
    let measured = all
        .iter()
        .zip(&mut used)
        .map(|(variant, used)| Measured { name: variant.name, nanos: Summary::of(used) });
    let measured = measured.collect();
    drop(all);
    let cell = session.keep(place, measured);
    cell.judge(Limit::serial("CPU for one cheap 1,000-item call a millisecond", Most::Times(1.3)));
    Ok(())
}
