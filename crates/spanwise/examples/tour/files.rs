//! What is read. In come paths that the user named, or nothing; out come texts, and on `err` a line
//! for whatever could not be read as hoped.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
    str,
};

use super::report::grouped;

/// Text beyond this is left out where nobody named it.
const MOST: usize = 256 << 20;

/// A file in memory. Its bytes need not be UTF-8.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// Texts that were looked for, and where.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) texts: Vec<Text>,
    pub(crate) what: String,
}

/// Reads the files that the user named, and says why one is left out or special.
pub(crate) fn named(paths: &[PathBuf], err: &mut dyn Write) -> io::Result<Vec<Text>> {
    let mut texts = Vec::new();
    for path in paths {
        let name = path.display();
        match read(path) {
            Err(reason) => writeln!(err, "tour: {name}: {reason}; left out")?,
            Ok(text) => {
                if text.bytes.is_empty() {
                    writeln!(err, "tour: {name}: is empty; counts as 0 bytes")?;
                } else if str::from_utf8(&text.bytes).is_err() {
                    writeln!(err, "tour: {name}: is not UTF-8; counted byte by byte")?;
                }
                texts.push(text);
            }
        }
    }
    Ok(texts)
}

/// Reads a file whole. Pipes and devices are refused: they can block, or never end.
fn read(path: &Path) -> Result<Text, String> {
    let kind = fs::metadata(path).map_err(|error| error.to_string())?.file_type();
    if kind.is_dir() {
        return Err("is a directory".to_owned());
    }
    if !kind.is_file() {
        return Err("is not a regular file".to_owned());
    }
    let bytes = fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    Ok(Text { path: path.to_owned(), bytes })
}

/// The Rust sources of the toolchain and of cargo's registry; where there are none, the toolchain's
/// documentation; where that is missing too, this workspace.
pub(crate) fn sources(sysroot: Option<&Path>, err: &mut dyn Write) -> io::Result<Found> {
    let cargo = cargo_home();
    let under = |root: Option<&Path>, inner| root.map(|root| root.join(inner));
    let rust: &[&str] = &["rs"];
    let places = [
        (
            "Rust sources of the toolchain and of cargo",
            vec![
                under(sysroot, "lib/rustlib/src"),
                under(cargo.as_deref(), "registry/src"),
                under(cargo.as_deref(), "git/checkouts"),
            ],
            rust,
        ),
        (
            "documentation of the toolchain",
            vec![under(sysroot, "share/doc")],
            &["html", "md", "txt", "js"],
        ),
        ("Rust sources of this workspace", vec![Some(workspace())], rust),
    ];
    for (what, folders, endings) in places {
        let paths = folders.iter().flatten().flat_map(|folder| walk(folder));
        let texts = read_all(paths.filter(|(path, _)| ends_in(path, endings)), err)?;
        if !texts.is_empty() {
            let files = grouped(texts.len());
            return Ok(Found { texts, what: format!("{what}: {files} files") });
        }
    }
    Ok(Found { texts: Vec::new(), what: "no text was found".to_owned() })
}

/// Reads what can be read, up to [`MOST`] bytes, and says in a line or two what is left out.
fn read_all(
    paths: impl Iterator<Item = (PathBuf, u64)>,
    err: &mut dyn Write,
) -> io::Result<Vec<Text>> {
    let (mut texts, mut size) = (Vec::new(), 0);
    let (mut unreadable, mut beyond) = (0, 0);
    for (path, bytes) in paths {
        if bytes > (MOST - size) as u64 {
            beyond += 1;
            continue;
        }
        match read(&path) {
            Err(_) => unreadable += 1,
            Ok(text) => {
                size = MOST.min(size + text.bytes.len());
                texts.push(text);
            }
        }
    }
    if unreadable > 0 {
        writeln!(err, "tour: {unreadable} files cannot be read; left out")?;
    }
    if beyond > 0 {
        writeln!(err, "tour: {beyond} files are more than {} MiB of text; left out", MOST >> 20)?;
    }
    Ok(texts)
}

/// The largest library of the toolchain that can be read, or else this program.
pub(crate) fn largest_library(
    sysroot: Option<&Path>,
    err: &mut dyn Write,
) -> io::Result<Option<Text>> {
    let is_library = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // A version may follow, as in `libLLVM.so.22`.
        name.contains(".so.") || ends_in(path, &["so", "dylib", "dll", "rlib", "a", "lib"])
    };
    let files = sysroot.into_iter().flat_map(|sysroot| walk(&sysroot.join("lib")));
    let mut libraries: Vec<_> = files.filter(|(path, _)| is_library(path)).collect();
    libraries.sort_by_key(|(_, size)| *size);
    while let Some((path, _)) = libraries.pop() {
        match read(&path) {
            Ok(library) => return Ok(Some(library)),
            Err(reason) => writeln!(err, "tour: {}: {reason}; left out", path.display())?,
        }
    }
    Ok(env::current_exe().ok().and_then(|path| read(&path).ok()))
}

fn ends_in(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|&known| ending == known))
}

/// All regular files under a folder and their sizes, in the order of their names. Links are not
/// followed; a folder that cannot be listed has no files.
fn walk(folder: &Path) -> impl Iterator<Item = (PathBuf, u64)> + use<> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                folders.push(entry.path());
            } else if meta.is_file() {
                files.push((entry.path(), meta.len()));
            }
        }
    }
    files.sort_unstable();
    files.into_iter()
}

/// Where the Rust toolchain is, as its compiler says.
pub(crate) fn sysroot(err: &mut dyn Write) -> io::Result<Option<PathBuf>> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let reason = match Command::new(&rustc).args(["--print", "sysroot"]).output() {
        Ok(told) if told.status.success() => match String::from_utf8(told.stdout) {
            Ok(path) => return Ok(Some(PathBuf::from(path.trim_end()))),
            Err(error) => error.to_string(),
        },
        Ok(told) => told.status.to_string(),
        Err(error) => error.to_string(),
    };
    writeln!(err, "tour: {} does not tell where it is: {reason}", rustc.to_string_lossy())?;
    Ok(None)
}

fn cargo_home() -> Option<PathBuf> {
    let home = || env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"));
    let filled = |value: &OsString| !value.is_empty();
    env::var_os("CARGO_HOME")
        .filter(filled)
        .map(PathBuf::from)
        .or_else(|| home().filter(filled).map(|home| Path::new(&home).join(".cargo")))
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
