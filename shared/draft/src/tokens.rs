//! The items of the table, and the tokens of their keys.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Value, encode_uri_component};

use crate::schema::Schema;
use crate::text::ValueForm;
use crate::words::{TYPE_ATTRIBUTES, has_id_shape, is_digits, is_secret, is_upper, is_word, norm};

/// A longer text is in no key: the limits of DynamoDB are 2,048 bytes for a partition key and 1,024 for a sort key
/// (Amazon DynamoDB Developer Guide, "Quotas").
const KEY_BYTES_MAX: usize = 2_048;

/// A key with more tokens is taken as these and a rest.
const TOKENS_MAX: usize = 24;

/// Separators, and those that are one only if these are rare.
const SEPARATORS: [char; 5] = ['#', '|', '/', ':', '~'];
const WEAK_SEPARATORS: [char; 2] = ['-', '.'];

/// The items, with what is known of all of them.
#[derive(Debug)]
pub(crate) struct SampleTable<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) items: Vec<Item>,
    pub(crate) separator: char,
    pub(crate) type_attribute: Option<String>,
    /// By each text that an attribute's value can have in a key: the attributes.
    pub(crate) attributes_with: BTreeMap<String, BTreeSet<String>>,
    /// The names of all attributes, normalised.
    pub(crate) attribute_names: BTreeSet<String>,
    /// Key attributes, which have no meaning of their own.
    keys: BTreeSet<&'a str>,
}

/// What a token of a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Constant,
    /// A word that is an attribute's value in another item: perhaps a constant.
    Word,
    Value,
}

/// A part of a key between separators.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) kind: TokenKind,
}

impl<'a> SampleTable<'a> {
    pub(crate) fn of(schema: &'a Schema, items: Vec<Item>) -> Self {
        let keys = schema.attributes().into_iter().filter(|name| !schema.is_plain(name)).collect();
        let mut table = Self {
            schema,
            items,
            separator: '#',
            type_attribute: None,
            attributes_with: BTreeMap::new(),
            attribute_names: BTreeSet::new(),
            keys,
        };
        table.separator = table.find_separator();
        table.type_attribute = table.find_type_attribute();
        let (mut names, mut with) = (BTreeSet::new(), BTreeMap::<String, BTreeSet<String>>::new());
        for (name, value) in table.items.iter().flat_map(|item| table.attributes(item)) {
            names.insert(norm(name));
            for (text, _) in forms(value) {
                with.entry(text).or_default().insert(name.to_owned());
            }
        }
        Self { attribute_names: names, attributes_with: with, ..table }
    }

