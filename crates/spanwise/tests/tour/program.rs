//! What the tour says of bad input and bad output, and of its own pipelines.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Write},
    path::Path,
};

use crate::{
    Folder, listed, run, run_on,
    tour::{
        self, files,
        race::{self, Entry, Verdict},
        report::Report,
        words::Counts,
    },
};

#[test]
fn bad_files_are_named_and_the_rest_goes_on() {
    let folder = Folder::new("bad");
    let good = folder.file("good", "two words\n");
    let empty = folder.file("empty", "");
    let binary = folder.file("binary", b"\xff\xfe \x80\n");
    let missing = folder.0.join("missing");
    let (status, out, err) = run_on(&[&missing, &folder.0, &empty, &binary, &good]);
    assert_eq!(status, 0);
    assert_eq!(listed(&out, "good"), Counts { lines: 1, words: 2, bytes: 10 });
    assert_eq!(listed(&out, "empty"), Counts::default());
    assert_eq!(listed(&out, "binary"), Counts { lines: 1, words: 2, bytes: 5 });
    assert_eq!(listed(&out, "  total"), Counts { lines: 2, words: 4, bytes: 15 });
    assert!(out.contains("All 2 rows equal"), "{out}");
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 4, "{err}");
    for (line, (path, reason)) in lines.iter().zip([
        (&missing, "left out"),
        (&folder.0, "is a directory; left out"),
        (&empty, "is empty; counts as 0 bytes"),
        (&binary, "is not UTF-8; counted byte by byte"),
    ]) {
        assert!(line.starts_with(&format!("tour: {}: ", path.display())), "{line}");
        assert!(line.ends_with(reason), "{line}");
    }
}

