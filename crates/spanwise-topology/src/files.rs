//! Small files of the kernel, below some root. In come paths, out comes what they say, or `None` for
//! what cannot be read or understood. Tests bring roots of their own.

use std::{fs, path::PathBuf};

/// No machine has a CPU or a node of a higher number: a longer list is a broken one.
const MOST: usize = 1 << 16;

/// The folder that counts as `/`.
#[derive(Clone, Debug)]
pub(crate) struct Root(PathBuf);

impl Root {
    pub(crate) fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The text of the file with this absolute path, trimmed.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.0.join(path.trim_start_matches('/'))).ok()?;
        Some(text.trim().to_owned())
    }

    /// A file that holds one number.
    pub(crate) fn number<N: std::str::FromStr>(&self, path: &str) -> Option<N> {
        self.text(path)?.parse().ok()
    }

    /// A file that holds a list such as `0-3,8`, which is not empty.
    pub(crate) fn list(&self, path: &str) -> Option<Vec<usize>> {
        list(&self.text(path)?).filter(|list| !list.is_empty())
    }
}

fn list(text: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (first, last) = (number(first)?, number(last)?);
        if first > last || last >= MOST {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}

/// A folder with these files for the time of a test.
#[cfg(test)]
pub(crate) mod fake {
    use super::{PathBuf, Root, fs};

    pub(crate) struct Fake(PathBuf);

    impl Fake {
        /// `name` tells tests that run at once apart.
        pub(crate) fn new<'f>(
            name: &str,
            files: impl IntoIterator<Item = (&'f str, &'f str)>,
        ) -> Self {
            let folder =
                std::env::temp_dir().join(format!("spanwise-{name}-{}", std::process::id()));
            let fake = Self(folder);
            files.into_iter().for_each(|(path, text)| fake.write(path, text));
            fake
        }

        pub(crate) fn write(&self, path: &str, text: &str) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        pub(crate) fn root(&self) -> Root {
            Root::new(&self.0)
        }
    }

    impl Drop for Fake {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        assert_eq!(list("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(list("5"), Some(vec![5]));
        assert_eq!(list(""), Some(vec![]));
        for broken in ["3-1", "a", "1-", "-1", "0-4294967295", "0-99999999999999999999"] {
            assert_eq!(list(broken), None, "{broken}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_nothing() {
        let fake =
            fake::Fake::new("files", [("list", " 0-1\n"), ("empty", "\n"), ("seven", "7\n")]);
        let root = fake.root();
        assert_eq!(root.list("/list"), Some(vec![0, 1]));
        assert_eq!((root.list("/empty"), root.list("/none")), (None, None));
        assert_eq!(root.number::<i64>("/seven"), Some(7));
        assert_eq!(root.number::<i64>("/list"), None);
        // A folder is there and cannot be read as a file.
        fake.write("folder/file", "");
        assert_eq!(root.text("/folder"), None);
    }
}
