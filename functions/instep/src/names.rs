//! The names of resources on the command line and in the environment. A name that no service has is refused before
//! anything is called: the error says which option is wrong, and how to write it.

use axum::http::Uri;
use instep_console::forward::ForwardTarget;
use instep_flow::table_id::TableId;

/// A table's name, or its ARN.
pub(crate) fn table(text: &str) -> Result<String, String> {
    let is_table = TableId::named(text).is_some_and(|table| instep_local::is_table_name(table.name()));
    checked(text, is_table, "no name of a table: write 3 to 255 letters, digits, `_`, `.` and `-`, or a table's ARN")
}

/// The name of a table that is named by its name or its ARN. A text that is neither stays as it is, for the error.
pub(crate) fn name_of_table(table: &str) -> String {
    TableId::named(table).map_or_else(|| table.to_owned(), |table| table.name().to_owned())
}

/// The id of a user pool. Source: Amazon Cognito User Pools API Reference, DescribeUserPool, `UserPoolId`.
pub(crate) fn user_pool(text: &str) -> Result<String, String> {
    let is_region =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
    let is_id = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_pool = text.rsplit_once('_').is_some_and(|(region, id)| is_region(region) && is_id(id)) && text.len() <= 55;
    checked(text, is_pool, "no id of a user pool: write one such as `eu-west-1_AbCdEf123`")
}

/// The name of an event bus, or its ARN. Source: Amazon EventBridge API Reference, PutEventsRequestEntry,
/// `EventBusName`.
pub(crate) fn bus(text: &str) -> Result<String, String> {
    let name = match text.strip_prefix("arn:aws") {
        Some(rest) => rest.split_once(":event-bus/").map_or("", |(_, name)| name),
        None => text,
    };
    let is_bus = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"/.-_".contains(&b));
    checked(text, is_bus, "no name of an event bus: write letters, digits, `/`, `.`, `-` and `_`, or the bus's ARN")
}

/// The name of a bucket. Source: Amazon S3 User Guide, "General purpose bucket naming rules".
pub(crate) fn bucket(text: &str) -> Result<String, String> {
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    let is_bucket = (3..=63).contains(&text.len())
        && bytes.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(b))
        && is_end(bytes.first())
        && is_end(bytes.last());
    checked(text, is_bucket, "no name of a bucket: write 3 to 63 lower-case letters, digits, `.` and `-`")
}

/// The ARN of a state machine.
pub(crate) fn machine(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let is_machine = matches!(*parts, ["arn", _, "states", _, _, "stateMachine", name] if !name.is_empty());
    checked(
        text,
        is_machine,
        "no ARN of a state machine: write one such as `arn:aws:states:eu-west-1:111122223333:stateMachine:sweep`",
    )
}

/// The URL of a queue or an endpoint.
pub(crate) fn url(text: &str) -> Result<String, String> {
    checked(text, is_url(text), "no URL: write one such as `http://127.0.0.1:4566`")
}

/// The URL of a server that takes events.
pub(crate) fn forward(text: &str) -> Result<ForwardTarget, String> {
    ForwardTarget::new(text)
}

/// `aws`, or the URL of an endpoint.
pub(crate) fn aws_or_url(text: &str) -> Result<String, String> {
    checked(text, text == "aws" || is_url(text), "neither `aws` nor a URL such as `http://127.0.0.1:4566`")
}

/// A directory, `aws`, or the URL of an endpoint.
pub(crate) fn dir_or_url(text: &str) -> Result<String, String> {
    if text.contains("://") { url(text) } else { Ok(text.to_owned()) }
}

fn is_url(text: &str) -> bool {
    let Ok(uri) = text.parse::<Uri>() else { return false };
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    // A port that is no number is part of the authority, but not its port.
    let is_server = uri.authority().is_some_and(|server| {
        let port = server.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
        !server.host().is_empty() && server.as_str() == format!("{}{port}", server.host())
    });
    is_http && is_server
}

fn checked(text: &str, is_valid: bool, otherwise: &str) -> Result<String, String> {
    if is_valid { Ok(text.to_owned()) } else { Err(format!("`{}` is {otherwise}", instep_model::escaped(text))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_service_has_and_none_else() {
        type Check = fn(&str) -> Result<String, String>;
        let cases: [(Check, &[&str], &[&str]); 7] = [
            (
                table,
                &["abc", "a.b_c-D", "arn:aws:dynamodb:eu-west-1:111122223333:table/abc"],
                &[
                    "ab",
                    "a b c",
                    "",
                    "arn:aws:kinesis:eu-west-1:1:stream/abc",
                    "arn:aws:glue:eu-west-1:111122223333:table/base/abc",
                    "abc:table/abc",
                    "arn:aws:dynamodb:r:1:table/***/stream/x",
                ],
            ),
            (user_pool, &["us-east-1_instep000"], &["x", "us-east-1_", "_abc", "us east_1a", "us-east-1_a-b"]),
            (
                bus,
                &["default", "aws.partner/x.y/z", "arn:aws:events:eu-west-1:111122223333:event-bus/mine"],
                &["", "my bus", "arn:aws:sns:eu-west-1:111122223333:topic"],
            ),
            (bucket, &["abc", "my.bucket-1"], &["ab", "My-bucket", "a_b", "-abc", "abc.", "s3://abc"]),
            (
                url,
                &["http://127.0.0.1:4566", "https://sqs.eu-west-1.amazonaws.com/111122223333/work", "http://[::1]:80/"],
                &[
                    "",
                    "aws",
                    "nourl",
                    "http://",
                    "ftp://a",
                    "http://a b",
                    "http://a:x",
                    "http://a:99999",
                    "http://user:password@a",
                ],
            ),
            (
                machine,
                &["arn:aws:states:eu-west-1:111122223333:stateMachine:sweep"],
                &["", "sweep", "arn:aws:states:eu-west-1:111122223333:execution:sweep:one"],
            ),
            (aws_or_url, &["aws", "http://localhost"], &["AWS", "nourl"]),
        ];
        for (check, valid, invalid) in cases {
            valid.iter().for_each(|text| assert_eq!(check(text).as_deref(), Ok(*text)));
            invalid.iter().for_each(|text| assert!(check(text).is_err(), "{text}"));
        }
    }
}
