use base64::Engine as _;

use super::{CapturedEntry, StreamBatch, entries};
use instep_contract::{Origin, Provenance, S3Object};

/// The shortest possible record.
fn record(n: u32) -> String {
    format!(r#"{{"eventID":"{n}","eventName":"INSERT","dynamodb":{{"Keys":{{"pk":{{"S":"{n}"}}}}}}}}"#)
}

/// One line for each entry: a record's eventID, or `!` and why it is garbled.
fn read(text: &str) -> Vec<String> {
    let entries = entries("f.json", text).unwrap_or_else(|error| panic!("{error}"));
    entries.iter().map(line).collect()
}

fn line(entry: &CapturedEntry) -> String {
    match entry {
        CapturedEntry::Record(raw, _) => match serde_json::from_str::<serde_json::Value>(raw.get()) {
            Ok(value) => value["eventID"].as_str().unwrap_or("?").to_owned(),
            Err(_) => "unreadable".to_owned(),
        },
        CapturedEntry::Garbled(garbled) => format!("! {}", garbled.reason),
        CapturedEntry::Batch(StreamBatch { shard_id, first, last, .. }) => format!("{shard_id} {first}..{last}"),
        CapturedEntry::Work(work) => format!("work {}", work.get()),
        CapturedEntry::Object(S3Object { bucket, key }, _) => format!("s3://{bucket}/{key}"),
    }
}

fn refusal(text: &str) -> String {
    entries("f.json", text).map(|entries| format!("{} entries", entries.len())).unwrap_err().to_string()
}

#[test]
fn every_form_gives_the_same_records() {
    let (a, b) = (record(1), record(2));
    let event = format!(r#"{{"Records":[{a},{b}]}}"#);
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&event).unwrap()).unwrap();
    let on_failure = serde_json::json!({"version": "1.0", "requestContext": {}, "payload": event}).to_string();
    let nested = serde_json::json!({"payload": on_failure}).to_string();
    let invoked =
        serde_json::json!({"version": "1.0", "requestPayload": {"Records": [1]}, "responsePayload": {}}).to_string();
    let invoked = invoked.replace("[1]", &format!("[{a},{b}]"));
    for text in [
        event.clone(),
        pretty,
        format!("[{a},\n{b}]"),
        format!("{a}\n{b}\n"),
        format!("{a}\n\n{b}"),
        format!("{{\"Records\":[{a}]}}\n{{\"Records\":[{b}]}}"),
        format!("{a}{b}"),
        on_failure,
        nested,
        invoked,
    ] {
        assert_eq!(read(&text), ["1", "2"], "{text}");
    }
    assert_eq!(read(&a), ["1"]);
    assert_eq!(read(r#"{"Records":[]}"#), Vec::<String>::new());
}

/// What other services wrap around records.
#[test]
fn events_of_other_services_give_the_records_in_them() {
    let (a, b) = (record(1), record(2));
    let base64 = |text: &str| base64::prelude::BASE64_STANDARD.encode(text);
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (encoded_a, encoded_b) = (base64(&a), base64(&b));
    let arn = "arn:aws:dynamodb:eu-west-1:1:table/t/stream/s";
    let window = serde_json::json!({
        "window": {"start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:05:00Z"}, "state": {"1": "x"},
        "shardId": "shardId-1", "eventSourceARN": arn, "isFinalInvokeForWindow": false,
        "isWindowTerminatedEarly": false, "Records": [value(&a), value(&b)],
    });
    let kinesis = |data: &str| {
        serde_json::json!({
            "kinesis": {"kinesisSchemaVersion": "1.0", "partitionKey": "p", "sequenceNumber": "49590338271490256608559692538361571095921575989136588898",
                "data": data, "approximateArrivalTimestamp": 1_545_084_650.987},
            "eventSource": "aws:kinesis", "eventVersion": "1.0", "eventID": "shardId-000000000006:4959",
            "eventName": "aws:kinesis:record", "eventSourceARN": "arn:aws:kinesis:eu-west-1:1:stream/s",
        })
    };
    let lambda = serde_json::json!({"Records": [kinesis(&encoded_a), kinesis(&encoded_b)]});
    let polled = |data: &str| serde_json::json!({"SequenceNumber": "49", "ApproximateArrivalTimestamp": 1.5, "Data": data, "PartitionKey": "p"});
    let got = serde_json::json!({"Records": [polled(&encoded_a), polled(&encoded_b)], "NextShardIterator": "n", "MillisBehindLatest": 0});
    let piped = |data: &str| {
        serde_json::json!({"kinesisSchemaVersion": "1.0", "partitionKey": "p", "sequenceNumber": "49",
        "data": data, "approximateArrivalTimestamp": 1.5, "eventSource": "aws:kinesis", "eventID": "s:49", "eventName": "aws:kinesis:record"})
    };
    let pipe = serde_json::json!([piped(&encoded_a), piped(&encoded_b)]);
    let event = |detail: serde_json::Value| {
        serde_json::json!({"version": "0", "id": "i", "detail-type": "Event from pipe", "source": "Pipe p",
        "account": "1", "time": "2026-01-01T00:00:00Z", "region": "eu-west-1", "resources": [], "detail": detail})
    };
    let events = format!("{}\n{}", event(value(&a)), event(value(&b)));
    let of_many = event(serde_json::json!([value(&a), value(&b)]));
    for text in [window.to_string(), lambda.to_string(), got.to_string(), pipe.to_string(), events, of_many.to_string()]
    {
        assert_eq!(read(&text), ["1", "2"], "{text}");
    }
    assert!(refusal(&event(serde_json::json!({"instance-id": "i-1"})).to_string()).contains("JSON of another kind"));
    let not_text = serde_json::json!({"Records": [kinesis("_"), kinesis(&encoded_b)]}).to_string();
    assert_eq!(read(&not_text).len(), 2);
    assert_eq!(read(&not_text)[1], "2");
}

#[test]
fn records_stay_as_they_were_written() {
    let raw = r#"{ "eventID":"\u0031", "eventName" : "INSERT","dynamodb":{"n":{"N":"1.0E+5"},"t":1700000000.10} }"#;
    let entries = entries("f.json", &format!("{{\"Records\": [\n {raw}\n]}}")).unwrap();
    assert!(matches!(&entries[..], [CapturedEntry::Record(record, _)] if record.get() == raw));
}

#[test]
fn a_capture_cut_off_gives_what_is_before_the_cut() {
    let whole = format!("{{\"Records\":[\n{},\n{},\n{}\n]}}", record(1), record(2), record(3));
    let cut = &whole[..whole.len() - 30];
    assert_eq!(read(cut), ["1", "2", "! `f.json`, line 4, column 46: EOF while parsing an object"]);
    let Some(CapturedEntry::Garbled(garbled)) = entries("f.json", cut).unwrap().pop() else {
        panic!("no garbled entry")
    };
    let text: String = serde_json::from_str(garbled.text.get()).unwrap();
    assert!(record(3).starts_with(&text) && text.len() > 20, "{text}");
}

/// Each entry begins with what is expected of it.
#[test]
fn damage_harms_nothing_beside_it() {
    let [a, b, c] = [1, 2, 3].map(record);
    let broken = b.replace("\"INSERT\",", "\"INSERT");
    let message = |body: &str| serde_json::json!({"messageId": "m", "eventSource": "aws:sqs", "body": body});
    for (text, expected) in [
        (format!("{{\"Records\":[{a},\n{b},"), &["1", "2"][..]),
        (format!("[{a}"), &["1"]),
        (format!("{{\"Records\":[{a},\n{broken},\n{c}]}}"), &["1", "! `f.json`, line 2, column", "3"]),
        (
            format!("{a}\n{{\"eventID\":\"2\",}}\nnonsense\n{c}\n"),
            &["1", "! `f.json`, line 2, column", "! `f.json`, line 3, column 2", "3"],
        ),
        (format!("{}\n{b}\n{c}\n", &a[..20]), &["! `f.json`, line 1, column", "2", "3"]),
        (format!("{{\"Records\":[{a},7,{b}]}}"), &["1", "! an element of the records is not an object", "2"]),
        (serde_json::json!({"Records": [message("hello"), message(&a)]}).to_string(), &["?", "1"]),
        (format!(r#"{{"Records":[{a},é,{b}]}}"#), &["1", "! `f.json`, line 1, column", "2"]),
    ] {
        let lines = read(&text);
        let fits =
            lines.len() == expected.len() && lines.iter().zip(expected).all(|(line, head)| line.starts_with(head));
        assert!(fits, "{text}: {lines:?}");
    }
}

#[test]
fn a_text_that_is_no_capture_is_refused_with_its_place() {
    for (text, why) in [
        ("hello\nworld", "`f.json` is not a capture of stream records: line 1, column 1: expected value"),
        ("", "it is empty"),
        ("{\"name\": \"instep\"}", "JSON of another kind"),
        ("[package]\nname = 1", "line 1, column 2"),
        ("42", "JSON of another kind"),
        ("[{\"name\": \"instep\"}, 1]", "JSON of another kind"),
        ("{\"a\": 1}\n{\"b\": 2}\n", "line 1, column 1 is JSON of another kind"),
    ] {
        assert!(refusal(text).contains(why), "{text}");
    }
}

/// One record in an array, or in lines, makes the rest of it records that are damaged.
#[test]
fn one_record_makes_a_capture() {
    let record = record(1);
    for text in [format!("[{{\"a\": 1}}, {record}]"), format!("{{\"a\": 1}}\n{record}\n")] {
        assert_eq!(entries("f.json", &text).unwrap().len(), 2, "{text}");
    }
    assert_eq!(entries("f.json", "[]").unwrap().len(), 0);
}

#[test]
fn searching_a_capture_made_to_be_slow_ends() {
    let nested = r#"{"eventID":"#.repeat(60_000);
    let text = format!("{{\"Records\":[{nested}");
    assert_eq!(read(&text).len(), 1);
}

/// A message in each form in which it may be kept.
fn messages(body: &str) -> Vec<String> {
    let body = serde_json::Value::from(body);
    [
        serde_json::json!({"Records": [{"messageId": "m", "body": body, "eventSource": "aws:sqs", "eventSourceARN": "q"}]}),
        serde_json::json!({"Messages": [{"MessageId": "m", "ReceiptHandle": "r", "Body": body}]}),
        serde_json::json!({"MessageId": "m", "Body": body}),
        serde_json::json!({"Records": [{"EventSource": "aws:sns", "EventVersion": "1.0", "Sns": {"Message": body}}]}),
        serde_json::json!({"Type": "Notification", "TopicArn": "t", "Message": body}),
    ]
    .iter()
    .map(ToString::to_string)
    .collect()
}

#[test]
fn messages_give_what_is_in_them() {
    let event = format!(r#"{{"Records":[{},{}]}}"#, record(1), record(2));
    let parked = format!(r#"{{"instepParked":"1","code":"c","reason":"r","record":{}}}"#, record(7));
    let large = r#"{"instepParked":"1","code":"c","reason":"r","s3":{"bucket":"b","key":"parked/m/7.json"}}"#;
    let pointer = r#"{"requestContext":{"condition":"RetryAttemptsExhausted"},"version":"1.0","DDBStreamBatchInfo":
        {"shardId":"s-1","startSequenceNumber":"10","endSequenceNumber":"20","batchSize":3,"streamArn":"arn"}}"#;
    let whole = serde_json::json!({"DDBStreamBatchInfo": {}, "payload": event}).to_string();
    let notification = r#"{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","eventName":"ObjectCreated:Put",
        "s3":{"bucket":{"name":"b","arn":"x"},"object":{"key":"aws/lambda/a+b%2Fc.json","size":7}}}]}"#;
    let masked = r#"{"instepParked":"1","code":"c","reason":"r","record":"***"}"#;
    for (body, expected) in [
        (event.as_str(), &["1", "2"][..]),
        (&parked, &["7"]),
        (large, &["s3://b/parked/m/7.json"]),
        (pointer, &["s-1 10..20"]),
        (&whole, &["1", "2"]),
        (notification, &["s3://b/aws/lambda/a b/c.json"]),
        (
            masked,
            &["! the record was parked without its text, because it is unknown which part of it is secret: it \
                    cannot be run from here; write the item again, or remove it"],
        ),
    ] {
        assert_eq!(read(body), expected, "{body}");
        for message in messages(body) {
            assert_eq!(read(&message), expected, "{message}");
            // A dead-letter queue of a topic's subscription: a notification in a message.
            for nested in messages(&message) {
                assert_eq!(read(&nested), expected, "{nested}");
            }
        }
    }
}

#[test]
fn damaged_texts_in_each_other_end() {
    let mut text = format!("[{},x", record(1));
    for _ in 0..500 {
        // In this form, a string inside a string grows by a few characters only.
        let inner = text.replace('\\', "\u{1}").replace('"', "\\u0022").replace('\u{1}', "\\u005c");
        text = format!(r#"[{{"payload":"{inner}"}},"#);
    }
    assert_eq!(read(&text).len(), 1);
}

#[test]
fn many_damaged_lines_are_read_once() {
    let text = format!("{}\n{}", record(1), "{\"dynamodb\":{\n".repeat(100_000));
    let read = read(&text);
    assert_eq!(read.len(), 100_001);
    assert!(read[100_000].contains("line 100001, column"), "{}", read[100_000]);
}

#[test]
fn bytes_that_are_no_text_stay_in_their_record() {
    let mut bytes = format!("\u{feff}{{\"Records\":[{},", record(1)).into_bytes();
    bytes.extend(record(2).into_bytes().into_iter().map(|byte| if byte == b'S' { 0xff } else { byte }));
    bytes.extend(b"]}");
    let at = bytes.iter().position(|byte| *byte == 0xff).unwrap();
    let entries = super::CaptureText::of(bytes).entries("f.json").unwrap();
    let lines: Vec<_> = entries.iter().map(line).collect();
    let why = format!(
        "! `f.json`, byte {at}: not UTF-8, so what was written is unknown: capture it again, or convert the file to UTF-8"
    );
    assert_eq!(lines, ["1", why.as_str()]);
    let Some(CapturedEntry::Garbled(garbled)) = entries.last() else { panic!("{entries:?}") };
    assert!(garbled.text.get().contains('\u{fffd}') && !garbled.text.get().contains('\u{f0000}'), "{garbled:?}");
}

/// What is no text at all is refused with its first byte, and a capture inside another is as exact.
#[test]
fn bytes_that_are_no_text_are_found_wherever_they_are() {
    let refusal = super::CaptureText::of(b"\xff\xfe{\x00".to_vec()).entries("f.json").unwrap_err().to_string();
    assert!(refusal.contains("byte 0: not UTF-8"), "{refusal}");
    let nested = serde_json::json!({ "payload": format!("[{},{}]", record(1), record(2)) }).to_string();
    let bytes = nested.replacen("\\\"S\\\":\\\"2", "\\\"S\\\":\\\"~", 1).into_bytes();
    let at = bytes.iter().position(|byte| *byte == b'~').unwrap();
    let bytes = bytes.into_iter().map(|byte| if byte == b'~' { 0xe9 } else { byte }).collect();
    let lines: Vec<_> = super::CaptureText::of(bytes).entries("f.json").unwrap().iter().map(line).collect();
    assert!(lines[0] == "1" && lines[1].contains(&format!("byte {at}: not UTF-8")), "{lines:?}");
    let text = "\u{f0000} is a character as any other";
    assert_eq!(super::CaptureText::from(text).utf8("f").unwrap(), text);
}

/// A message of a parked record says where the record came from, wherever the record is kept.
#[test]
fn a_parked_record_has_its_provenance() {
    let of = |text: &str| match entries("f.json", text).unwrap().remove(0) {
        CapturedEntry::Record(_, provenance) | CapturedEntry::Object(_, provenance) => provenance,
        other @ (CapturedEntry::Work(_) | CapturedEntry::Garbled(_) | CapturedEntry::Batch(_)) => panic!("{other:?}"),
    };
    let stream = Provenance::default();
    let backfill = Provenance { origin: Some(Origin::Captured), publish: false, records_of: Some("old".to_owned()) };
    let kept = r#""s3":{"bucket":"b","key":"k"}"#.to_owned();
    for what in [format!(r#""record":{}"#, record(1)), kept] {
        let message = |members: &str| format!(r#"{{"instepParked":"1",{members}{what}}}"#);
        assert_eq!(of(&message("")), stream);
        let said = r#""origin":"captured","publish":false,"recordsOf":"old","#;
        assert_eq!(of(&message(said)), backfill);
        let delivered = serde_json::json!({"Records": [{"messageId": "1", "body": message(said)}]});
        assert_eq!(of(&delivered.to_string()), backfill);
        // Handled as a record of the stream it could delete what it must not.
        assert!(read(&message(r#""origin":"later","#))[0].starts_with("! the parked message has an `origin`"));
    }
    assert_eq!(of(&format!(r#"{{"origin":"captured",{}"#, &record(1)[1..])), stream, "a record says nothing");
}
