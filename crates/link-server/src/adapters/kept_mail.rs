//! Stored mail, for a service without a mail server. Mails are stored with the files, sealed with the invitation's key,
//! and the operator can read them. Once the invitation is erased, a mail that is left over cannot be decrypted.

use std::sync::Arc;

use link_connectors::mail::{Address, written};
use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_domain::kernel::future::BoxFuture;
use link_domain::notifications::mail::Mail;
use link_domain::notifications::mail::{MailError, Mailer};
use link_store::{Store, StoreError};
use link_types::id::InviteId;

/// A mailer that stores mails instead of sending them.
pub struct KeptMail {
    store: Store,
    files: Arc<dyn FileStore>,
    from: Address,
}

/// Reason why a stored mail cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum NoMailError {
    /// There is no stored mail.
    #[error("no mail is stored for this invitation: it does not exist, was revoked, or its mail was sent")]
    None,
    /// The files cannot be read.
    #[error(transparent)]
    Files(#[from] FileStoreError),
    /// The key cannot be read, or does not decrypt the mail.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl KeptMail {
    /// Creates a mailer with this sender address.
    pub fn new(store: Store, files: Arc<dyn FileStore>, from: Address) -> Self {
        Self { store, files, from }
    }

    async fn keep(&self, mail: &Mail) -> Result<(), MailError> {
        let clear = written(mail, &self.from)?;
        let (invite, number) = mail.name.split_once('.').ok_or(MailError::Refused)?;
        let invite: InviteId = invite.parse().map_err(|_| MailError::Refused)?;
        let place = format!("{}/{number}", folder(invite.as_str()));
        let name = place.clone();
        let sealed =
            self.store.read(move |reader| reader.invites().mail_key(&invite)?.seal(&name, &clear)).await;
        self.files.put(&place, sealed.map_err(unavailable)?).await.map_err(unavailable)
    }
}

fn folder(invite: &str) -> String {
    format!("mail/{invite}")
}

fn unavailable(error: impl std::fmt::Display) -> MailError {
    tracing::warn!(%error, "Storing a mail failed");
    MailError::Unavailable
}

/// Returns the last stored mail of an invitation, as it would have been sent.
///
/// # Errors
/// [`NoMailError`] if there is no stored mail, or it cannot be read.
pub async fn last(store: &Store, files: &dyn FileStore, invite: InviteId) -> Result<String, NoMailError> {
    let folder = folder(invite.as_str());
    let kept = files.list(&folder).await?;
    let numbers = kept.iter().filter_map(|it| it.name.rsplit('/').next()?.parse::<u32>().ok());
    let place = format!("{folder}/{}", numbers.max().ok_or(NoMailError::None)?);
    let sealed = match files.get(&place).await {
        // The mail was deleted after it was listed.
        Err(FileStoreError::Missing) => return Err(NoMailError::None),
        sealed => sealed?,
    };
    let opened = store.read(move |reader| reader.invites().mail_key(&invite)?.open(&place, &sealed)).await;
    match opened {
        Err(StoreError::Erased) => Err(NoMailError::None),
        opened => Ok(String::from_utf8_lossy(&opened?).into_owned()),
    }
}

impl Mailer for KeptMail {
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(self.keep(mail))
    }

    fn forget<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move { self.files.delete_all(&folder(prefix)).await.map_err(unavailable) })
    }
}
