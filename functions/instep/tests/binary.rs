//! The binary starts. Cargo builds a binary for the tests of its own package only: this one is why
//! `cargo test --workspace` builds `instep` for `tests/end-to-end`, which runs it for everything
//! else.

use std::process::Command;

#[test]
fn it_prints_its_version() {
    let output = Command::new(env!("CARGO_BIN_EXE_instep")).arg("--version").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with(concat!("instep ", env!("CARGO_PKG_VERSION"), " (")), "{printed}");
}
