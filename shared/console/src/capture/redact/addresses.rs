//! The email addresses in a text, also percent-encoded and joined ones.

use std::ops::Range;

use super::known::DerivedText;
use super::{DOMAIN, TAG_CHARS, is_replacement};

/// An address in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) at: Range<usize>,
    pub(super) address: String,
    pub(super) is_encoded: bool,
}

/// The addresses in a text. Of two that overlap, the first one is meant.
pub(super) fn find(text: &str) -> Vec<Address> {
    let address = |text: &str, at: Range<usize>| text.get(at.clone()).map(|address| (at, address.to_owned()));
    let plain = scan(text).into_iter().filter_map(|at| address(text, at));
    let mut found: Vec<Address> = plain.map(|(at, address)| Address { at, address, is_encoded: false }).collect();
    if text.contains("%40") {
        let decoded = decode(text);
        let encoded = scan(&decoded.text).into_iter().filter_map(|at| address(&decoded.text, at));
        found.extend(
            encoded.filter_map(|(at, address)| Some(Address { at: decoded.source(at)?, address, is_encoded: true })),
        );
    }
    found
}

/// The addresses around each `@`.
fn scan(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for (mark, _) in text.match_indices('@') {
        let (Some(before), Some(after)) = (text.get(from..mark), text.get(mark + 1..)) else { continue };
        let Some(domain) = domain(after) else { continue };
        let name = name(before, domain, from > 0);
        if name.is_empty() {
            continue;
        }
        let end = mark + 1 + domain.len();
        found.push(mark - name.len()..end);
        from = end;
    }
    found
}

/// Without a domain after an `@`, it belongs to the name before the next one.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-' | '@' | '\'')
}

/// The end of `before`, as far as it can be the name of an address.
fn name<'a>(before: &'a str, domain: &str, follows_address: bool) -> &'a str {
    let run = before.rsplit(|c| !is_of_name(c)).next().unwrap_or_default();
    let name = if follows_address && run.len() == before.len() {
        run.trim_start_matches(|c: char| !c.is_alphanumeric())
    } else {
        run.trim_start_matches(['.', '\'', '@'])
    };
    // A replacement stays what it is, whatever is written before it.
    let replacement = name.len().checked_sub("u-".len() + TAG_CHARS).and_then(|start| name.get(start..));
    let is_ours = |name: &&str| domain == DOMAIN && is_replacement(&format!("{name}@{domain}"));
    replacement.filter(is_ours).unwrap_or(name)
}

/// The domain at the start of `after`. If another address follows without a gap, such as in
/// `a@example.com-b@example.com`, it is the shortest one.
fn domain(after: &str) -> Option<&str> {
    let is_of_domain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-');
    let (longest, rest) = after.split_at(after.find(|c| !is_of_domain(c)).unwrap_or(after.len()));
    let is_domain = |text: &&str| !text.starts_with('.') && text.trim_matches('.').contains('.');
    let is_joined = rest.trim_start_matches(|c| c != '@' && is_of_name(c)).starts_with('@');
    let cut = longest.match_indices('-').filter_map(|(end, _)| longest.get(..end)).find(is_domain);
    let domain = match cut.filter(|_| is_joined) {
        Some(shortest) => shortest,
        None if rest.starts_with('@') => return None,
        None => longest,
    };
    Some(domain.trim_end_matches(['.', '-'])).filter(is_domain)
}

/// The text without percent-encoding.
fn decode(text: &str) -> DerivedText {
    let mut decoded = DerivedText::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((c, len)) = encoded(rest).or_else(|| rest.chars().next().map(|c| (c, c.len_utf8()))) else { break };
        decoded.push(c, at..at + len);
        at += len;
    }
    decoded
}

/// The encoded character at the start of a text, and the length of its encoding.
fn encoded(text: &str) -> Option<(char, usize)> {
    let mut bytes = Vec::new();
    let mut triplets = text.as_bytes().chunks_exact(3);
    while bytes.len() < char::MAX.len_utf8() {
        let [b'%', high, low] = *triplets.next()? else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        bytes.push(digit(high)? * 16 + digit(low)?);
        if let Some(c) = std::str::from_utf8(&bytes).ok().and_then(|text| text.chars().next()) {
            return Some((c, bytes.len() * 3));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let addresses = find(text).into_iter();
        addresses.map(|found| format!("{} in {}", found.address, &text[found.at])).collect()
    }

    #[test]
    fn joined_addresses_are_found_one_by_one() {
        for join in ["-", "_", ", ", "|", "+", "' '"] {
            let text = format!("alice@example.com{join}carol.x@my-firm.example");
            let both = ["alice@example.com in alice@example.com", "carol.x@my-firm.example in carol.x@my-firm.example"];
            assert_eq!(found(&text), both, "{text}");
        }
        assert_eq!(found("a@b.example.c@d.example"), ["a@b.example.c@d.example in a@b.example.c@d.example"]);
        assert_eq!(found("\"a@b\"@c.example, b@c@d.example"), ["b@c@d.example in b@c@d.example"]);
    }

    #[test]
    fn encoded_addresses_are_found_in_their_encoding() {
        assert_eq!(
            found("U%3aalice%40example.com%7Ccarol%2Bx%40example.com%zz"),
            ["alice@example.com in alice%40example.com", "carol+x@example.com in carol%2Bx%40example.com"]
        );
        assert_eq!(found("j%C3%B6rg%40example.com"), ["jörg@example.com in j%C3%B6rg%40example.com"]);
    }

    #[test]
    fn punctuation_is_no_part_of_an_address() {
        assert_eq!(
            found("'ann@b.example'. (Or .bob@c.example.)"),
            ["ann@b.example in ann@b.example", "bob@c.example in bob@c.example"]
        );
        assert!(found("@b.example root@localhost a@ a@.b %40").is_empty());
    }
}
