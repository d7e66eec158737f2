//! wip
use spanwise_benches::scaling::*;
use spanwise_topology::{Layout, Topology};
fn main() {
    let machines = [(16,"l3:2 core:8"),(64,"pack:2 numa:2 l3:2 core:8"),(256,"pack:2 numa:4 l3:4 core:8")];
    let mut rules = vec![Rule::ONE];
    for offers in [Offers::One, Offers::Many(0), Offers::Log(0), Offers::Log(1), Offers::Log(2)] { for stays in [5_000, 20_000] {
        for waits in [Waits::Thief, Waits::Anyone] { rules.push(Rule { name: "", offers, waits, stays }) }
    } }
    for start in [Start::Hot] {
    for (nanos, f) in [(10_000_000u64,1),(10_000_000,4)] {
        for shape in [Shape::Even, Shape::Growing] {
            println!("{start:?} {} {} ms leaves x{f}", shape.name(), nanos as f64/1e6);
            let mut load = Load::new(shape, 10_000_000, nanos); load.grain /= f;
            for (w, m) in machines {
                let layout = Layout::compact(&Topology::synthetic(m).unwrap(), w);
                print!("{w:4} ideal {:6.1}", nanos as f64 / load.ideal(w));
                for rule in &rules {
                    let o = simulate(&load, &layout, &Prices::MEASURED, *rule, start, 1);
                    print!(" {:5.1} {:2.0}%", o.speed_up(nanos), o.far_share()*100.0);
                }
                println!();
            }
        }
    }}
}
