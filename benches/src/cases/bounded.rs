//! The number of jobs is bounded whatever the length, and a build id of a real library.

use std::{
    env, fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use orx_parallel::{BasicPool, Par as _};
use paralight::threads::ThreadPool;
use rayon::iter::ParallelIterator as _;
use spanwise::prelude::*;
use spanwise_backend::Backend;

use super::visit::{Hot, Visit};
use crate::{
    cell::Place,
    halves::Halves,
    input::list,
    peers::Peers,
    pipeline::Pipeline,
    rows,
    session::Session,
    sha256::{Digest, sha256},
};

/// The most leaves that a call has; a leaf is the least that a job can be.
pub const MOST_LEAVES: usize = 1024;

/// Jobs of calls of all lengths, then the build id.
///
/// # Errors
///
/// If there are more jobs than there may be, or answers differ.
pub fn bounded(session: &mut Session, peers: &Peers) -> Result<(), String> {
    for items in session.sizes(&super::pipelines::SIZES[2..], usize::MAX) {
        let rows = list(items);
        let eager = Eager { joins: AtomicUsize::new(0) };
        let sum: i64 = rows.iter().par(&eager).map(|&x| x).sum();
        if sum != rows.iter().sum::<i64>() {
            return Err(format!("a sum of {items} rows: {sum}"));
        }
        // Relaxed: all joins have ended.
        let jobs = eager.joins.load(Ordering::Relaxed) + 1;
        if jobs > MOST_LEAVES {
            return Err(format!("{jobs} jobs for {items} rows"));
        }
        let row = crate::format::grouped(items);
        let title = "Jobs of a call on a backend of 1,024 threads that runs them all at once";
        session.figure(title, row, "items", vec![("jobs", jobs as f64)]);
    }
    build_id(session, peers)
}

/// A backend that has room for everything, and counts its joins.
#[derive(Debug)]
struct Eager {
    joins: AtomicUsize,
}

impl Backend for Eager {
    fn width(&self) -> NonZeroUsize {
        NonZeroUsize::new(MOST_LEAVES).expect("not 0")
    }

    fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        // Relaxed: a count.
        self.joins.fetch_add(1, Ordering::Relaxed);
        (a(), b())
    }
}

/// Bytes in a block of the build id.
const BLOCK: usize = 1 << 18;

/// The hash of all blocks' hashes, in order: one id whatever the number of workers.
#[derive(Clone, Copy, Debug)]
struct BuildId<'a> {
    blocks: &'a [&'a [u8]],
}

fn block_id(block: &&[u8]) -> Digest {
    sha256(block, &[0])
}

fn whole(ids: &[Digest]) -> Digest {
    sha256(ids.as_flattened(), &[1])
}

impl Pipeline for BuildId<'_> {
    type Answer = Digest;

    #[inline(never)]
    fn serial(&self) -> Digest {
        whole(&self.blocks.iter().map(block_id).collect::<Vec<_>>())
    }

    #[inline(never)]
    fn spanwise<B: Backend>(&self, pool: &B) -> Digest {
        whole(&self.blocks.iter().par(pool).map(block_id).collect::<Vec<_>>())
    }

    #[inline(never)]
    fn rayon(&self) -> Digest {
        whole(&rows::rayon(self.blocks).map(block_id).collect::<Vec<_>>())
    }

    #[inline(never)]
    fn paralight(&self, pool: &mut ThreadPool) -> Digest {
        whole(&rows::paralight_collect(self.blocks, pool, block_id))
    }

    #[inline(never)]
    fn orx(&self, pool: &BasicPool) -> Digest {
        whole(&rows::orx(self.blocks, pool).map(block_id).collect::<Vec<_>>())
    }

    #[inline(never)]
    fn halves(&self, pool: &mut impl Halves) -> Digest {
        let mut ids = vec![Digest::default(); self.blocks.len()];
        let fill = |(blocks, ids): (&[&[u8]], &mut [Digest])| {
            ids.iter_mut().zip(blocks).for_each(|(id, block)| *id = block_id(block));
        };
        pool.run((self.blocks, &mut ids[..]), fill, |(), ()| ());
        whole(&ids)
    }

    fn leaf(&self) -> usize {
        1
    }
}

fn build_id(session: &mut Session, peers: &Peers) -> Result<(), String> {
    let path = library().ok_or("no library and no program can be read")?;
    let mut bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    bytes.truncate(if session.is_check() { 1 << 16 } else { session.times(16, 64) << 20 });
    let blocks: Vec<&[u8]> = bytes.chunks(BLOCK).collect();
    let place = Place::hot("build id of a library, blocks of 256 KiB", "SHA-256", bytes.len());
    let job = BuildId { blocks: &blocks };
    Hot { session, peers }.visit(place, &job)
}

/// The largest library of the Rust toolchain, or else this program.
fn library() -> Option<PathBuf> {
    let told = Command::new("rustc").args(["--print", "sysroot"]).output().ok();
    let sysroot = told.and_then(|told| String::from_utf8(told.stdout).ok());
    let folder = sysroot.map(|path| Path::new(path.trim_end()).join("lib"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let files = entries.flatten().filter_map(|entry| {
        let meta = entry.metadata().ok()?;
        meta.is_file().then(|| (meta.len(), entry.path()))
    });
    files.max().map(|(_, path)| path).or_else(|| env::current_exe().ok())
}
