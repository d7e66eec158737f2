//! A build id: one hash of a whole file, the same however many threads compute it. In comes a file,
//! out goes a row of the table.
//!
//! A linker's `--build-id` hashes all it has written. One hash is a serial thing, so the file is cut
//! into blocks that are hashed in parallel, and neighbours are hashed together, two by two, up to the
//! root: a Merkle tree. Its shape is that of `reduce_tree`, which depends on the number of blocks
//! alone.

use std::{io, ops::Range};

use spanwise::{backend::Backend, prelude::*};

use super::{
    files::Text,
    race::{Answer, Pools},
    report::Report,
    sha256::{Digest, sha256},
};

/// Bytes in a block. Part of what the id means: another size gives other ids.
pub(crate) const BLOCK: usize = 1 << 20;

impl Answer for Digest {}

/// The numbers of a file's blocks. An empty file has one, which is empty.
fn blocks(file: &[u8]) -> Range<usize> {
    0..file.len().div_ceil(BLOCK).max(1)
}

/// A block's hash. The zero tells it from a node's, whose input could else be forged as a block.
fn leaf(file: &[u8], block: usize) -> Digest {
    let start = block * BLOCK;
    sha256(&file[start..file.len().min(start + BLOCK)], &[0])
}

/// The hash of two neighbours.
fn node(left: Digest, right: Digest) -> Digest {
    sha256(&[left, right].concat(), &[1])
}

/// The id, on any backend.
pub(crate) fn build_id<B: Backend>(file: &[u8], pool: &B) -> Digest {
    blocks(file).par(pool).map(|block| leaf(file, block)).reduce_tree(node).unwrap_or_default()
}

/// The id without spanwise, level by level: neighbours meet, an odd last one goes up as it is.
pub(crate) fn build_id_by_level(file: &[u8]) -> Digest {
    let mut level: Vec<Digest> = blocks(file).map(|block| leaf(file, block)).collect();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|two| two.iter().copied().reduce(node).unwrap_or_default())
            .collect();
    }
    level.pop().unwrap_or_default()
}

/// Prints the id and computes it every way.
pub(crate) fn show(file: &Text, pools: &Pools, report: &mut Report<'_>) -> io::Result<()> {
    let id: String =
        build_id(&file.bytes, &pools.deque).iter().map(|b| format!("{b:02x}")).collect();
    report.note(&format!("{id}  {}", file.path.display()))?;
    report.heads("bytes")?;
    report.row(&compare!(
        pools, ("SHA-256 tree", "file", file.bytes.len()), bytes = &file.bytes[..],
        serial: build_id_by_level(bytes),
        spanwise: |pool| build_id(bytes, pool),
    ))
}
