//! wip
use spanwise_benches::scaling::*;
use spanwise_topology::{Layout, Topology};
fn main() {
    let machines = [(2,"l3:1 core:2"),(8,"l3:1 core:8"),(16,"l3:2 core:8"),(32,"pack:2 [numa] l3:2 core:8"),(64,"pack:2 numa:2 l3:2 core:8"),(128,"pack:2 numa:4 l3:2 core:8"),(256,"pack:2 numa:4 l3:4 core:8")];
    for start in [Start::Hot, Start::Cold] {
    for nanos in [10_000_000u64, 100_000_000] {
        for shape in Shape::ALL {
            println!("{start:?} {} {} ms", shape.name(), nanos as f64/1e6);
            let load = Load::new(shape, 10_000_000, nanos);
            for (w, m) in machines {
                let layout = Layout::compact(&Topology::synthetic(m).unwrap(), w);
                print!("{w:4} ideal {:6.1}", nanos as f64 / load.ideal(w));
                for rule in Rule::ALL {
                    let o = simulate(&load, &layout, &Prices::MEASURED, rule, start, 1);
                    print!(" | {:6.1} far {:3.0}% st {:5} of {:5} wk {:3} late {:4.0}", o.speed_up(nanos), o.far_share()*100.0, o.steals, o.offers, o.wakes, o.late() as f64/1e3);
                }
                println!();
            }
        }
    }}
}
