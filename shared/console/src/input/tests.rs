use super::CaptureInput;

/// A record as short as one can be.
fn record(n: u32) -> String {
    format!(r#"{{"eventID":"{n}","eventName":"INSERT","dynamodb":{{"Keys":{{"pk":{{"S":"{n}"}}}}}}}}"#)
}

#[test]
fn folders_are_read_in_path_order_and_only_captures_of_them() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("b")).unwrap();
    for name in ["c.json", "a.jsonl", "b/x.ndjson", "model.toml", "README.md"] {
        std::fs::write(dir.path().join(name), record(1)).unwrap();
    }
    let found = super::find(&[dir.path().to_owned()]).unwrap();
    let names: Vec<_> = found.iter().map(|source| source.name.rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["a.jsonl", "x.ndjson", "c.json"]);
    assert!(
        found.iter().all(|source: &CaptureInput| source.capture(&source.text().unwrap()).unwrap().unwrap().len() == 1)
    );

    let empty = tempfile::tempdir().unwrap();
    std::fs::write(empty.path().join("README.md"), "").unwrap();
    assert!(super::find(&[empty.path().to_owned()]).unwrap_err().to_string().starts_with("no captures under"));
}
