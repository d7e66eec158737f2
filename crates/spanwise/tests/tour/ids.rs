//! What the tour hashes.

use std::{fs, path::Path};

use spanwise::backend::Serial;
use spanwise_deque::DequePool;
use spanwise_rayon::RayonPool;

use crate::{
    Folder, WIDTHS, run_on,
    tour::{
        build_id,
        sha256::{Digest, sha256},
    },
};

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
