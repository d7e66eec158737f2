//! Random pipelines against std. The variable `SPANWISE_CASES` says how many; what ever failed is in
//! `regressions/pipelines.txt` and is run first.

mod pipeline;

use std::{env, time::Instant};

use proptest::test_runner::{Config, FileFailurePersistence, TestRunner};
use spanwise_proptests::backends::joins;

use pipeline::pipeline;

#[test]
fn random_pipelines_give_what_std_gives() {
    let cases = match env::var("SPANWISE_CASES") {
        Ok(cases) => cases.parse().expect("SPANWISE_CASES is a number"),
        Err(_) => 2000,
    };
    let config = Config {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "regressions/pipelines.txt",
        ))),
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let (start, before) = (Instant::now(), joins());
    let ran = TestRunner::new(config).run(&pipeline(), |pipeline| {
        pipeline.check();
        Ok(())
    });
    let (seconds, joins) = (start.elapsed().as_secs_f64(), joins() - before);
    let found = usize::from(ran.is_err());
    println!("pipelines: {cases} cases, {joins} joins, {seconds:.1} s, found {found}");
    if let Err(failure) = ran {
        panic!("{failure}");
    }
    // Calls that seem cheap run without a join, and would show little.
    assert!(joins > u64::from(cases) * 2, "only {joins} joins in {cases} pipelines");
}
