//! A folder as a bucket.

use aws_sdk_s3::error::ProvideErrorMetadata as _;
use aws_sdk_s3::primitives::ByteStream;

use crate::{Folder, LocalError};

fn client(folder: &Folder) -> aws_sdk_s3::Client {
    let config = aws_sdk_s3::config::Builder::from(&folder.sdk_config()).force_path_style(true).build();
    aws_sdk_s3::Client::from_conf(config)
}

/// Promise 1: an object is written on condition, as S3 does it: of two writers, one is told that the other was
/// faster. What was written is there after the process has ended.
#[tokio::test]
async fn an_object_is_written_on_condition() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().join("kept");
    let folder = Folder::open(&at).unwrap();
    let s3 = client(&folder);
    let put = |text: &'static str| {
        s3.put_object().bucket("b").key("sweeps/s/one").body(ByteStream::from_static(text.as_bytes()))
    };
    let first = put("1").if_none_match("*").send().await.unwrap().e_tag.unwrap();
    let again = put("2").if_none_match("*").send().await.unwrap_err();
    assert_eq!(again.code(), Some("PreconditionFailed"));
    let second = put("2").if_match(&first).send().await.unwrap().e_tag.unwrap();
    assert_ne!(first, second);
    assert_eq!(put("3").if_match(&first).send().await.unwrap_err().code(), Some("PreconditionFailed"));
    drop((s3, folder));
    let reopened = client(&Folder::open(&at).unwrap());
    let read = reopened.get_object().bucket("b").key("sweeps/s/one").send().await.unwrap();
    assert_eq!(read.e_tag, Some(second));
    assert_eq!(read.body.collect().await.unwrap().to_vec(), b"2");
    let absent = reopened.get_object().bucket("b").key("sweeps/s/two").send().await.unwrap_err();
    assert_eq!(absent.code(), Some("NoSuchKey"));
}

/// Promise 9: the folder has names of users. Only its owner reads it, one process uses it, and no key leads
/// out of it.
#[tokio::test]
async fn a_folder_is_for_its_owner_only() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().join("kept");
    let folder = Folder::open(&at).unwrap();
    assert!(matches!(Folder::open(&at), Err(LocalError::Locked(_))));
    let s3 = client(&folder);
    s3.put_object().bucket("b").key("a/b").body(ByteStream::from_static(b"1")).send().await.unwrap();
    #[cfg(unix)]
    for path in [at.clone(), at.join("a")] {
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions());
        assert_eq!(mode & 0o077, 0);
    }
    let out = s3.put_object().bucket("b").key("a/../../out").body(ByteStream::from_static(b"1")).send().await;
    assert_eq!(out.unwrap_err().code(), Some("InvalidRequest"));
    assert!(!dir.path().join("out").exists());
}
