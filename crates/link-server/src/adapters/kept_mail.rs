//! Stored mail, for a service without a mail server. Mails are stored with the files, sealed with the invitation's key or,
//! for a link to an own page or a code, the key of its last day,
//! and the operator can read them. Once the invitation is erased, a mail that is left over cannot be decrypted.

use std::sync::Arc;

use link_connectors::mail::{Address, format_mail};
use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::mail::Mail;
use link_domain::notifications::mail::{MailError, Mailer};
use link_store::{MailKey, Reader, Store, StoreError};
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
    #[error("no mail is stored: the invitation does not exist, was revoked, or its mail was sent")]
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
        let clear = format_mail(mail, &self.from)?;
        let (scope, number) = mail.name.split_once('.').ok_or(MailError::Refused)?;
        let place = format!("{}/{number}", folder(scope));
        let (name, scope) = (place.clone(), scope.to_owned());
        let sealed = self.store.read(move |reader| key_of(reader, &scope)?.seal(&name, &clear)).await;
        self.files.put(&place, sealed.map_err(unavailable)?).await.map_err(unavailable)
    }
}

/// Returns the key of the mails of an invitation, or of the links and codes that end on one day.
fn key_of(reader: &mut Reader<'_>, scope: &str) -> Result<MailKey, StoreError> {
    match scope.parse::<InviteId>() {
        Ok(invite) => reader.invites().mail_key(&invite),
        Err(_) => reader.page_links().mail_key(scope),
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
    let number = numbers.max().ok_or(NoMailError::None)?;
    open_mail(store, files, invite.to_string(), &number.to_string()).await
}

/// Returns the stored mail of a link or code, as it would have been sent. `name` is its name ([`link_store::page_mail_name`],
/// [`link_store::code_mail_name`]).
///
/// # Errors
/// [`NoMailError`] if there is no stored mail, or it cannot be read.
pub async fn read_named(store: &Store, files: &dyn FileStore, name: &str) -> Result<String, NoMailError> {
    let (scope, file) = name.split_once('.').ok_or(NoMailError::None)?;
    open_mail(store, files, scope.to_owned(), file).await
}

async fn open_mail(
    store: &Store,
    files: &dyn FileStore,
    scope: String,
    file: &str,
) -> Result<String, NoMailError> {
    let place = format!("{}/{file}", folder(&scope));
    let sealed = match files.get(&place).await {
        // The mail was deleted after it was listed.
        Err(FileStoreError::Missing) => return Err(NoMailError::None),
        sealed => sealed?,
    };
    let opened = store.read(move |reader| key_of(reader, &scope)?.open(&place, &sealed)).await;
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
