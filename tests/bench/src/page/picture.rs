//! The picture: bars for the figures that the page has as tables.

use std::fmt::Write as _;

use super::{Results, grouped};
use crate::program::Measured;

/// The height of a bar with its gap, and the width of the longest.
const BAR: usize = 22;
const WIDTH: f64 = 320.0;

/// The picture: a group of bars for each figure.
#[must_use]
pub fn picture(results: &Results) -> String {
    let mut groups: Vec<(String, Vec<(String, f64)>)> = Vec::new();
    for (name, mix, cost) in &results.mixes {
        let total = cost.total();
        let baseline: usize = mix.baseline.values().sum();
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let bars = vec![("Instep".to_owned(), total as f64), ("baseline".to_owned(), baseline as f64)];
        groups.push((format!("API calls, {name} mix"), bars));
    }
    for (delay, programs) in &results.programs {
        let bars =
            |of: fn(&Measured) -> f64| programs.iter().map(|program| (program.name.clone(), of(program))).collect();
        if *delay == 0 {
            groups.push(("CPU ms for 1,000 records".to_owned(), bars(|program| program.cpu_ms)));
        } else {
            groups.push((format!("wall-clock ms, {delay} ms a call"), bars(|program| program.wall_ms)));
        }
    }
    for (title, _, lines) in &results.growth {
        if title.starts_with("Many records") || title.starts_with("Children") {
            let bars = lines.iter().map(|line| (grouped(line.of), line.resident_mb)).collect();
            // The lines after the title are for the page.
            let title = title.lines().next().unwrap_or_default().to_lowercase();
            groups.push((format!("MB resident: {title}"), bars));
        }
    }
    let rows: usize = groups.iter().map(|(_, bars)| bars.len() + 2).sum();
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"{}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        rows * BAR + 10
    );
    let mut y = 0;
    for (title, bars) in groups {
        y += BAR;
        let _ = writeln!(picture, "<text x=\"10\" y=\"{y}\" font-weight=\"bold\">{title}</text>");
        let longest = bars.iter().map(|(_, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
        for (place, (name, value)) in bars.iter().enumerate() {
            y += BAR;
            let (width, colour) = (value / longest * WIDTH, if place == 0 { "#1f6f5c" } else { "#9aa5b1" });
            let _ = writeln!(
                picture,
                "<text x=\"180\" y=\"{y}\" text-anchor=\"end\">{name}</text><rect x=\"190\" y=\"{}\" width=\"{width:.0}\" \
                 height=\"14\" fill=\"{colour}\"/><text x=\"{:.0}\" y=\"{y}\">{value:.0}</text>",
                y - 12,
                196.0 + width
            );
        }
        y += BAR;
    }
    picture + "</svg>\n"
}
