//! Reads, writes and lists files, with failures that name the path.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, OrFail, Outcome};

/// Reads a text file.
pub fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).or_fail(|| format!("Could not read {}", path.display()))
}

/// Writes a file, and creates its folder if necessary.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Outcome {
    if let Some(parent) = path.parent() {
        make_dir(parent)?;
    }
    fs::write(path, content).or_fail(|| format!("Could not write {}", path.display()))
}

/// Creates a folder and its parents.
pub fn make_dir(path: &Path) -> Outcome {
    fs::create_dir_all(path).or_fail(|| format!("Could not create the folder {}", path.display()))
}

/// Removes a file, if it exists.
pub fn remove_file(path: &Path) -> Outcome {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::new(format!("Could not remove {}", path.display())).why(error))
        }
        _ => Ok(()),
    }
}

/// Removes a folder with its content. Succeeds if the folder does not exist.
pub fn remove_dir(path: &Path) -> Outcome {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::new(format!("Could not remove {}", path.display())).why(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Copies a file, and creates the destination's folder if necessary.
pub fn copy(from: &Path, to: &Path) -> Outcome {
    if let Some(parent) = to.parent() {
        make_dir(parent)?;
    }
    fs::copy(from, to).or_fail(|| format!("Could not copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Waits for the lock with this path, and holds it until the result is dropped.
pub fn lock(path: &Path) -> Outcome<File> {
    if let Some(parent) = path.parent() {
        make_dir(parent)?;
    }
    let file = File::create(path).or_fail(|| format!("Could not create {}", path.display()))?;
    file.lock().or_fail(|| format!("Could not lock {}", path.display()))?;
    Ok(file)
}

/// Lists every file below a folder, sorted. Returns nothing if the folder does not exist.
pub fn walk(dir: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(dir, &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(dir: &Path, found: &mut Vec<PathBuf>) -> Outcome {
    if !dir.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(dir).or_fail(|| format!("Could not list {}", dir.display()))? {
        let path = entry.or_fail(|| format!("Could not list {}", dir.display()))?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns whether the file has this extension.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Returns the name of the file, or an empty string if it has none.
pub fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
