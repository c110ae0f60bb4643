//! What a text looks like: an id, a word, a time, a secret. And how names are made of words.

/// Usual names of an attribute with the item type, in order of preference.
pub(crate) const TYPE_ATTRIBUTES: [&str; 17] = [
    "__edb_e__",
    "_et",
    "entity",
    "_type",
    "type",
    "Type",
    "entityType",
    "entity_type",
    "_recordType",
    "recordType",
    "itemType",
    "item_type",
    "objectType",
    "_entity",
    "__typename",
    "model",
    "kind",
];

/// Names of attributes that say nothing of what they identify.
const GENERIC: [&str; 17] = [
    "id",
    "ulid",
    "uuid",
    "uid",
    "key",
    "name",
    "sub",
    "value",
    "_id",
    "guid",
    "slug",
    "code",
    "title",
    "label",
    "displayName",
    "description",
    "ID",
];

/// Words in keys that say nothing of the item type.
const EMPTY_WORDS: [&str; 12] =
    ["METADATA", "META", "PROFILE", "INFO", "DETAILS", "DATA", "ROOT", "ENTITY", "A", "#", "_", "SELF"];

/// The longest constant of a key that is written into a draft.
const WORD_MAX: usize = 60;

pub(crate) fn is_generic(attribute: &str) -> bool {
    GENERIC.contains(&attribute)
}

pub(crate) fn is_empty_word(word: &str) -> bool {
    EMPTY_WORDS.iter().any(|empty| empty.eq_ignore_ascii_case(word))
}

/// Whether a text is a word, which can be a constant of keys: letters, `_` and `-`, perhaps a version at its end
/// (`$task_1`). A text with other digits or signs may be an id, an address or a number, and is never a constant.
pub(crate) fn is_word(text: &str) -> bool {
    let body = text.strip_prefix(['$', '_', '@']).unwrap_or(text);
    let body = match body.rsplit_once('_') {
        Some((head, version)) if !version.is_empty() && version.len() <= 2 && is_digits(version) => head,
        _ => body,
    };
    let first = body.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    first
        && text.len() <= WORD_MAX
        && body.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-'))
        && !has_id_shape(text)
}

pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is in capitals, as constants of keys often are.
pub(crate) fn is_upper(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_uppercase()) && !text.chars().any(|c| c.is_ascii_lowercase())
}

/// A UUID, a ULID, a time, an address, or a number: a value wherever it is.
pub(crate) fn has_id_shape(text: &str) -> bool {
    let uuid = text.len() == 36
        && text
            .char_indices()
            .all(|(at, c)| if matches!(at, 8 | 13 | 18 | 23) { c == '-' } else { c.is_ascii_hexdigit() });
    let ulid = text.len() == 26 && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let address = text.split_once('@').is_some_and(|(local, host)| !local.is_empty() && host.contains('.'));
    let number = text.strip_prefix('+').unwrap_or(text);
    let number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    uuid || ulid || address || number || is_time(text)
}

/// A date, or a date with a time of day.
pub(crate) fn is_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let is_date = date.char_indices().all(|(at, c)| if matches!(at, 4 | 7) { c == '-' } else { c.is_ascii_digit() });
    let of_day = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | 'Z' | '+' | '-');
    is_date && (rest.is_empty() || rest.starts_with(['T', ' ']) && rest.chars().skip(1).all(of_day))
}

/// Whether an attribute's name says that its values are secret. Such values name nothing and are never compared.
pub(crate) fn is_secret(attribute: &str) -> bool {
    let lower = attribute.to_ascii_lowercase();
    let plain = lower.replace(['_', '-'], "");
    let words = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "apikey",
        "privatekey",
        "credential",
        "accesstoken",
        "refreshtoken",
    ];
    let ends = ["token", "hash", "otp", "ssn", "salt", "pin"];
    let ends_so = |end: &&str| {
        let Some(head) = attribute.len().checked_sub(end.len()).filter(|_| lower.ends_with(*end)) else { return false };
        // `pin` in `shipping` and `salt` in `basalt` are parts of other words.
        head == 0
            || attribute.get(head..).is_some_and(|tail| tail.starts_with(|c: char| c.is_ascii_uppercase()))
            || lower.get(..head).is_some_and(|before| before.ends_with(['_', '-']))
    };
    words.iter().any(|word| plain.contains(word)) || ends.iter().any(ends_so)
}

/// Whether a name can be written in a comment: an attribute can be called like an address or a person.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    name.len() <= WORD_MAX && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(rest)
}

/// A word for comparisons: lower case, letters and digits, without a plural's `s`.
pub(crate) fn norm(word: &str) -> String {
    let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    match plain.strip_suffix('s') {
        Some(stem) if stem.len() > 1 => stem.to_owned(),
        _ => plain,
    }
}

/// `SYSTEM_ROLE` as `SystemRole`.
pub(crate) fn camel(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + &if is_upper(word) { rest.to_ascii_lowercase() } else { rest.to_owned() }
    };
    words.map(capital).collect()
}

/// `SYSTEM_ROLE` as `systemRole`.
pub(crate) fn lower_camel(text: &str) -> String {
    let camel = camel(text);
    let (first, rest) = camel.split_at_checked(1).unwrap_or((&camel, ""));
    first.to_ascii_lowercase() + rest
}

/// `SYSTEM-ROLE` as `system_role`.
pub(crate) fn snake(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}
