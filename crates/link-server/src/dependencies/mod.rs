//! The systems that the service depends on, and why they refuse it: one list for readiness, the log, `linchpin check` and
//! `linchpin doctor`.

pub mod checks;
pub mod probes;
pub mod production;
pub mod watched_files;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use link_domain::documents::file_store::FileStoreError;
use link_store::{BackupError, BackupFault};

/// A system that the service depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependency {
    /// The settings themselves.
    Settings,
    /// The database.
    Database,
    /// The key folder.
    Keys,
    /// The store of files.
    Files,
    /// The place of scheduled backups.
    Backups,
    /// The folder for temporary files, which reading documents needs.
    TemporaryFolder,
    /// The sandbox of the child processes that read documents, and Tesseract.
    Sandbox,
    /// The mail server.
    Mail,
    /// The way from the public URL to the service: names, TLS, proxy.
    PublicUrl,
    /// The clock of this machine.
    Clock,
}

impl Dependency {
    /// Returns the name in logs, in the body of `/health/ready` and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Database => "database",
            Self::Keys => "keys",
            Self::Files => "files",
            Self::Backups => "backups",
            Self::TemporaryFolder => "temporaryFolder",
            Self::Sandbox => "sandbox",
            Self::Mail => "mail",
            Self::PublicUrl => "publicUrl",
            Self::Clock => "clock",
        }
    }
}

/// A lasting refusal of a dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyError {
    /// The system that refuses.
    pub dependency: Dependency,
    /// The system's own code, such as `AccessDenied`, `25006` or `EROFS`.
    pub code: String,
    /// The system's message. It contains no secrets.
    pub cause: String,
    /// The next step for the operator.
    pub remedy: Cow<'static, str>,
}

impl DependencyError {
    /// Creates the error of a file system.
    pub fn from_io(
        dependency: Dependency,
        error: &std::io::Error,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        let code = error.raw_os_error().map(rustix::io::Errno::from_raw_os_error);
        let code = code.map_or_else(|| name_of_kind(error.kind()), name_of);
        Self { dependency, code: code.to_owned(), cause: error.to_string(), remedy: remedy.into() }
    }

    /// Creates the error of a backup that was not written.
    pub fn from_backup(error: &BackupError) -> Self {
        let refused = if let BackupError::Place { source, .. } = error { Some(source) } else { None };
        let (cause, remedy) = match refused {
            Some(FileStoreError::Refused { cause, remedy, .. }) => (cause.clone(), *remedy),
            Some(FileStoreError::Missing | FileStoreError::Unavailable(_)) | None => {
                (error.to_string(), "Do what the cause says. The service tries again in 10 minutes")
            }
        };
        let dependency = Dependency::Backups;
        Self { dependency, code: error.code(), cause, remedy: Cow::Borrowed(remedy) }
    }

    /// Creates the error of the file store, if the error lasts.
    pub fn from_files(error: &FileStoreError) -> Option<Self> {
        Self::from_objects(Dependency::Files, error)
    }

    /// Creates the error of a store of objects, if the error lasts.
    pub fn from_objects(dependency: Dependency, error: &FileStoreError) -> Option<Self> {
        match error {
            FileStoreError::Refused { code, cause, remedy } => Some(Self {
                dependency,
                code: code.clone(),
                cause: cause.clone(),
                remedy: Cow::Borrowed(remedy),
            }),
            FileStoreError::Missing | FileStoreError::Unavailable(_) => None,
        }
    }
}

impl From<BackupFault> for DependencyError {
    fn from(BackupFault { code, cause, remedy }: BackupFault) -> Self {
        Self { dependency: Dependency::Backups, code, cause, remedy: remedy.into() }
    }
}

/// Returns the name of an error of the operating system, as its manual has it.
fn name_of(errno: rustix::io::Errno) -> &'static str {
    use rustix::io::Errno;
    const NAMES: [(Errno, &str); 8] = [
        (Errno::NOENT, "ENOENT"),
        (Errno::ACCESS, "EACCES"),
        (Errno::PERM, "EPERM"),
        (Errno::ROFS, "EROFS"),
        (Errno::NOSPC, "ENOSPC"),
        (Errno::DQUOT, "EDQUOT"),
        (Errno::NOTDIR, "ENOTDIR"),
        (Errno::IO, "EIO"),
    ];
    NAMES.iter().find(|(known, _)| *known == errno).map_or("EIO", |(_, name)| name)
}

/// Returns the name of an error that a library has wrapped, so that only its kind is known.
fn name_of_kind(kind: std::io::ErrorKind) -> &'static str {
    use std::io::ErrorKind;
    const NAMES: [(ErrorKind, &str); 6] = [
        (ErrorKind::NotFound, "ENOENT"),
        (ErrorKind::PermissionDenied, "EACCES"),
        (ErrorKind::ReadOnlyFilesystem, "EROFS"),
        (ErrorKind::StorageFull, "ENOSPC"),
        (ErrorKind::QuotaExceeded, "EDQUOT"),
        (ErrorKind::NotADirectory, "ENOTDIR"),
    ];
    NAMES.iter().find(|(known, _)| *known == kind).map_or("EIO", |(_, name)| name)
}

/// The errors at present.
#[derive(Debug, Default)]
pub struct DependencyErrors(Mutex<BTreeMap<Dependency, DependencyError>>);

impl DependencyErrors {
    /// Records an error. Logs it if it is new, or has another code than before.
    pub fn note(&self, error: DependencyError) {
        let mut errors = self.lock_state();
        if errors.get(&error.dependency).is_none_or(|known| known.code != error.code) {
            let DependencyError { dependency, code, cause, remedy } = &error;
            let dependency = dependency.as_str();
            tracing::error!(dependency, %code, %cause, %remedy, "A dependency refuses the service");
        }
        errors.insert(error.dependency, error);
    }

    /// Removes the error of a dependency that works. Logs that it works again.
    pub fn clear(&self, dependency: Dependency) {
        if let Some(error) = self.lock_state().remove(&dependency) {
            tracing::warn!(dependency = dependency.as_str(), code = %error.code, "A dependency works again");
        }
    }

    /// Records the result of a probe.
    pub fn note_result(&self, dependency: Dependency, result: Result<(), DependencyError>) {
        match result {
            Ok(()) => self.clear(dependency),
            Err(error) => self.note(error),
        }
    }

    /// Returns all errors.
    pub fn all(&self) -> Vec<DependencyError> {
        self.lock_state().values().cloned().collect()
    }

    fn lock_state(&self) -> MutexGuard<'_, BTreeMap<Dependency, DependencyError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
