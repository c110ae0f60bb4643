//! DynamoDB numbers as DynamoDB compares them: `1.0`, `1` and `1E0` are one number.

/// The maximum number of significant digits. Source: Amazon DynamoDB Developer Guide, "Supported
/// data types".
pub(crate) const DIGITS_MAX: usize = 38;

/// The longest number that is written out without an exponent.
const WRITTEN_MAX: i64 = 140;

/// A number: its sign, its digits without zeros at either end, and the power of ten of the point
/// before them. Equal numbers are equal here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Number {
    is_negative: bool,
    pub(crate) digits: String,
    exponent: i64,
}

impl Number {
    /// The number that a text spells. `None` if it spells none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = digits.trim_start_matches('0');
        let leading = i64::try_from(digits.len() - significant.len()).ok()?;
        let exponent = i64::try_from(whole.len()).ok()?.checked_sub(leading)?.checked_add(exponent)?;
        match significant.trim_end_matches('0') {
            "" => Some(Self { is_negative: false, digits: String::new(), exponent: 0 }),
            digits => Some(Self { is_negative: text.starts_with('-'), digits: digits.to_owned(), exponent }),
        }
    }

    /// The number as DynamoDB returns it, without an exponent. `None` if that is too long.
    pub(crate) fn written(&self) -> Option<String> {
        let sign = if self.is_negative { "-" } else { "" };
        let (digits, len) = (&self.digits, i64::try_from(self.digits.len()).ok()?);
        if self.exponent.checked_abs()? > WRITTEN_MAX {
            return None;
        }
        let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or_default());
        Some(match usize::try_from(self.exponent) {
            _ if digits.is_empty() => "0".to_owned(),
            Ok(_) if self.exponent >= len => format!("{sign}{digits}{}", zeros(self.exponent - len)),
            Ok(point) if point > 0 => {
                let (whole, fraction) = digits.split_at_checked(point)?;
                format!("{sign}{whole}.{fraction}")
            }
            Ok(_) | Err(_) => format!("{sign}0.{}{digits}", zeros(-self.exponent)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_as_dynamodb_compares_them() {
        let same = |one: &str, other: &str| Number::parse(one).unwrap() == Number::parse(other).unwrap();
        for (one, other) in
            [("1", "1.0"), ("1", "1E0"), ("100", "1e2"), ("-0", "0.000"), (".5", "0.50"), ("12e-3", "0.012")]
        {
            assert!(same(one, other), "{one} {other}");
        }
        assert!(!same("1", "-1") && !same("1", "10") && !same("0.1", "0.01"));
        for bad in ["", ".", "one", "1e", "1.2.3", "--1"] {
            assert_eq!(Number::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers_are_written_as_dynamodb_returns_them() {
        let written = |text: &str| Number::parse(text).unwrap().written().unwrap();
        let numbers = ["1.0", "-1.50", "100", "0.00", "0.5", "-0.012", "1e3", "12.5e1"].map(written);
        assert_eq!(numbers, ["1", "-1.5", "100", "0", "0.5", "-0.012", "1000", "125"]);
    }
}