    /// The attributes of an item that can give a value to a key.
    pub(crate) fn attributes<'i>(&self, item: &'i Item) -> impl Iterator<Item = (&'i str, &'i Value)> {
        let is_key = |name: &str| self.keys.contains(name) || self.type_attribute.as_deref() == Some(name);
        let own = item.iter().map(|(name, value)| (name.as_str(), value));
        own.filter(move |(name, _)| !is_key(name) && !name.starts_with("__edb") && !is_secret(name))
    }

    /// The two keys of an item.
    pub(crate) fn keys<'i>(&self, item: &'i Item) -> [&'i str; 2] {
        let text = |name: &str| item.get(name).and_then(Value::as_s).unwrap_or_default();
        [text(&self.schema.pk), text(&self.schema.sk)]
    }

    /// An item's type, as its attribute says.
    pub(crate) fn type_of<'i>(&self, item: &'i Item) -> Option<&'i str> {
        item.get(self.type_attribute.as_deref()?)?.as_s()
    }

    fn find_separator(&self) -> char {
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for key in self.items.iter().flat_map(|item| self.keys(item)) {
            let of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$' | '@');
            let strong = key.find(|c: char| !of_word(c)).and_then(|at| key.get(at..)?.chars().next());
            let weak = key.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|at| *at > 0);
            let weak = weak.and_then(|at| key.get(at..)?.chars().next());
            let found = strong.filter(|c| SEPARATORS.contains(c)).or(weak.filter(|c| WEAK_SEPARATORS.contains(c)));
            if let Some(found) = found {
                *counts.entry(found).or_default() += 1;
            }
        }
        let most = |of: &[char]| {
            let found = of.iter().rev().filter_map(|c| Some((*counts.get(c)?, *c))).max_by_key(|(count, _)| *count);
            found.filter(|(count, _)| of != SEPARATORS || count * 5 >= self.items.len())
        };
        most(&SEPARATORS).or_else(|| most(&WEAK_SEPARATORS)).map_or('#', |(_, c)| c)
    }

    /// The attribute of the usual names that most items have, and whose value agrees with a word of the key.
    fn find_type_attribute(&self) -> Option<String> {
        let mut best: Option<(usize, &str)> = None;
        for name in TYPE_ATTRIBUTES {
            let values: Vec<(&Item, &str)> =
                self.items.iter().filter_map(|item| Some((item, item.get(name)?.as_s()?))).collect();
            let different = values.iter().map(|(_, value)| *value).collect::<BTreeSet<_>>().len();
            if values.len() * 10 < self.items.len() * 6 || values.len() < 2 || self.keys.contains(name) {
                continue;
            }
            let agreeing = values.iter().filter(|(item, value)| self.is_in_key(item, value)).count();
            // In thousandths: how many have it, how many agree, and how few values it has.
            let score = 1_000 * values.len() / self.items.len() + 1_000 * agreeing / values.len();
            let score = score.saturating_sub(500 * different / values.len());
            if best.is_none_or(|(best, _)| score > best) {
                best = Some((score, name));
            }
        }
        best.map(|(_, name)| name.to_owned())
    }

    fn is_in_key(&self, item: &Item, of: &str) -> bool {
        let of = norm(of);
        let keys = self.keys(item);
        let mut words = keys.iter().flat_map(|key| key.split(|c: char| !c.is_ascii_alphabetic() && c != '_'));
        !of.is_empty() && words.any(|word| word.len() > 2 && (norm(word).contains(&of) || of.contains(&norm(word))))
    }

    /// The tokens of a key.
    pub(crate) fn tokens(&self, key: &str, facts: &Facts<'_>) -> Vec<Token> {
        let words: Vec<&str> = key.splitn(TOKENS_MAX, self.separator).collect();
        let separator = self.separator.len_utf8();
        let mut tokens = Vec::new();
        let mut at = 0;
        let mut rest = key;
        while at < words.len() {
            // The longest run of tokens that is an attribute's value.
            let mut ends: Vec<(usize, usize)> = Vec::new();
            let mut length = 0;
            for (more, word) in words.iter().skip(at).enumerate() {
                length += word.len() + if more > 0 { separator } else { 0 };
                ends.push((more + 1, length));
            }
            let run = ends.iter().rev().find_map(|(count, length)| {
                let text = rest.get(..*length)?;
                let kind = facts.kind_of_run(text, *count == 1 && at == 0, words.len())?;
                Some((*count, *length, kind))
            });
            let single = words.get(at).map_or(0, |word| word.len());
            let (count, length, kind) = run.unwrap_or_else(|| {
                let text = rest.get(..single).unwrap_or_default();
                (1, single, self.kind(text, at == 0 && words.len() > 1))
            });
            tokens.push(Token { text: rest.get(..length).unwrap_or_default().to_owned(), kind });
            rest = rest.get(length + separator..).unwrap_or_default();
            at += count;
        }
        tokens
    }

    /// The kind of a token that is no attribute's value in its own item.
    fn kind(&self, text: &str, is_first_of_several: bool) -> TokenKind {
        if text.is_empty() {
            return TokenKind::Constant;
        }
        if has_id_shape(text) || !is_word(text) {
            return TokenKind::Value;
        }
        let is_value_elsewhere = !is_upper(text) && self.attributes_with.contains_key(text);
        if is_value_elsewhere && !is_first_of_several { TokenKind::Word } else { TokenKind::Constant }
    }
}

