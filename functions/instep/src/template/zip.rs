//! A ZIP archive whose files are stored as they are, and whose bytes depend on nothing else.

use miette::{IntoDiagnostic as _, Result};

/// 1980-01-01, the first day that the format knows.
const DATE: u16 = (1 << 5) | 1;

/// Names are in UTF-8.
const UTF8: u16 = 1 << 11;

/// The version of the format that stored files need.
const NEEDED: u16 = 10;

/// Made on Unix, so that the attributes are a file's mode.
const MADE_BY: u16 = (3 << 8) | NEEDED;

/// A regular file that everybody may read: Lambda reads a layer as another user than the one that unpacks it.
const MODE: u32 = 0o100_644 << 16;

/// An archive of files, each with a name and its content.
///
/// # Errors
/// If the format has no number for what is so large.
pub(super) fn archive(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in files {
        let offset = number(archive.len())?;
        let mut entry = Vec::new();
        for part in [NEEDED, UTF8, 0, 0, DATE] {
            entry.extend(part.to_le_bytes());
        }
        for part in [crc32fast::hash(content), number(content.len())?, number(content.len())?] {
            entry.extend(part.to_le_bytes());
        }
        for part in [u16::try_from(name.len()).into_diagnostic()?, 0] {
            entry.extend(part.to_le_bytes());
        }
        archive.extend(b"PK\x03\x04");
        archive.extend(&entry);
        archive.extend(name.as_bytes());
        archive.extend(content);
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(entry);
        // No comment, the first disk, no text.
        directory.extend([0; 6]);
        directory.extend(MODE.to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let count = u16::try_from(files.len()).into_diagnostic()?;
    let (offset, length) = (number(archive.len())?, number(directory.len())?);
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(length.to_le_bytes());
    archive.extend(offset.to_le_bytes());
    archive.extend([0; 2]);
    Ok(archive)
}

fn number(length: usize) -> Result<u32> {
    u32::try_from(length).into_diagnostic()
}
