//! Links to people's own pages and to the developer portal, one for each mailbox and purpose that was asked for. The mail is
//! sealed with a key that all links share which expire on the same day, and which is destroyed after that day.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::{Digest32, hex};
use link_domain::notifications::page_link::{LINK_LIFE, LinkPurpose, PageLink};

use crate::body::{decode, encode};
use crate::keys::{Day, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::digest;
use crate::tables::invitations::invites::MailKey;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "page_links";
/// The beginning of the name of a day's scope. The character after it is the end of the range of names.
const SCOPE: (&str, &str) = ("me-", "me.");

columns! {
    /// The columns of a link.
    link_columns => struct Columns { address_hash, code_hash, purpose, begun_at, asked_at, reach, body }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO page_links (address_hash, code_hash, purpose, begun_at, asked_at, reach, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (address_hash) DO UPDATE SET code_hash = excluded.code_hash, \
           begun_at = excluded.begun_at, asked_at = excluded.asked_at, reach = excluded.reach, body = excluded.body";
    FIND = concat!("SELECT ", link_columns!(""), " FROM page_links WHERE address_hash = ?1 /*lock*/");
    FIND_BY_CODE = concat!("SELECT ", link_columns!(""), " FROM page_links WHERE code_hash = ?1 /*lock*/");
    FIND_MAILED = concat!("SELECT ", link_columns!(""), " FROM page_links WHERE code_hash = ?1 AND purpose = ?2 \
                  AND reach IS NOT NULL");
    DELETE_OLD = "DELETE FROM page_links WHERE asked_at < ?1";
    PAST_SCOPES = "SELECT scope_id FROM scope_keys WHERE scope_id > ?1 AND scope_id < ?2 AND day > 0 AND day < ?3";
}

struct Stored {
    link: PageLink,
    body: Option<Vec<u8>>,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    let purpose = LinkPurpose::find(row.str(COLUMNS.purpose)?);
    let link = PageLink {
        purpose: purpose.ok_or_else(|| StoreError::undecodable(TABLE, "its purpose is unknown"))?,
        address: digest(TABLE, row.bytes(COLUMNS.address_hash)?)?,
        code_hash: digest(TABLE, row.bytes(COLUMNS.code_hash)?)?,
        begun_at: Wall::from_micros(row.int(COLUMNS.begun_at)?),
        asked_at: Wall::from_micros(row.int(COLUMNS.asked_at)?),
        reach: row.opt_str(COLUMNS.reach)?.map(|mode| parse(TABLE, mode)).transpose()?,
        mail: None,
    };
    Ok(Stored { link, body: row.opt_bytes(COLUMNS.body)? })
}

/// Returns the name of the key that seals the mail of a link or code which expires at a time, and its last day.
pub(crate) fn mail_scope(ends_at: Wall) -> (String, Day) {
    let day = Day::from_micros(ends_at.micros());
    (format!("{}{}", SCOPE.0, day.0), day)
}

resource! {
    /// Mailed links.
    PageLinks, page_links
}

impl<'c, S: ReadSession<'c>> PageLinks<'_, S> {
    /// Returns the link with this purpose and code, without its mail, if it was mailed and not used. It may have expired.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find_mailed(
        &mut self,
        code_hash: &Digest32,
        purpose: LinkPurpose,
    ) -> Result<Option<PageLink>, StoreError> {
        let found =
            self.session().find(&FIND_MAILED, params![code_hash.as_bytes(), purpose.as_str()], read)?;
        Ok(found.map(|it| it.link))
    }

    /// Returns the key that seals the stored mail of a link or code. `scope` is the name of the mail's folder.
    ///
    /// # Errors
    ///
    /// [`StoreError::Erased`] if the day of the link has ended.
    pub fn mail_key(&mut self, scope: &str) -> Result<MailKey, StoreError> {
        self.0.reader().scope_key(scope).map(MailKey)
    }
}

impl PageLinks<'_, Tx<'_>> {
    /// Returns and locks the link of a mailbox.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, address: &Digest32) -> Result<Option<PageLink>, StoreError> {
        let Some(Stored { mut link, body }) =
            self.session().find(&FIND, params![address.as_bytes()], read)?
        else {
            return Ok(None);
        };
        let Some(body) = body else { return Ok(Some(link)) };
        let name = hex(address.as_bytes());
        link.mail = match self.0.reader.scope_key(&mail_scope(link.mail_ends_at()).0) {
            Ok(key) => Some(decode(TABLE, &key.open(Location { table: TABLE, id: &name }, &body)?)?),
            // The day of the link has ended.
            Err(StoreError::Erased) => None,
            Err(error) => return Err(error),
        };
        Ok(Some(link))
    }

    /// Returns and locks the link whose code has this digest, without its mail. Only one of several concurrent uses finds
    /// it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_code(&mut self, code_hash: &Digest32) -> Result<Option<PageLink>, StoreError> {
        Ok(self.session().find(&FIND_BY_CODE, params![code_hash.as_bytes()], read)?.map(|it| it.link))
    }

    /// Deletes the links that have expired, and destroys the keys of past days. Returns their names, which are those of the
    /// folders of their stored mails.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired(&mut self, now: Wall) -> Result<Vec<String>, StoreError> {
        self.session().execute_later(&DELETE_OLD, params![(now - LINK_LIFE).micros()])?;
        let bounds = params![SCOPE.0, SCOPE.1, Day::from_micros(now.micros()).0];
        let past = self.session().query(&PAST_SCOPES, bounds, |row| row.text(0))?;
        for scope in &past {
            self.0.scopes().destroy(scope, now.micros())?;
        }
        Ok(past)
    }

    pub(crate) fn put(&mut self, link: &PageLink) -> Result<(), StoreError> {
        let name = hex(link.address.as_bytes());
        let body = match &link.mail {
            Some(mail) => {
                let (scope, day) = mail_scope(link.mail_ends_at());
                let key = self.0.scope_key_until(&scope, day)?;
                Some(key.seal(Location { table: TABLE, id: &name }, &encode(TABLE, mail)?)?)
            }
            None => None,
        };
        self.session().execute_later(
            &PUT,
            params![
                link.address.as_bytes(),
                link.code_hash.as_bytes(),
                link.purpose.as_str(),
                link.begun_at.micros(),
                link.asked_at.micros(),
                link.reach.map(|mode| mode.as_str()),
                body.as_ref(),
            ],
        )
    }
}

/// Returns the name of a link's mail: the folder in which it may be stored, which is also the name of its key, and the file.
/// Each link has another name, so that mail programs do not take the mail for a repetition.
pub fn page_mail_name(link: &PageLink) -> String {
    format!("{}.{}", mail_scope(link.ends_at()).0, hex(&link.code_hash.as_bytes()[..16]))
}
