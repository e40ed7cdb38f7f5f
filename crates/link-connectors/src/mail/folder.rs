//! Mail as files: what a service without a mail server does with it.

use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

use lettre::Address;
use link_domain::mail::Mail;
use link_domain::ports::{Answer, MailFault, Mailer};

use super::message::message;

/// Writes each mail to `<name>.eml` in a folder that only its owner can read.
pub struct FolderMailer {
    folder: PathBuf,
    from: Address,
}

impl FolderMailer {
    /// A mailer for a folder, which is made with the first mail.
    pub fn new(folder: PathBuf, from: Address) -> Self {
        Self { folder, from }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let draft = self.folder.join(format!("{name}.new"));
        let mut file =
            std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
        file.write_all(bytes)?;
        std::fs::rename(&draft, self.folder.join(format!("{name}.eml")))
    }

    fn remove(&self, prefix: &str) -> std::io::Result<()> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(&format!("{prefix}."))) {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

fn unavailable(error: std::io::Error) -> MailFault {
    tracing::warn!(%error, "the folder of mails cannot be used");
    MailFault::Unavailable
}

impl Mailer for FolderMailer {
    fn send<'a>(&'a self, mail: &'a Mail) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async move {
            let message = message(mail, &self.from)?;
            self.write(&mail.name, &message.formatted()).map_err(unavailable)
        })
    }

    fn forget<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async move { self.remove(prefix).map_err(unavailable) })
    }
}