/// What the attributes of an item can give to its keys.
#[derive(Debug)]
pub(crate) struct Facts<'i> {
    /// By the text in the key: the attributes.
    with: BTreeMap<String, BTreeSet<&'i str>>,
}

impl<'i> Facts<'i> {
    pub(crate) fn of(table: &SampleTable<'_>, item: &'i Item) -> Self {
        let mut with: BTreeMap<String, BTreeSet<&'i str>> = BTreeMap::new();
        for (name, value) in table.attributes(item) {
            for (text, _) in forms(value) {
                with.entry(text).or_default().insert(name);
            }
        }
        Self { with }
    }

    /// The kind of one or more tokens that are an attribute's value. `None` if they are none.
    fn kind_of_run(&self, text: &str, is_first_token: bool, tokens: usize) -> Option<TokenKind> {
        let attributes = self.with.get(text)?;
        if is_word(text) && attributes.iter().all(|name| TYPE_ATTRIBUTES.contains(name)) {
            return Some(TokenKind::Constant);
        }
        // `USER` before an id is a constant, also if an attribute has this value.
        let is_constant = is_first_token && is_word(text) && (tokens > 1 || is_upper(text));
        (!is_constant).then_some(TokenKind::Value)
    }
}

/// The texts that an attribute's value can have in a key, the plainest first.
pub(crate) fn forms(value: &Value) -> Vec<(String, ValueForm)> {
    let text = match value {
        Value::S(text) if !text.is_empty() && text.len() <= KEY_BYTES_MAX => text,
        Value::N(digits) => return vec![(digits.clone(), ValueForm::default())],
        Value::S(_)
        | Value::B(_)
        | Value::Bool(_)
        | Value::Null(_)
        | Value::L(_)
        | Value::M(_)
        | Value::Ss(_)
        | Value::Ns(_)
        | Value::Bs(_) => return Vec::new(),
    };
    let encoded = |text: &str| encode_uri_component(text).into_owned();
    let lower = text.to_lowercase();
    let all = [
        (text.clone(), ValueForm::default()),
        (lower.clone(), ValueForm { lower: true, ..ValueForm::default() }),
        (encoded(text), ValueForm { urlencode: true, ..ValueForm::default() }),
        (encoded(&lower), ValueForm { lower: true, urlencode: true, ..ValueForm::default() }),
    ];
    let mut different: Vec<(String, ValueForm)> = Vec::new();
    for (text, form) in all {
        if different.iter().all(|(other, _)| *other != text) {
            different.push((text, form));
        }
    }
    different
}

/// How an attribute's value is written as `text`. `None` if the text is not this value.
pub(crate) fn form_of(value: &Value, text: &str) -> Option<ValueForm> {
    if let Value::S(own) = value {
        // Most values are no part of the key: tell these apart before any text is made.
        let is_possible = own.len() == text.len() || text.contains('%') || !own.is_ascii();
        if own == text {
            return Some(ValueForm::default());
        }
        let forms = if is_possible { forms(value) } else { Vec::new() };
        return forms.into_iter().find(|(own, _)| own == text).map(|(_, form)| form);
    }
    let Value::N(digits) = value else { return None };
    if digits == text {
        return Some(ValueForm::default());
    }
    let is_same = is_digits(digits)
        && is_digits(text)
        && text.len() > digits.len()
        && text.len() <= PAD_MAX
        && text.trim_start_matches('0') == digits.trim_start_matches('0');
    is_same.then_some(ValueForm { pad: Some(text.len()), ..ValueForm::default() })
}

/// The largest width of a padded number: DynamoDB's numbers have at most 38 digits.
const PAD_MAX: usize = 38;
