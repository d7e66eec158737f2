//! The tour, on files made here: what it counts, what it hashes, what it says of bad input.

#[allow(dead_code, reason = "a test has no use for the example's `main`")]
#[path = "../examples/tour/main.rs"]
mod tour;

use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Write},
    ops::Add,
    path::{Path, PathBuf},
    process::{self, Command},
};

use spanwise::backend::Serial;
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;
use tour::{
    build_id, files,
    race::{self, Entry, Verdict},
    report::Report,
    sha256::{Digest, sha256},
    words::{self, Counts},
};

const WIDTHS: [usize; 4] = [1, 2, 3, 8];

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("spanwise-tour-{}-{test}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind lies in the system's own folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program: exit status, output, errors.
fn run<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let outcome = tour::run(args.into_iter().map(Into::into), &mut out, &mut err);
    let status = tour::status(outcome, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Runs it on files alone, without the pipelines.
fn run_on(files: &[&Path]) -> (u8, String, String) {
    let options = ["--threads=2", "--max-items=0"].map(OsString::from);
    run(options.into_iter().chain(files.iter().map(|file| file.as_os_str().to_owned())))
}

/// Texts with every kind of space, end and border. The last are long enough for several pieces.
fn texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = [
        "",
        " ",
        "\n",
        "a",
        "a\n",
        " a ",
        "\n\n\n",
        "one two\nthree",
        "a\tb\x0bc\x0cd\re\r\n",
        "na\u{ef}ve caf\u{e9}\n",
        "no_newline_at_end",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    texts.push(b"a\xff\xfe b\0c \x80z\n".to_vec());
    texts.push(b"x".repeat(200_000));
    texts.push(b"word and  word\n".repeat(20_000));
    texts
}

/// The counts by a walk over all bytes with one flag.
fn counts_by_flag(text: &[u8]) -> Counts {
    let (mut lines, mut words, mut inside) = (0, 0, false);
    for &byte in text {
        let space = byte == b' ' || (9..=13).contains(&byte);
        lines += usize::from(byte == b'\n');
        words += usize::from(!space && !inside);
        inside = !space;
    }
    Counts { lines, words, bytes: text.len() }
}

#[test]
fn counts_do_not_depend_on_pieces_backend_or_width() {
    for text in texts() {
        let expected = counts_by_flag(&text);
        for size in [1, 2, 7, 1 << 16].into_iter().filter(|size| text.len() / size < 1000) {
            let pieces: Vec<_> = words::pieces(&text, size).collect();
            assert_eq!(words::count(&pieces, &Serial), expected);
            for width in WIDTHS {
                assert_eq!(words::count(&pieces, &DequePool::new(width).unwrap()), expected);
                assert_eq!(words::count(&pieces, &RayonPool::new(width).unwrap()), expected);
            }
        }
    }
}

/// What GNU `wc` says in a locale, or nothing where it is not installed.
fn wc(locale: &str, file: &Path) -> Option<Counts> {
    let version = Command::new("wc").arg("--version").output().ok()?;
    if !String::from_utf8_lossy(&version.stdout).contains("GNU coreutils") {
        return None;
    }
    let told = Command::new("wc").env("LC_ALL", locale).arg("-lwc").arg(file).output().ok()?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let mut numbers = told.split_whitespace().map_while(|number| number.parse().ok());
    let mut next = || numbers.next();
    Some(Counts { lines: next()?, words: next()?, bytes: next()? })
}

/// What the program lists for a file.
fn listed(out: &str, name: &str) -> Counts {
    let line =
        out.lines().find(|line| line.ends_with(name)).unwrap_or_else(|| panic!("{name}: {out}"));
    let numbers: Vec<usize> = line.split_whitespace().take(3).map(|n| n.parse().unwrap()).collect();
    Counts { lines: numbers[0], words: numbers[1], bytes: numbers[2] }
}

#[test]
fn wc_agrees() {
    let folder = Folder::new("wc");
    let mut files: Vec<PathBuf> = Vec::new();
    for (i, text) in texts().iter().enumerate() {
        files.push(folder.file(&format!("text-{i}"), text));
    }
    // Real text: the library's own sources.
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            files.push(path);
        }
    }
    let (status, out, _) = run_on(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    assert_eq!(status, 0, "{out}");
    let mut total = Counts::default();
    for file in &files {
        let ours = listed(&out, &format!("  {}", file.display()));
        assert_eq!(ours, counts_by_flag(&fs::read(file).unwrap()), "{}", file.display());
        total = total.add(ours);
    }
    assert_eq!(listed(&out, "  total"), total);

    let probe = folder.file("probe", "\u{e9}\n");
    let Some(probed) = wc("C", &probe) else {
        eprintln!("not compared with wc: GNU coreutils is not installed");
        return;
    };
    for file in &files {
        // Some versions do not count a word of which no byte is ASCII in the C locale.
        let text = fs::read(file).unwrap();
        let every_word_has_ascii = text
            .split(|byte| byte.is_ascii_whitespace() || *byte == 11)
            .all(|word| word.is_empty() || word.iter().any(u8::is_ascii_graphic));
        if probed.words == 1 || every_word_has_ascii {
            let ours = listed(&out, &format!("  {}", file.display()));
            assert_eq!(wc("C", file).unwrap(), ours, "{}", file.display());
        }
    }
}

#[test]
fn wc_agrees_in_utf_8() {
    let folder = Folder::new("utf-8");
    let text =
        "\u{2500}\u{2500} \u{e9} \u{65e5}\u{672c}\u{8a9e}\n\u{2192} caf\u{e9}\r\n".repeat(5000);
    let file = folder.file("text", text);
    // A system without this locale falls back to C, where `wc` may skip these words.
    let probe = folder.file("probe", "\u{e9} \u{2192}\n");
    if wc("C.UTF-8", &probe).map(|counts| counts.words) != Some(2) {
        eprintln!("not compared with wc: no GNU coreutils, or no UTF-8 locale");
        return;
    }
    let (_, out, err) = run_on(&[&file]);
    assert_eq!(Some(listed(&out, "text")), wc("C.UTF-8", &file));
    assert_eq!(err, "");
}

#[test]
fn sha256_knows_the_vectors_of_its_standard() {
    let hex = |digest: Digest| digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (text, expected) in [
        (&b""[..], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (two_blocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        (
            &b"a".repeat(1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        ),
    ] {
        assert_eq!(hex(sha256(text, b"")), expected);
    }
    // A tail is as good as the same bytes in front, wherever the border falls.
    let text: Vec<u8> = (0..=255).collect();
    for length in 0..text.len() {
        for tail in 0..length.min(56) {
            let (front, back) = text[..length].split_at(length - tail);
            assert_eq!(sha256(front, back), sha256(&text[..length], b""));
        }
    }
}

/// Bytes that no two blocks share.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let step = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    std::iter::repeat_with(step).take(length).collect()
}

#[test]
fn a_build_id_is_the_same_on_every_backend_and_width() {
    const BLOCK: usize = build_id::BLOCK;
    let mut ids = Vec::new();
    for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 77] {
        let file = noise(length);
        let id = build_id::build_id_by_level(&file);
        assert_eq!(build_id::build_id(&file, &Serial), id, "{length} bytes");
        for width in WIDTHS {
            let (deque, rayon) = (DequePool::new(width).unwrap(), RayonPool::new(width).unwrap());
            assert_eq!(build_id::build_id(&file, &deque), id, "{length} bytes, {width} threads");
            assert_eq!(build_id::build_id(&file, &rayon), id, "{length} bytes, {width} threads");
        }
        ids.push(id);
    }
    // Every length has an id of its own.
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 6);
}

#[test]
fn a_build_id_changes_with_any_byte() {
    const BLOCK: usize = build_id::BLOCK;
    let pool = DequePool::new(2).unwrap();
    let mut file = noise(2 * BLOCK + 5);
    let id = build_id::build_id(&file, &pool);
    for at in [0, 63, BLOCK - 1, BLOCK, 2 * BLOCK, file.len() - 1] {
        file[at] ^= 1;
        assert_ne!(build_id::build_id(&file, &pool), id, "byte {at}");
        file[at] ^= 1;
    }
    assert_eq!(build_id::build_id(&file, &pool), id);
    // Two blocks that change places are another file.
    let (front, back) = file.split_at_mut(BLOCK);
    front.swap_with_slice(&mut back[..BLOCK]);
    assert_ne!(build_id::build_id(&file, &pool), id);
}

#[test]
fn the_program_prints_the_id_of_the_largest_file() {
    let folder = Folder::new("id");
    let small = folder.file("small", "tiny");
    let large = folder.file("large", noise(100_000));
    let hex = |file: &Path| -> String {
        let id = build_id::build_id(&fs::read(file).unwrap(), &Serial);
        id.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let (status, out, _) = run_on(&[&small, &large]);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains(&hex(&large)) && !out.contains(&hex(&small)), "{out}");
}

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
