//! Reading: the session of every lookup and list of the store. [`crate::Tx`] can read too.

use std::collections::HashMap;

use link_domain::kernel::clock::Wall;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StoreError;
use crate::body::{decode, encode};
use crate::keys::{Key, Keys, Label, Location};
use crate::sql::Session;

/// Reads the database. The methods of each resource are in [`crate::resources`], next to their tables.
///
/// A lookup returns `None` if the row does not exist or belongs to another owner.
pub struct Reader<'c> {
    pub(crate) session: Session<'c>,
    pub(crate) keys: &'c Keys,
    /// Scope keys opened so far.
    pub(crate) scope_keys: HashMap<String, Key>,
}

/// A session that can read: [`Reader`] or [`crate::Tx`].
pub trait ReadSession<'c> {
    /// Returns the session for reading.
    fn reader(&mut self) -> &mut Reader<'c>;
}

impl<'c> ReadSession<'c> for Reader<'c> {
    fn reader(&mut self) -> &mut Reader<'c> {
        self
    }
}

impl<'c> Reader<'c> {
    pub(crate) fn new(session: Session<'c>, keys: &'c Keys) -> Reader<'c> {
        Reader { session, keys, scope_keys: HashMap::new() }
    }

    /// Returns a key of the key tree for things the service signs or hashes itself: export URLs, stored responses,
    /// login names ([`Label::Lookup`]). The other labels are for the store only.
    #[must_use]
    pub fn derive_key(&self, label: Label) -> [u8; 32] {
        *self.keys.tree.key(label).as_bytes()
    }

    /// Returns the clock that claims use.
    ///
    /// On PostgreSQL this is the server's clock, because nodes may disagree. On SQLite it is `local`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database does not respond.
    pub fn wall_clock(&mut self, local: Wall) -> Result<Wall, StoreError> {
        self.session.wall(local.micros()).map(Wall::from_micros)
    }

    /// Seals a value that no erasure scope owns.
    pub(crate) fn seal_unscoped<T: Serialize>(
        &self,
        location: Location<'_>,
        value: &T,
    ) -> Result<Vec<u8>, StoreError> {
        self.keys.tree.key(Label::Seal).seal(location, &encode(location.table, value)?)
    }

    /// Opens a value that [`Reader::seal_unscoped`] sealed.
    pub(crate) fn open_unscoped<T: DeserializeOwned>(
        &self,
        location: Location<'_>,
        sealed: &[u8],
    ) -> Result<T, StoreError> {
        decode(location.table, &self.keys.tree.key(Label::Seal).open(location, sealed)?)
    }

    /// Seals a value with the key of a live scope. Fails with [`StoreError::Erased`] if the scope is erased.
    pub(crate) fn seal_scoped<T: Serialize>(
        &mut self,
        scope: &str,
        location: Location<'_>,
        value: &T,
    ) -> Result<Vec<u8>, StoreError> {
        self.scope_key(scope)?.seal(location, &encode(location.table, value)?)
    }
}

/// Parses a column. The error leaves out the text, which may be personal data.
pub(crate) fn parse<T: std::str::FromStr>(table: &'static str, text: &str) -> Result<T, StoreError> {
    let invalid = || format!("a column is not a valid {}", std::any::type_name::<T>());
    text.parse().map_err(|_| StoreError::undecodable(table, invalid()))
}
