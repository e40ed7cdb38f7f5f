//! Where `listen` is in the events of an environment, in a file. It survives the end of the command at any time.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::PathBuf;

use link_types::Timestamp;
use link_types::id::EventId;
use serde::{Deserialize, Serialize};

use crate::failure::TenantCommandError;
use crate::profiles::{create_folder, position_path, replace, unusable};

/// The position, and the lock on its file.
pub(super) struct Position {
    path: PathBuf,
    content: Content,
    /// Held until the process ends.
    _lock: File,
}

/// Where the next page starts.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Start {
    /// After the last page that was handled completely: its `nextCursor`.
    Cursor(String),
    /// With the first event since a time.
    Since(Timestamp),
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Content {
    /// None before the first response.
    start: Option<Start>,
    /// The events of the next page that were handled.
    #[serde(default)]
    handled: Vec<EventId>,
    /// The generated signing key, which stays the same, so that a receiver can keep it in its settings.
    secret: Option<String>,
}

impl Position {
    /// Reads the position, and prevents that another process uses it too.
    pub(super) fn open(name: &str) -> Result<Self, TenantCommandError> {
        let path = position_path(name)?;
        create_folder(&path)?;
        let lock_path = path.with_extension("lock");
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path);
        let lock = lock.map_err(|error| unusable(&lock_path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TenantCommandError::Usage(
                    "another `linchpin listen` on this machine uses this API key. Stop it, or give this one a position \
                     with --name NAME"
                        .to_owned(),
                ));
            }
            Err(TryLockError::Error(error)) => return Err(unusable(&lock_path, &error)),
        }
        let content = match std::fs::read(&path) {
            // A damaged file has no position to continue from.
            Ok(text) => serde_json::from_slice(&text).map_err(|_| {
                TenantCommandError::Usage(format!("{} is damaged. Delete it to start now", path.display()))
            })?,
            Err(error) if error.kind() == ErrorKind::NotFound => Content::default(),
            Err(error) => return Err(unusable(&path, &error)),
        };
        Ok(Self { path, content, _lock: lock })
    }

    pub(super) const fn start(&self) -> Option<&Start> {
        self.content.start.as_ref()
    }

    /// Stores where to start instead of the stored position.
    pub(super) fn restart(&mut self, start: Start) -> Result<(), TenantCommandError> {
        self.content.start = Some(start);
        self.content.handled.clear();
        self.write()
    }

    pub(super) fn secret(&self) -> Option<&str> {
        self.content.secret.as_deref()
    }

    pub(super) fn set_secret(&mut self, secret: &str) -> Result<(), TenantCommandError> {
        self.content.secret = Some(secret.to_owned());
        self.write()
    }

    pub(super) fn is_handled(&self, id: &EventId) -> bool {
        self.content.handled.contains(id)
    }

    /// Stores that an event was handled.
    pub(super) fn add_handled(&mut self, id: &EventId) -> Result<(), TenantCommandError> {
        self.content.handled.push(id.clone());
        self.write()
    }

    /// Stores that all events before a cursor were handled, of which `page` are the last. Other handled events are still to
    /// come: a page can be another one than that which an interrupted command read.
    pub(super) fn move_to(&mut self, cursor: String, page: &[EventId]) -> Result<(), TenantCommandError> {
        self.content.start = Some(Start::Cursor(cursor));
        self.content.handled.retain(|it| !page.contains(it));
        self.write()
    }

    fn write(&self) -> Result<(), TenantCommandError> {
        replace(&self.path, serde_json::to_string(&self.content).unwrap_or_default().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handled_event_of_a_later_page_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let lock = File::create(folder.path().join("lock")).unwrap();
        let mut position =
            Position { path: folder.path().join("file"), content: Content::default(), _lock: lock };
        let [first, later] = [1, 2].map(|number| EventId::from_bytes([number; 16]));
        position.add_handled(&first).unwrap();
        position.add_handled(&later).unwrap();
        position.move_to("cursor".to_owned(), std::slice::from_ref(&first)).unwrap();
        assert!(!position.is_handled(&first) && position.is_handled(&later));
    }
}
