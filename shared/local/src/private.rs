//! Files and folders that only their owner can read. A stack's directory has unmasked items, with all secrets.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// The mode of a folder: its owner reads, writes and enters it.
#[cfg(unix)]
const FOLDER_MODE: u32 = 0o700;

/// The mode of a file: its owner reads and writes it.
#[cfg(unix)]
const FILE_MODE: u32 = 0o600;

/// Options for a file that only its owner can read, if they create it.
#[must_use]
pub fn options() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE_MODE);
    options
}

/// Writes a whole file.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    options().write(true).create(true).truncate(true).open(path)?.write_all(content)
}

/// Creates a folder, and those above it that are missing.
///
/// # Errors
/// It cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, FOLDER_MODE);
    builder.recursive(true).create(path)
}

/// Takes a folder and all that is in it from everybody but its owner: an earlier version may have created it, or
/// another program. Links are left alone.
#[cfg(unix)]
pub(crate) fn restrict(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let set = |path: &Path, mode: u32| {
        let is_set = fs::metadata(path)?.permissions().mode() & 0o777 == mode;
        if is_set { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(mode)) }
    };
    // INVARIANT 8: a folder of the tree is visited once, because links are left alone.
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        set(&folder, FOLDER_MODE)?;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                set(&entry.path(), FILE_MODE)?;
            }
        }
    }
    Ok(())
}

/// Without the permissions of Unix, a folder has those of the folder above it.
#[cfg(not(unix))]
pub(crate) fn restrict(_folder: &Path) -> io::Result<()> {
    Ok(())
}
