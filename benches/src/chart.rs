//! Charts as SVG. In come cells, out come files: the ratio to serial over the size, one file a case, and
//! over the number of workers. Each variant has a marker of its own, so that no colour is needed.

use std::{fs, io, path::Path};

use plotters::{
    coord::Shift,
    prelude::{
        ChartBuilder, Color, DashedLineSeries, DrawingArea, EmptyElement, IntoDrawingArea,
        IntoFont, IntoLogRange, IntoTextStyle, LineSeries, PathElement, Polygon, RGBColor,
        SVGBackend, SeriesLabelPosition, ShapeStyle, WHITE,
    },
    style::BLACK,
};

use crate::{
    cases::{
        dispatch::BREAKEVEN_CASE,
        widths::{CASE as WIDTHS_CASE, WIDTHS},
    },
    cell::{Cell, PEERS},
    format::grouped,
    sample::{Measured, OURS},
};

/// Ratios beyond are drawn at the edge.
const RATIOS: [f64; 2] = [0.1, 20.0];

/// How a variant looks.
#[derive(Clone, Copy, Debug)]
struct Look {
    colour: RGBColor,
    /// Corners, in pixels from the point.
    shape: &'static [(i32, i32)],
    filled: bool,
    /// Pixels of a dash, 0 for a whole line.
    dash: u32,
}

const SQUARE: &[(i32, i32)] = &[(-4, -4), (4, -4), (4, 4), (-4, 4)];
const TRIANGLE: &[(i32, i32)] = &[(0, -5), (5, 4), (-5, 4)];
const UPSIDE: &[(i32, i32)] = &[(0, 5), (5, -4), (-5, -4)];
const DIAMOND: &[(i32, i32)] = &[(0, -6), (5, 0), (0, 6), (-5, 0)];
const CROSS: &[(i32, i32)] = &[(-4, -4), (4, 4), (0, 0), (4, -4), (-4, 4), (0, 0)];
const OCTAGON: &[(i32, i32)] =
    &[(-2, -5), (2, -5), (5, -2), (5, 2), (2, 5), (-2, 5), (-5, 2), (-5, -2)];

/// The looks of the variants: colours that also colour-blind people tell apart.
fn look(name: &str) -> Look {
    let at = OURS.iter().chain(&PEERS).position(|&other| other == name).unwrap_or(0);
    let (rgb, shape, filled, dash) = [
        ((0, 0, 0), OCTAGON, true, 0),
        ((0, 114, 178), SQUARE, true, 0),
        ((110, 110, 110), CROSS, false, 2),
        ((213, 94, 0), TRIANGLE, true, 6),
        ((213, 94, 0), TRIANGLE, false, 6),
        ((0, 158, 115), UPSIDE, true, 4),
        ((204, 121, 167), DIAMOND, true, 4),
        ((86, 180, 233), OCTAGON, false, 4),
        ((150, 110, 0), SQUARE, false, 8),
        ((180, 150, 0), DIAMOND, false, 8),
    ][at];
    Look { colour: RGBColor(rgb.0, rgb.1, rgb.2), shape, filled, dash }
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    name: String,
    look: Look,
    points: Vec<(f64, f64)>,
}

impl Line {
    /// A line of a chart that compares other things than libraries, by its number among them.
    pub(crate) fn numbered(name: &str, number: usize, points: Vec<(f64, f64)>) -> Self {
        let all: Vec<&str> = OURS.iter().chain(&PEERS).copied().collect();
        Self { name: name.to_owned(), look: look(all[number % all.len()]), points }
    }
}

/// A chart of a page: its title, what stands below and beside, what heights it shows, those among them
/// that have a line, and its lines.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) below: &'static str,
    pub(crate) beside: &'static str,
    pub(crate) heights: [f64; 2],
    pub(crate) guides: &'static [f64],
    pub(crate) lines: Vec<Line>,
}

impl Panel {
    /// Ratios to serial.
    fn ratios(title: String, below: &'static str, lines: Vec<Line>) -> Self {
        let beside = "time over serial time";
        // As fast as serial, and twice as fast.
        Self { title, below, beside, heights: RATIOS, guides: &[1.0, 0.5], lines }
    }
}

