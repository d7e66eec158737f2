//! What would end or limit a whole process, in one of its own: the program `victim`.

use std::{
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

const VICTIM: &str = env!("CARGO_BIN_EXE_victim");

const BACKENDS: [&str; 3] = ["serial", "deque", "rayon"];

/// Waits for the end of a process, which may not take long.
fn ended(command: &mut Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{command:?} hangs: {:?}", child.wait_with_output());
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_exit_in_a_callback_ends_the_process() {
    for backend in BACKENDS {
        let output = ended(Command::new(VICTIM).args(["exit", backend]));
        assert_eq!(output.status.code(), Some(7), "{backend}: {output:?}");
    }
}

#[test]
fn a_panic_that_leaves_main_ends_the_process() {
    for backend in BACKENDS {
        let output = ended(Command::new(VICTIM).args(["panic", backend]));
        assert_eq!(output.status.code(), Some(101), "{backend}: {output:?}");
        assert!(text(&output.stderr).contains("row 700"), "{backend}: {output:?}");
    }
}

#[test]
fn the_end_of_main_waits_for_no_call() {
    for backend in BACKENDS {
        let output = ended(Command::new(VICTIM).args(["leave", backend]));
        assert!(output.status.success(), "{backend}: {output:?}");
        assert_eq!(text(&output.stdout), "left\n", "{backend}");
    }
}

/// As for std's own `collect`, there is no answer to this but an abort.
#[cfg(unix)]
#[test]
fn more_memory_than_there_is_aborts_as_in_std() {
    use std::os::unix::process::ExitStatusExt;

    for backend in BACKENDS {
        let output = ended(Command::new(VICTIM).args(["greedy", backend]));
        assert!(output.status.signal().is_some(), "{backend}: {output:?}");
        assert!(text(&output.stderr).contains("memory allocation of"), "{backend}: {output:?}");
    }
}

#[test]
fn the_variable_for_threads_is_obeyed_or_refused() {
    let run = |value: &std::ffi::OsStr| {
        ended(Command::new(VICTIM).arg("default").env("SPANWISE_THREADS", value))
    };
    for (value, width) in [("1", "1\n"), ("5", "5\n"), (" 2 ", "2\n"), ("+3", "3\n")] {
        let output = run(value.as_ref());
        assert!(output.status.success(), "{value:?}: {output:?}");
        assert_eq!(text(&output.stdout), width);
    }
    let refused = |value: &std::ffi::OsStr, why: &str| {
        let output = run(value);
        assert_eq!(output.status.code(), Some(101), "{value:?}: {output:?}");
        let said = text(&output.stderr);
        assert!(said.contains("no default pool") && said.contains(why), "{value:?}: {said}");
    };
    refused("0".as_ref(), "at least one thread");
    refused("1000000000".as_ref(), "at most 4096");
    for value in ["", " ", "-1", "two", "2.5", "0x10", "99999999999999999999999999", "3 4"] {
        refused(value.as_ref(), "SPANWISE_THREADS must be a number of threads");
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let value = std::ffi::OsStr::from_bytes(b"\xff\xfe4");
        refused(value, "SPANWISE_THREADS must be a number of threads");
    }
}

/// A limit on address space lets `k` threads' stacks through and refuses the next.
#[cfg(target_os = "linux")]
#[test]
fn a_thread_that_is_refused_leaves_none_behind_whichever_it_is() {
    for pool in ["deque", "rayon"] {
        for k in 0..8 {
            // A stack is 256 MiB, and half of one is room for all else.
            let limit = (256 * k + 128) << 10;
            let script = format!("ulimit -v {limit} && exec \"$0\" refused {pool}");
            // An arena of the allocator would take more address space than a stack.
            let mut shell = Command::new("sh");
            let output = ended(shell.args(["-c", &script, VICTIM]).env("MALLOC_ARENA_MAX", "1"));
            assert!(output.status.success(), "{pool}, {k} threads: {output:?}");
            let said = text(&output.stdout);
            let mut lines = said.lines();
            let first = lines.next().unwrap();
            if k == 7 {
                assert_eq!(first, "built, sum 4950");
            } else if pool == "deque" {
                let refused = format!("the system refused to start thread {}: ", k + 1);
                assert!(first.starts_with(&refused), "{k} threads: {said}");
            } else {
                assert!(first.starts_with("the pool could not be built: "), "{k} threads: {said}");
            }
            assert!(lines.eq(["1 left", "sum 4950"]), "{pool}, {k} threads: {said}");
        }
    }
}
