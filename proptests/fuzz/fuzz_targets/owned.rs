//! Cuts, steps from both ends and drops of owned spans, against lists of what each part must hold. Some
//! rows' destructors panic.
#![no_main]

use std::{collections::VecDeque, mem};

use libfuzzer_sys::fuzz_target;
use spanwise::{owned::Owned, span::Span};
use spanwise_proptests::ledger::{Ledger, Row, row_of};

type Part = (Owned<Row>, VecDeque<usize>);

/// Drops something that holds the rows of these indices: a panic comes out if the bad one is there.
fn drop_all<T>(value: T, rows: &VecDeque<usize>, bad: Option<usize>) {
    let unwound = row_of(|| drop(value)).err();
    assert_eq!(unwound, bad.filter(|bad| rows.contains(bad)));
}

fuzz_target!(|ops: &[u8]| {
    let [first, ops @ ..] = ops else { return };
    let rows = usize::from(first >> 1);
    let bad = (first % 2 == 1).then_some(rows / 2).filter(|&bad| bad < rows);
    let ledger = Ledger::new(rows, bad);
    let mut all = ledger.rows();
    // Room that no row fills.
    all.reserve(rows % 5);
    let mut parts: Vec<Part> = vec![(Owned::from(all), (0..rows).collect())];
    for pair in ops.chunks_exact(2) {
        let (op, at) = (pair[0], usize::from(pair[1]));
        if parts.is_empty() {
            break;
        }
        let which = usize::from(op >> 3) % parts.len();
        match op & 7 {
            0..=2 => {
                let (part, mut front) = parts.swap_remove(which);
                let at = at % (front.len() + 1);
                let back = front.split_off(at);
                let (near, far) = part.cut(at);
                parts.push((near, front));
                parts.push((far, back));
            }
            3 | 4 => {
                let (part, model) = &mut parts[which];
                let row = if op & 7 == 3 { part.next() } else { part.next_back() };
                let expected = if op & 7 == 3 { model.pop_front() } else { model.pop_back() };
                assert_eq!(row.as_ref().map(Row::index), expected);
                drop_all(row, &expected.into_iter().collect(), bad);
            }
            5 => {
                let (part, model) = parts.swap_remove(which);
                drop_all(part, &model, bad);
            }
            6 => {
                // Its rows in a vector of their own.
                let (part, model) = parts.swap_remove(which);
                let kept: Vec<Row> = part.collect();
                assert!(kept.iter().map(Row::index).eq(model.iter().copied()));
                parts.push((Owned::from(kept), model));
            }
            _ => {
                let (part, model) = &mut parts[which];
                let empty = (Owned::from(Vec::new()), VecDeque::new());
                drop_all(mem::replace(part, empty.0), model, bad);
                *model = empty.1;
            }
        }
        for (part, model) in &parts {
            assert_eq!(Span::len(part), model.len());
            assert_eq!(part.size_hint(), (model.len(), Some(model.len())));
        }
    }
    for (part, model) in parts {
        drop_all(part, &model, bad);
    }
    ledger.settle("parts");
});
