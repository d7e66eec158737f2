//! The same program under every choice of features: its output must not change by a bit.
//!
//! `cargo run --example same`, with `--no-default-features`, and with `--features rayon` after that.

use spanwise::{Pool, prelude::*};

fn main() -> Result<(), spanwise::PoolError> {
    let pool = Pool::builder().threads(3).thread_name(|i| format!("same-{i}")).build()?;
    let rows: Vec<i64> = (0..100_000).map(|i| i * 7_919 % 10_007 - 5_000).collect();
    let floats: Vec<f64> = rows.iter().map(|&x| x as f64 * 0.1).collect();

    println!("sum        {}", rows.par(&pool).map(|x| x * 3 + 1).sum::<i64>());
    println!("exact      {}", rows.par(&pool).map(|x| x << 40).exact_sum());
    println!("count      {}", rows.iter().par(&pool).filter(|x| **x % 7 == 0).count());
    println!("min, max   {:?} {:?}", rows.par(&pool).min(), rows.par(&pool).max());
    println!("position   {:?}", rows.par(&pool).position_first(|x| *x == 4_000));
    println!("float sum  {:016x}", floats.par(&pool).sum::<f64>().to_bits());
    println!(
        "reduce     {:016x}",
        floats.par(&pool).copied().reduce(|x, y| x - y).map_or(0, f64::to_bits)
    );
    println!(
        "tree       {:016x}",
        floats.par(&pool).copied().reduce_tree(|x, y| x - y).map_or(0, f64::to_bits)
    );
    let text: String = rows.into_iter().par(&pool).take(12).map(|x| format!("{x} ")).collect();
    println!("text       {}", text.trim_end());
    let bad: Result<Vec<u64>, i32> =
        (0..50_000).par(&pool).map(|i| if i % 9_999 == 9_998 { Err(i) } else { Ok(1) }).collect();
    println!("error      {bad:?}");
    Ok(())
}