/// Writes all charts that the cells are enough for, and gives the names of the files.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_all(cells: &[Cell], folder: &Path) -> io::Result<Vec<String>> {
    fs::create_dir_all(folder)?;
    let mut cases: Vec<&str> = Vec::new();
    for cell in cells {
        if cell.place.state == "hot" && !cases.contains(&&cell.place.case[..]) {
            cases.push(&cell.place.case);
        }
    }
    let mut names = Vec::new();
    let mut page = |case: &str, panels: Vec<Panel>| {
        if panels.is_empty() {
            return Ok(());
        }
        let name = format!("{}.svg", slug(case));
        draw(&folder.join(&name), &panels).map_err(io::Error::other)?;
        names.push(name);
        io::Result::Ok(())
    };
    for case in cases {
        page(case, over_sizes(cells, case))?;
    }
    page("scaling", over_workers(cells))?;
    Ok(names)
}

/// `filter, count` as `filter-count`.
fn slug(case: &str) -> String {
    let words = case.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// One panel for each cost that has several sizes.
fn over_sizes(cells: &[Cell], case: &str) -> Vec<Panel> {
    let panel = |cost: &&str| {
        let here: Vec<&Cell> = cells
            .iter()
            .filter(|cell| cell.place.state == "hot" && cell.place.case == case)
            .filter(|cell| cell.place.cost == *cost)
            .collect();
        let first = here.first().filter(|_| here.len() > 2)?;
        let line = |variant: &Measured| Line {
            name: variant.name.to_owned(),
            look: look(variant.name),
            points: here
                .iter()
                .filter_map(|cell| Some((cell.place.items as f64, cell.ratio(variant.name)?)))
                .collect(),
        };
        let lines = first.variants[1..].iter().rev().map(line).collect();
        Some(Panel::ratios(format!("{case}, {cost}"), "items", lines))
    };
    if case == BREAKEVEN_CASE {
        return vec![over_time(cells)];
    }
    ["cheap", "expensive"].iter().filter_map(panel).collect()
}

/// Calls of growing length, over their serial time.
fn over_time(cells: &[Cell]) -> Panel {
    let here = || {
        let hot = cells.iter().filter(|cell| cell.place.state == "hot");
        hot.filter(|cell| cell.place.case == BREAKEVEN_CASE)
    };
    let names = here().next().into_iter().flat_map(|cell| &cell.variants[1..]).rev();
    let line = |variant: &Measured| Line {
        name: variant.name.to_owned(),
        look: look(variant.name),
        points: here()
            .filter_map(|cell| Some((cell.nanos("serial"), cell.ratio(variant.name)?)))
            .collect(),
    };
    Panel::ratios(BREAKEVEN_CASE.to_owned(), "serial time, ns", names.map(line).collect())
}

/// Our pool and rayon's over the number of workers, a panel for each size.
fn over_workers(cells: &[Cell]) -> Vec<Panel> {
    let panel = |cell: &Cell| {
        let line = |ours: bool| Line {
            name: if ours { "deque" } else { "rayon in" }.to_owned(),
            look: look(if ours { "deque" } else { "rayon in" }),
            points: WIDTHS
                .iter()
                .filter_map(|(workers, deque, rayon)| {
                    let ratio = cell.ratio(if ours { deque } else { rayon })?;
                    Some((*workers as f64, ratio))
                })
                .collect(),
        };
        let items = grouped(cell.place.items);
        let title = format!("{} expensive items, not pinned", items);
        Panel::ratios(title, "workers", vec![line(false), line(true)])
    };
    cells.iter().filter(|cell| cell.place.case == WIDTHS_CASE).map(panel).collect()
}

/// What the drawing library says went wrong; it has a type for each backend.
fn told<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// Draws panels beside each other.
///
/// # Errors
///
/// If the file cannot be written.
pub(crate) fn draw(path: &Path, panels: &[Panel]) -> Result<(), String> {
    let size = (560 * panels.len() as u32, 420);
    let root = SVGBackend::new(path, size).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    for (area, panel) in root.split_evenly((1, panels.len())).iter().zip(panels) {
        one(area, panel)?;
    }
    root.present().map_err(told)
}

fn one(area: &DrawingArea<SVGBackend<'_>, Shift>, panel: &Panel) -> Result<(), String> {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let least = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let most = points().map(|point| point.0).fold(0.0, f64::max);
    let [low, high] = panel.heights;
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 16).into_font())
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(55)
        .build_cartesian_2d((least..most * 1.05).log_scale(), (low..high * 1.05).log_scale())
        .map_err(told)?;
    chart
        .configure_mesh()
        .x_desc(panel.below)
        .y_desc(panel.beside)
        .x_label_formatter(&|x| grouped(x.round() as usize))
        .y_label_formatter(&|y| format!("{y}"))
        .light_line_style(RGBColor(235, 235, 235))
        .label_style(("sans-serif", 12).into_text_style(area))
        .draw()
        .map_err(told)?;
    for &guide in panel.guides {
        let ends = [(least, guide), (most, guide)];
        chart.draw_series(LineSeries::new(ends, BLACK.mix(0.35))).map_err(told)?;
    }
    for Line { name, look, points } in &panel.lines {
        let points: Vec<(f64, f64)> =
            points.iter().map(|&(x, y)| (x, y.clamp(low, high))).collect();
        let width = if name == "deque" { 3 } else { 1 };
        let style = ShapeStyle::from(&look.colour).stroke_width(width);
        let (look, marker) = (*look, ShapeStyle::from(&look.colour).filled());
        if look.dash == 0 {
            chart.draw_series(LineSeries::new(points.clone(), style)).map_err(told)?;
        } else {
            let dashes = DashedLineSeries::new(points.clone(), look.dash, look.dash, style);
            chart.draw_series(dashes).map_err(told)?;
        }
        // A shape that is not filled is a closed path.
        let path = || look.shape.iter().chain(&look.shape[..1]).copied().collect::<Vec<_>>();
        let legend = move |(x, y): (i32, i32)| {
            let moved = look.shape.iter().chain(&look.shape[..1]);
            let moved: Vec<_> = moved.map(|(dx, dy)| (x + 9 + dx, y + dy)).collect();
            let line = PathElement::new(vec![(x, y), (x + 18, y)], style.stroke_width(1));
            let shape = PathElement::new(moved.clone(), look.colour);
            let inside = if look.filled { moved } else { Vec::new() };
            EmptyElement::at((0, 0)) + line + shape + Polygon::new(inside, marker)
        };
        let drawn = if look.filled {
            chart.draw_series(
                points.iter().map(|&at| EmptyElement::at(at) + Polygon::new(path(), marker)),
            )
        } else {
            chart.draw_series(
                points
                    .iter()
                    .map(|&at| EmptyElement::at(at) + PathElement::new(path(), look.colour)),
            )
        };
        drawn.map_err(told)?.label(name).legend(legend);
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 12))
        .draw()
        .map_err(told)
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;
    use crate::{cell::Place, stats::Summary};

    #[test]
    fn a_case_with_sizes_has_a_chart_and_its_variants_have_markers() {
        let cell = |items: usize| Cell {
            place: Place::hot("filter, count", "cheap", items),
            variants: ["serial", "deque", "rayon out"]
                .map(|name| Measured { name, nanos: Summary::of(&mut [1.0]) })
                .to_vec(),
            judged: Vec::new(),
        };
        let folder = env::temp_dir().join(format!("spanwise-charts-{}", std::process::id()));
        let cells = [10, 1000, 100_000].map(cell);
        assert_eq!(write_all(&cells, &folder).expect("a folder"), ["filter-count.svg"]);
        let svg = fs::read_to_string(folder.join("filter-count.svg")).expect("a file");
        fs::remove_dir_all(&folder).expect("the folder goes");
        assert!(svg.contains("rayon out") && svg.contains("<polygon"), "{svg}");
    }

    #[test]
    fn no_two_variants_look_the_same() {
        let all: Vec<_> = OURS.iter().chain(&PEERS).map(|name| look(name)).collect();
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| (a.shape, a.filled) != (b.shape, b.filled)), "{a:?}");
        }
    }
}
