//! A condition has limits that the engine does not have: `IN` takes 100 operands. It is refused in front of the
//! engine.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::wire::ErrorResponse;

/// Source: Amazon DynamoDB Developer Guide, "Constraints in Amazon DynamoDB", "Expression parameters".
const OPERANDS_MAX: usize = 100;

/// The expressions of a request that can have an `IN`. Those of a transaction are one level deeper.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Expressions<'a> {
    #[serde(borrow)]
    condition_expression: Option<Cow<'a, str>>,
    #[serde(borrow)]
    filter_expression: Option<Cow<'a, str>>,
    #[serde(borrow)]
    transact_items: Vec<BTreeMap<Cow<'a, str>, Expressions<'a>>>,
}

/// Checks the body of a request to DynamoDB.
pub(crate) fn check(body: &[u8]) -> Result<(), ErrorResponse> {
    // Nearly every request ends here: so many operands have as many commas between them.
    if body.iter().filter(|byte| **byte == b',').count() < OPERANDS_MAX {
        return Ok(());
    }
    // A body that cannot be read is the engine's to refuse.
    let Ok(request) = serde_json::from_slice::<Expressions<'_>>(body) else { return Ok(()) };
    request.check()
}

impl Expressions<'_> {
    fn check(&self) -> Result<(), ErrorResponse> {
        let named =
            [("ConditionExpression", &self.condition_expression), ("FilterExpression", &self.filter_expression)];
        for (name, expression) in named {
            let operands = expression.iter().flat_map(|expression| operands(expression));
            if let Some(count) = operands.into_iter().find(|count| *count > OPERANDS_MAX) {
                let message = format!(
                    "Invalid {name}: The IN operator is provided with too many operands; number of operands: {count}"
                );
                return Err(ErrorResponse::new("ValidationException", message));
            }
        }
        self.transact_items.iter().flat_map(BTreeMap::values).try_for_each(Expressions::check)
    }
}

/// The number of operands of each `IN` of an expression. `IN` is a reserved word: no path has this name.
fn operands(expression: &str) -> impl Iterator<Item = usize> {
    let is_word = |c: char| c.is_alphanumeric() || "_#:.[]-".contains(c);
    expression.match_indices('(').filter_map(move |(open, _)| {
        let (before, after) = expression.split_at_checked(open)?;
        let word = before.trim_end().rsplit(|c| !is_word(c)).next()?;
        word.eq_ignore_ascii_case("in").then(|| 1 + commas(after.strip_prefix('(').unwrap_or(after)))
    })
}

/// The commas of a list up to its closing parenthesis, without those of functions in it.
fn commas(list: &str) -> usize {
    let mut depth = 0_usize;
    let mut count = 0;
    for c in list.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => break,
            ')' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::operands;

    #[test]
    fn operands_are_counted_as_the_engine_reads_them() {
        let counts = |expression: &str| operands(expression).collect::<Vec<_>>();
        assert!(counts("a = :a").is_empty());
        assert_eq!(counts("a IN (:a)"), [1]);
        assert_eq!(counts("NOT #a.b[0] in(:a , size(b), c) AND (contains(d, :d) or e In\n( :e,:f ))"), [3, 2]);
        // Names that only end with the word.
        assert!(counts("begins_with(#in, :a) AND size (a.in) > :b AND x-in (a, b)").is_empty());
    }
}
