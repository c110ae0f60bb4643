//! The precedence and the IAM role of Cognito groups: which values Cognito accepts.

use std::collections::BTreeSet;

use crate::model::{Model, OfGroups};

/// The highest number, and the lowest precedence. The lowest number is 0. Source: Amazon Cognito User Pools API
/// Reference, CreateGroup, `Precedence`.
pub const PRECEDENCE_MAX: i32 = i32::MAX;

/// The length of an ARN, in characters. Source: as above, `RoleArn`.
const ARN_MAX_CHARS: usize = 2048;

/// The digits of an account's number.
const ACCOUNT_DIGITS: usize = 12;

/// The precedence of a group that a text spells. `None` if Cognito takes no such number.
#[must_use]
pub fn group_precedence(text: &str) -> Option<i32> {
    text.parse::<i32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The account in the ARN of an IAM role: `arn:aws:iam::123456789012:role/path/name`. `None` if the text is no such ARN.
/// Source: IAM User Guide, "IAM identifiers"; the characters are those of `RoleName` and `path` in the IAM API
/// Reference that `RoleArn` of Cognito takes, too.
#[must_use]
pub fn account_of_iam_role(arn: &str) -> Option<&str> {
    let [_, partition, "iam", "", account, role] = *arn.splitn(6, ':').collect::<Vec<_>>().first_chunk::<6>()? else {
        return None;
    };
    let is_partition = partition.starts_with("aws") && partition.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let is_account = account.len() == ACCOUNT_DIGITS && account.bytes().all(|byte| byte.is_ascii_digit());
    let path = role.strip_prefix("role/")?;
    let is_path = !path.ends_with('/') && !path.is_empty();
    let is_path = is_path && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+=,.@-_/".contains(&byte));
    let is_arn = arn.starts_with("arn:") && is_partition && is_account && is_path && arn.len() <= ARN_MAX_CHARS;
    is_arn.then_some(account)
}

impl Model {
    /// The IAM roles that Instep gives to groups.
    #[must_use]
    pub fn iam_roles(&self) -> BTreeSet<&str> {
        let groups = self.items.iter().flat_map(|item| &item.groups);
        groups.filter_map(|groups| groups.iam_role.as_ref()).flat_map(OfGroups::all).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precedence_is_a_whole_number() {
        let texts = ["0", "7", "2147483647", "2147483648", "-1", "+1", "1.5", "1e2", " 1", "", "one"];
        let accepted: Vec<&str> = texts.into_iter().filter(|text| group_precedence(text).is_some()).collect();
        assert_eq!(accepted, ["0", "7", "2147483647"]);
    }

    #[test]
    fn an_iam_role_is_a_whole_arn() {
        let roles = [
            "arn:aws:iam::123456789012:role/lead",
            "arn:aws-us-gov:iam::123456789012:role/teams/lead+1",
            "arn:aws:iam::12345:role/lead",
            "arn:aws:iam::123456789012:user/lead",
            "arn:aws:iam::123456789012:role/",
            "arn:aws:iam::123456789012:role/*",
            "arn:aws:iam::123456789012:role/a/",
            "arn:aws:iam:eu-west-1:123456789012:role/lead",
            "arn:aws:s3:::bucket",
            "lead",
        ];
        let accepted: Vec<&str> = roles.into_iter().filter(|role| account_of_iam_role(role).is_some()).collect();
        assert_eq!(accepted, roles[..2]);
    }
}