#[test]
fn no_readable_file_is_a_failure() {
    let folder = Folder::new("none");
    let missing = folder.0.join("missing");
    let (status, out, err) = run_on(&[&missing, &folder.0]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert_eq!(err.lines().count(), 3, "{err}");
    assert!(err.contains("nothing to do"), "{err}");
    // Only empty files are files all the same.
    let (status, out, _) = run_on(&[&folder.file("empty", "")]);
    assert_eq!(status, 0, "{out}");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_and_a_device_are_left_out() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new("unreadable");
    let secret = folder.file("secret", "hidden\n");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    let good = folder.file("good", "seen\n");
    let (status, out, err) = run_on(&[&secret, Path::new("/dev/null"), &good]);
    assert_eq!(status, 0, "{out}");
    assert!(err.contains("/dev/null: is not a regular file; left out"), "{err}");
    // The superuser may read it.
    if fs::read(&secret).is_err() {
        assert!(err.contains("secret: cannot be read: "), "{err}");
        assert!(!out.contains("secret"), "{out}");
    }
}

#[test]
fn arguments_are_checked() {
    for (args, reason) in [
        (&["--threads"][..], "--threads needs a number"),
        (&["--threads", "two"], "--threads needs a number and got \"two\""),
        (&["--threads=-1"], "--threads needs a number and got \"-1\""),
        (&["--threads", "0"], "a pool needs at least one thread"),
        (&["--threads", "1000000"], "at most"),
        (&["--max-items="], "--max-items needs a number and got \"\""),
        (&["--full=yes"], "there is no option \"--full=yes\""),
        (&["--fast"], "there is no option \"--fast\""),
        (&["--", "--fast"], "--fast: "),
    ] {
        let (status, out, err) = run(args.iter().copied());
        assert_eq!((status, out.as_str()), (1, ""), "{args:?}");
        assert!(err.contains(reason), "{args:?}: {err}");
    }
    for help in ["--help", "-h"] {
        let (status, out, err) = run([help]);
        assert_eq!((status, err.as_str()), (0, ""));
        assert!(
            ["usage", "--threads", "--max-items", "--full"].iter().all(|s| out.contains(s)),
            "{out}"
        );
    }
}

#[test]
fn all_pipelines_are_equal() {
    let folder = Folder::new("pipelines");
    let file = folder.file("file", "text\n");
    let file = file.to_str().unwrap();
    for threads in ["1", "2", "3"] {
        let (status, out, err) = run(["--threads", threads, "--max-items", "1000", file]);
        assert_eq!((status, err.as_str()), (0, ""), "{out}");
        // Nine pipelines, cheap and expensive, then `wc` and the build id.
        assert!(out.contains("All 20 rows equal"), "{out}");
        assert_eq!(out.lines().filter(|line| line.contains("  1,000  ")).count(), 18, "{out}");
    }
}

/// A row whose ways give these answers.
fn row(reference: f64, answers: [f64; race::WAYS]) -> race::Row {
    let [serial, deque, rayon] = answers;
    let entry = Entry { work: "work", input: "list", items: 1 };
    let ways: [&dyn Fn() -> f64; race::WAYS] = [&|| serial, &|| deque, &|| rayon];
    race::race(entry, &|| reference, ways)
}

#[test]
fn an_answer_that_differs_is_seen() {
    let near = 1.0 + 1e-12;
    assert_eq!(row(1.0, [1.0; 3]).verdict, Verdict::Equal);
    assert_eq!(row(1.0, [near, 1.0, 1.0]).verdict, Verdict::EqualButStd);
    assert_eq!(row(1.0, [1.1, 1.0, 1.0]).verdict, Verdict::Differs);
    assert_eq!(row(1.0, [near, near, 1.0]).verdict, Verdict::Differs);
    assert_eq!(row(1.0, [1.0, 1.0, near]).verdict, Verdict::Differs);
    assert_eq!(row(0.0, [0.0, -0.0, 0.0]).verdict, Verdict::Differs);

    let mut out = Vec::new();
    let mut report = Report::new(&mut out);
    report.row(&row(1.0, [1.0; 3])).unwrap();
    report.row(&row(1.0, [1.0, 2.0, 1.0])).unwrap();
    let outcome = report.finish(std::time::Duration::ZERO);
    assert_eq!(tour::status(outcome, &mut io::sink()), 1);
    assert!(String::from_utf8(out).unwrap().contains("1 of 2 rows DIFFER"));
}

/// A reader that has gone, or a disk that is full.
struct Deaf(io::ErrorKind);

impl Write for Deaf {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn output_that_cannot_be_written_is_told() {
    for (kind, expected) in [(io::ErrorKind::BrokenPipe, 0), (io::ErrorKind::StorageFull, 1)] {
        let mut err = Vec::new();
        let help = [OsString::from("--help")].into_iter();
        let outcome = tour::run(help, &mut Deaf(kind), &mut err);
        assert_eq!(tour::status(outcome, &mut err), expected);
        assert_eq!(err.is_empty(), expected == 0);
    }
}

#[test]
fn what_nobody_named_is_found() {
    let folder = Folder::new("found");
    let (source, lib) = (folder.0.join("lib/rustlib/src/deep"), folder.0.join("lib/deeper"));
    fs::create_dir_all(&source).unwrap();
    fs::create_dir_all(&lib).unwrap();
    fs::write(source.join("main.rs"), "fn main() {}\n").unwrap();
    fs::write(source.join("main.txt"), "no source").unwrap();
    fs::write(folder.0.join("lib/small.so"), "small").unwrap();
    fs::write(lib.join("large.so.1"), "larger").unwrap();
    fs::write(lib.join("largest.txt"), "largest of all").unwrap();
    let mut err = Vec::new();
    let found = files::sources(Some(&folder.0), &mut err).unwrap();
    assert!(found.texts.iter().any(|text| text.bytes == b"fn main() {}\n"), "{}", found.what);
    assert!(found.texts.iter().all(|text| text.path.extension() == Some("rs".as_ref())));
    let library = files::largest_library(Some(&folder.0), &mut err).unwrap().unwrap();
    assert_eq!(library.bytes, b"larger");
    // Without a toolchain there is still this program.
    let myself = files::largest_library(None, &mut err).unwrap().unwrap();
    assert_eq!(Some(myself.path), env::current_exe().ok());
}
