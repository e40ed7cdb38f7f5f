//! Files of the commands on this machine: API keys by profile, and the positions of `listen`.
//!
//! Keys are in `$XDG_CONFIG_HOME/linchpin/profiles` (`~/.config`), positions in `$XDG_STATE_HOME/linchpin/listen`
//! (`~/.local/state`). Only the user can read the files.

use std::fs::{DirBuilder, Permissions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::TenantCommandError;

/// The profile of commands that name none.
pub const DEFAULT_PROFILE: &str = "default";

/// The content of a profile's file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Profile {
    pub(crate) url: String,
    pub(crate) api_key: String,
    pub(crate) api_secret: String,
}

/// Reads the name of a profile or of a position: it becomes the name of a file.
///
/// # Errors
/// If the name has other characters.
pub fn name(text: &str) -> Result<String, String> {
    let is_allowed = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-' || it == '_';
    if (1..=64).contains(&text.len()) && text.chars().all(is_allowed) {
        return Ok(text.to_owned());
    }
    Err("a name has 1 to 64 lower-case letters, digits, - and _".to_owned())
}

/// Writes the profile, and returns the path of its file.
pub(crate) fn write_profile(name: &str, profile: &Profile) -> Result<PathBuf, TenantCommandError> {
    let path = profile_path(name)?;
    let text = serde_json::to_string_pretty(profile).unwrap_or_default() + "\n";
    replace(&path, text.as_bytes())?;
    Ok(path)
}

/// Checks that a profile can be written, before a key is created for it.
///
/// # Errors
/// If its folder cannot be written.
pub(crate) fn check_folder(name: &str) -> Result<(), TenantCommandError> {
    let path = profile_path(name)?;
    create_folder(&path)?;
    let folder = path.parent().unwrap_or(&path);
    tempfile::tempfile_in(folder).map(drop).map_err(|error| unusable(folder, &error))
}

/// Reads a profile, if it exists.
pub(crate) fn read_profile(name: &str) -> Result<Option<Profile>, TenantCommandError> {
    let path = profile_path(name)?;
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(&path, &error)),
    };
    let mode = std::fs::metadata(&path).map_err(|error| unusable(&path, &error))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(TenantCommandError::Usage(format!(
            "other users of this machine can read the API key in {}. Run `chmod 600` on it, and create another key if \
             they may have done so",
            path.display()
        )));
    }
    let read = serde_json::from_slice(&text).map_err(|_| {
        TenantCommandError::Usage(format!("{} is damaged. Run `linchpin login` again", path.display()))
    });
    read.map(Some)
}

/// Deletes a profile, and returns whether it existed.
pub(crate) fn delete_profile(name: &str) -> Result<bool, TenantCommandError> {
    let path = profile_path(name)?;
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unusable(&path, &error)),
    }
}

/// Returns the names of all profiles.
pub(crate) fn profile_names() -> Vec<String> {
    let Ok(path) = profile_path(DEFAULT_PROFILE) else { return Vec::new() };
    let files = path.parent().and_then(|it| std::fs::read_dir(it).ok()).into_iter().flatten().flatten();
    let names = files.filter_map(|it| it.file_name().to_str()?.strip_suffix(".json").map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn profile_path(name: &str) -> Result<PathBuf, TenantCommandError> {
    Ok(folder("XDG_CONFIG_HOME", ".config")?.join("profiles").join(format!("{name}.json")))
}

/// Returns the path of the file with a position of `listen`.
pub(crate) fn position_path(name: &str) -> Result<PathBuf, TenantCommandError> {
    Ok(folder("XDG_STATE_HOME", ".local/state")?.join("listen").join(format!("{name}.json")))
}

fn folder(variable: &str, below_home: &str) -> Result<PathBuf, TenantCommandError> {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|it: &PathBuf| it.is_absolute());
    let folder = named(variable).or_else(|| named("HOME").map(|home| home.join(below_home)));
    let folder = folder.ok_or_else(|| {
        TenantCommandError::Usage(format!(
            "neither {variable} nor HOME names a folder for the files of this command"
        ))
    })?;
    Ok(folder.join("linchpin"))
}

/// Creates the folder of a file, for this user alone.
pub(crate) fn create_folder(path: &Path) -> Result<(), TenantCommandError> {
    let folder = path.parent().unwrap_or(path);
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| unusable(folder, &error))
}

/// Replaces a file by one that only this user can read. A reader sees the old content or the new one.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), TenantCommandError> {
    create_folder(path)?;
    let written = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(path);
        let mut file =
            tempfile::Builder::new().permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
        file.write_all(content)?;
        file.persist(path).map_err(|it| it.error)?;
        Ok(())
    };
    written().map_err(|error| unusable(path, &error))
}

pub(crate) fn unusable(path: &Path, error: &std::io::Error) -> TenantCommandError {
    TenantCommandError::Usage(format!("cannot use {} ({error})", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_that_leaves_the_folder_is_refused() {
        assert_eq!(name("staging-2"), Ok("staging-2".to_owned()));
        for wrong in ["", "../x", "A", "a/b", "a.json", &"a".repeat(65)] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }
}
