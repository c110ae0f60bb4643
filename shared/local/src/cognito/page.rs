//! Paging of lists. A page ends with a token for its last name, so that names that are added or
//! deleted between two pages do not shift the rest.

use std::fmt::Write as _;

use super::request::invalid;
use crate::wire::ErrorResponse;

/// The default number of entries in a page, which is also the maximum. Source: Amazon Cognito User Pools API
/// Reference, `Limit` of ListGroups, ListUsers, ListUsersInGroup and AdminListGroupsForUser.
const LIMIT_DEFAULT: i64 = 60;

/// One page of a list.
pub(super) struct ListPage<T> {
    pub(super) entries: Vec<T>,
    pub(super) next_token: Option<String>,
}

/// The page of `entries` that follows `token`. The entries have names and are sorted by them.
pub(super) fn page<'a, T>(
    entries: impl Iterator<Item = (&'a str, T)>,
    limit: Option<i64>,
    token: Option<&str>,
) -> Result<ListPage<T>, ErrorResponse> {
    // A limit of 0 means the default.
    let limit = limit.filter(|limit| *limit > 0).unwrap_or(LIMIT_DEFAULT);
    let after = token.map(decode).transpose()?;
    let mut rest = entries.skip_while(|(name, _)| after.as_deref().is_some_and(|after| *name <= after)).peekable();
    let mut page = ListPage { entries: Vec::new(), next_token: None };
    for _ in 0..limit {
        let Some((name, entry)) = rest.next() else { break };
        page.entries.push(entry);
        page.next_token = rest.peek().map(|_| encode(name));
    }
    Ok(page)
}

fn encode(name: &str) -> String {
    name.bytes().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn decode(token: &str) -> Result<String, ErrorResponse> {
    let bytes = token
        .as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect::<Option<Vec<u8>>>();
    bytes
        .filter(|bytes| !bytes.is_empty())
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| invalid("Invalid pagination token."))
}
