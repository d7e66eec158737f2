//! What the tour counts: the same on every backend, and what `wc` says.

use std::{
    env, fs,
    ops::Add,
    path::{Path, PathBuf},
    process::Command,
};

use spanwise::backend::Serial;
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

use crate::{
    Folder, WIDTHS, listed, run_on,
    tour::words::{self, Counts},
};

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
