//! wip
use spanwise_benches::scaling::*;
use spanwise_topology::{Layout, Topology};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let w: usize = args[1].parse().unwrap();
    let layout = Layout::compact(&Topology::synthetic(&args[2]).unwrap(), w);
    for shape in [Shape::Even, Shape::Growing] {
        for nanos in [10_000_000u64, 100_000_000] {
            let mut load = Load::new(shape, 10_000_000, nanos);
            load.grain /= args[3].parse::<usize>().unwrap();
            println!("{} {nanos} ideal {:.1}", shape.name(), nanos as f64 / load.ideal(w));
            for arg in &args[4..] {
                let mut it = arg.split('/');
                let offers = it.next().unwrap();
                let n = offers[1..].parse().unwrap_or(0);
                let offers = match &offers[..1] { "o" => Offers::One, "m" => Offers::Many(n), "l" => Offers::Log(n), _ => Offers::Halving };
                let waits = match it.next().unwrap() { "t" => Waits::Thief, "c" => Waits::Chain, "p" => Waits::Parts, _ => Waits::Anyone };
                let stays = it.next().unwrap().parse().unwrap();
                let rule = Rule { name: "", offers, waits, stays };
                let mut ups = Vec::new();
                for seed in 1..6 {
                    let o = simulate(&load, &layout, &Prices::MEASURED, rule, Start::Hot, seed);
                    let all = o.nanos as f64 * w as f64;
                    ups.push((o.speed_up(nanos), o.far_share() * 100.0, o.steals, o.waiting as f64 / all * 100.0, o.without as f64 / all * 100.0, o.work as f64 / all * 100.0, o.wakes, o.late()));
                }
                ups.sort_by(|a, b| a.0.total_cmp(&b.0));
                let o = ups[2];
                println!("  {arg:12} {:5.1} far {:2.0}% steals {:4} waiting {:4.1}% without {:4.1}% rows {:4.1}% wakes {} late {}", o.0, o.1, o.2, o.3, o.4, o.5, o.6, o.7);
            }
        }
    }
}
