//! Numbers as text. In come numbers, out comes what fits a column.

/// Three digits or so; a number that is none stands for something that never happened.
pub fn short(number: f64) -> String {
    match number.abs() {
        nan if nan.is_nan() => "never".to_owned(),
        0.0 => "0".to_owned(),
        ..10.0 => format!("{number:.2}"),
        ..100.0 => format!("{number:.1}"),
        _ => grouped(number.round() as usize),
    }
}

/// Three digits and a unit.
pub fn time(nanos: f64) -> String {
    let (number, unit) = match nanos {
        ..1e3 => (nanos, "ns"),
        ..1e6 => (nanos / 1e3, "µs"),
        ..1e9 => (nanos / 1e6, "ms"),
        _ => (nanos / 1e9, "s"),
    };
    let digits = if number >= 100.0 { 0 } else { 1 + usize::from(number < 10.0) };
    format!("{number:.digits$} {unit}")
}

/// `10000000` as `10,000,000`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(grouped(10_000_000), "10,000,000");
        assert_eq!(short(f64::NAN), "never");
        assert_eq!([0.987, 12.34, 1234.5].map(short), ["0.99", "12.3", "1,235"]);
        assert_eq!(
            [5.0, 1500.0, 2.5e6, 123e6].map(time),
            ["5.00 ns", "1.50 µs", "2.50 ms", "123 ms"]
        );
    }
}
