//! Which table a record is from.

use std::fmt;

/// A table, by its name and, if it is known, by its account and region.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableId {
    /// The part of its ARN before `:table/`: partition, service, region and account.
    arn_prefix: Option<String>,
    name: String,
}

impl TableId {
    /// Reads a table's name, its ARN, or the ARN of its stream
    /// (`arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`). `None` for an ARN of something else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (arn_prefix, name) = match text.split_once(":table/") {
            Some((arn_prefix, rest)) => (Some(arn_prefix.to_owned()), rest.split('/').next()?),
            None => (None, text),
        };
        (!name.is_empty() && !name.contains(':')).then(|| Self { arn_prefix, name: name.to_owned() })
    }

    /// Reads what a person names as a table: its name, its ARN, or that of its stream. `None` for an ARN of something
    /// else, or a text that is neither.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let table = Self::parse(text)?;
        let Some(arn_prefix) = &table.arn_prefix else { return Some(table) };
        let parts: Vec<&str> = arn_prefix.split(':').collect();
        let is_dynamodb = matches!(parts.as_slice(), ["arn", partition, "dynamodb", region, account]
            if partition.starts_with("aws") && !region.is_empty() && is_account(account));
        let (_, path) = text.split_once(":table/")?;
        let is_table = matches!(path.split('/').collect::<Vec<_>>().as_slice(), [_] | [_, "stream", _]);
        (is_dynamodb && is_table).then_some(table)
    }

    /// The table's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its account and region, if they are known.
    #[must_use]
    pub fn account_and_region(&self) -> Option<(&str, &str)> {
        let mut parts = self.arn_prefix.as_deref()?.split(':').skip(3);
        let region = parts.next()?;
        Some((parts.next()?, region))
    }

    /// Whether its account and region are known.
    #[must_use]
    pub const fn is_arn(&self) -> bool {
        self.arn_prefix.is_some()
    }

    /// Whether both may be one table: of an old capture, only the name may be known, or nothing.
    #[must_use]
    pub fn may_be(&self, other: &Self) -> bool {
        let is_same = match (&self.arn_prefix, &other.arn_prefix) {
            (Some(own), Some(other)) => own == other,
            (Some(_) | None, None) | (None, Some(_)) => true,
        };
        self.name == other.name && is_same
    }
}

fn is_account(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.arn_prefix {
            Some(arn_prefix) => write!(f, "{arn_prefix}:table/{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_one_name_in_two_accounts_is_two_tables() {
        let table = |text: &str| TableId::parse(text).unwrap();
        let own = table("arn:aws:dynamodb:eu-west-1:111122223333:table/teams");
        assert!(
            own.may_be(&table("arn:aws:dynamodb:eu-west-1:111122223333:table/teams/stream/2026-01-01T00:00:00.000"))
        );
        assert!(own.may_be(&table("teams")) && !own.may_be(&table("team")));
        assert!(!own.may_be(&table("arn:aws:dynamodb:eu-north-1:111122223333:table/teams")));
        assert!(!own.may_be(&table("arn:aws:dynamodb:eu-west-1:999999999999:table/teams/stream/x")));
        assert_eq!(own.to_string(), "arn:aws:dynamodb:eu-west-1:111122223333:table/teams");
        for other in [
            "arn:aws:glue:eu-west-1:111122223333:table/base/teams",
            "teams:table/teams",
            "arn:aws:dynamodb:eu-west-1::table/teams",
            "arn:aws:dynamodb:eu-west-1:111122223333:table/teams/index/byName",
        ] {
            assert_eq!(TableId::named(other), None, "{other}");
        }
        assert!(TableId::named("arn:aws-cn:dynamodb:cn-north-1:111122223333:table/teams/stream/x").is_some());
        assert_eq!((TableId::parse(""), TableId::parse("arn:aws:kinesis:eu-west-1:1:stream/x")), (None, None));
    }
}
