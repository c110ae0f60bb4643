//! Attributes of Cognito users: which there are, and which values Cognito accepts.

use std::collections::BTreeSet;

use crate::model::{Create, Model};

/// The attributes that every user pool has and callers can set: those of OpenID Connect, without `sub`.
/// Source: Amazon Cognito Developer Guide, "Working with user attributes".
pub const COGNITO_USER_ATTRIBUTES: [&str; 19] = [
    "address",
    "birthdate",
    "email",
    "email_verified",
    "family_name",
    "gender",
    "given_name",
    "locale",
    "middle_name",
    "name",
    "nickname",
    "phone_number",
    "phone_number_verified",
    "picture",
    "preferred_username",
    "profile",
    "updated_at",
    "website",
    "zoneinfo",
];

/// The prefix of a pool's own attributes.
pub const CUSTOM_ATTRIBUTE: &str = "custom:";

/// The prefix, before that one, of attributes that only callers with credentials of the account can read.
pub const DEVELOPER_ATTRIBUTE: &str = "dev:";

/// The attribute that shows which of the users Instep made. Nothing of the model sets it.
pub const ACCOUNT_MARK: &str = "custom:instep";

/// What the name of an attribute ends with that says whether an address is verified: `email_verified` and
/// `phone_number_verified`.
pub const VERIFIED_ATTRIBUTE: &str = "_verified";

/// The number of custom attributes of a pool. Source: Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".
pub const CUSTOM_ATTRIBUTES_MAX: usize = 50;

/// The length of an attribute's value, in characters. Source: Amazon Cognito User Pools API Reference,
/// `AttributeType`, `Value`.
const VALUE_CHARS_MAX: usize = 2048;

/// The number of digits of a phone number. Source: ITU-T E.164, 6.2.1.
const PHONE_DIGITS_MAX: usize = 15;

/// The form that the value of a standard attribute must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeForm {
    /// Any text.
    Text,
    /// An email address with a domain.
    Email,
    /// `+`, the country code and the number: digits only (E.164).
    Phone,
    /// A date, `YYYY-MM-DD`.
    Date,
    /// A number that is not negative.
    Number,
    /// `true` or `false`.
    Boolean,
}

impl AttributeForm {
    /// The form of an attribute. Source: Amazon Cognito Developer Guide, "Working with user attributes", and the
    /// data types of a new pool's schema, DescribeUserPool, `SchemaAttributes`.
    #[must_use]
    pub fn of(attribute: &str) -> Self {
        match attribute {
            "birthdate" => Self::Date,
            "email" => Self::Email,
            "email_verified" | "phone_number_verified" => Self::Boolean,
            "phone_number" => Self::Phone,
            "updated_at" => Self::Number,
            _ => Self::Text,
        }
    }

    /// Whether Cognito accepts this value. It accepts an empty one for every attribute: that deletes the attribute.
    #[must_use]
    pub fn accepts(self, value: &str) -> bool {
        value.is_empty()
            || match self {
                Self::Text => true,
                Self::Email => is_email(value),
                Self::Phone => is_phone(value),
                Self::Date => is_date(value),
                Self::Number => value.parse::<u64>().is_ok() && value.bytes().all(|byte| byte.is_ascii_digit()),
                Self::Boolean => value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false"),
            }
    }

    /// What is accepted, for people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Text => "any text",
            Self::Email => "an email address, such as `ann@example.com`",
            Self::Phone => "`+`, the country code and the number, digits only, such as `+14155550100`",
            Self::Date => "a date, such as `1990-05-01`",
            Self::Number => "a number of seconds since 1970, such as `1777626000`",
            Self::Boolean => "`true` or `false`",
        }
    }
}

/// Why Cognito refuses a value of an attribute, without the value. `None` if nothing is known against it.
#[must_use]
pub fn user_attribute_refusal(attribute: &str, value: &str) -> Option<String> {
    let (form, chars) = (AttributeForm::of(attribute), value.chars().count());
    if !form.accepts(value) {
        return Some(format!("Cognito takes {}", form.words()));
    }
    let too_long = || format!("it has {chars} characters, and Cognito takes at most {VALUE_CHARS_MAX}");
    (chars > VALUE_CHARS_MAX).then(too_long)
}

/// The documentation says: the standard format, with an `@` and a domain. What is doubtful is refused here.
fn is_email(value: &str) -> bool {
    let Some((local, domain)) = value.rsplit_once('@') else { return false };
    let is_label = |label: &str| {
        let is_part = |c: char| c.is_alphanumeric() || c == '-';
        !label.is_empty() && !label.starts_with('-') && !label.ends_with('-') && label.chars().all(is_part)
    };
    let is_local = !local.is_empty() && !local.contains(|c: char| c.is_whitespace() || c.is_control() || c == '@');
    is_local && domain.contains('.') && domain.split('.').all(is_label)
}

fn is_phone(value: &str) -> bool {
    let Some(digits) = value.strip_prefix('+') else { return false };
    // No country code begins with a zero.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    is_number && (1..=PHONE_DIGITS_MAX).contains(&digits.len())
}

fn is_date(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |text: &str, digits: usize| -> Option<u16> {
        let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_number)
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

impl Model {
    /// The user attributes that the model sets and not every pool has: a pool must declare them.
    #[must_use]
    pub fn custom_user_attributes(&self) -> BTreeSet<&str> {
        let users = self.items.iter().filter_map(|item| item.user.as_ref());
        let marks = users.clone().any(|user| user.create != Create::Never).then_some(ACCOUNT_MARK);
        let names = users.flat_map(|user| &user.attributes).map(|(name, _)| name.as_str());
        names.filter(|name| !COGNITO_USER_ATTRIBUTES.contains(name)).chain(marks).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_accepts_what_the_documentation_says() {
        let cases = [
            (
                "email",
                "a@example.com a.b+c@mail.example.com bob@[1.2.3.4 a@x not-an-address a@b@c.example @x.example a@.x a@x-.example",
            ),
            ("phone_number", "+14155550100 +4930123456 555-1234 +1-415 +0123456 +1234567890123456 + 14155550100"),
            ("birthdate", "1990-05-01 2024-02-29 2023-02-29 1990-5-1 01.05.1990 1990-13-01 1990-04-31 1990-05-00"),
            ("updated_at", "1777626000 0 yesterday -1 +1 1.5"),
            ("email_verified", "true false True yes 1"),
            ("nickname", "anything"),
        ];
        let mut found = String::new();
        for (attribute, values) in cases {
            let accepted: Vec<&str> =
                values.split(' ').filter(|value| AttributeForm::of(attribute).accepts(value)).collect();
            found += &format!("{attribute}: {}\n", accepted.join(" "));
        }
        let expected = "email: a@example.com a.b+c@mail.example.com\n\
                        phone_number: +14155550100 +4930123456\n\
                        birthdate: 1990-05-01 2024-02-29\n\
                        updated_at: 1777626000 0\n\
                        email_verified: true false True\n\
                        nickname: anything\n";
        assert_eq!(found, expected);
        assert!(COGNITO_USER_ATTRIBUTES.iter().all(|name| AttributeForm::of(name).accepts("")));
    }
}
