//! Reading: every lookup and list of the store. [`crate::Tx`] can do all of it too.

use std::collections::HashMap;

use link_domain::clock::Wall;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StoreError;
use crate::body::{decode, encode};
use crate::keys::{Key, Keys, Label, Location};
use crate::sql::Session;

/// Reads the database. The methods stand beside their tables, in `tables/`.
///
/// A lookup answers `None` for what is not there and for what belongs to another owner.
pub struct Reader<'c> {
    pub(crate) session: Session<'c>,
    pub(crate) keys: &'c Keys,
    /// Scope keys opened so far.
    pub(crate) scope_keys: HashMap<String, Key>,
}

impl<'c> Reader<'c> {
    pub(crate) fn new(session: Session<'c>, keys: &'c Keys) -> Reader<'c> {
        Reader { session, keys, scope_keys: HashMap::new() }
    }

    /// A key of the tree, for what the service signs or hashes itself: export addresses, stored answers,
    /// login names ([`Label::Lookup`]). The other labels are the store's own.
    #[must_use]
    pub fn derived_key(&self, label: Label) -> [u8; 32] {
        *self.keys.tree.key(label).as_bytes()
    }

    /// The clock that claims look at: the server's own on PostgreSQL, where nodes may disagree, and `local` on
    /// SQLite.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database does not answer.
    pub fn wall_clock(&mut self, local: Wall) -> Result<Wall, StoreError> {
        self.session.wall(local.micros()).map(Wall::from_micros)
    }

    /// Seals what no erasure scope owns.
    pub(crate) fn seal_unscoped<T: Serialize>(
        &self,
        location: Location<'_>,
        value: &T,
    ) -> Result<Vec<u8>, StoreError> {
        self.keys.tree.key(Label::Seal).seal(location, &encode(location.table, value)?)
    }

    /// Opens what [`Reader::seal_unscoped`] sealed.
    pub(crate) fn open_unscoped<T: DeserializeOwned>(
        &self,
        location: Location<'_>,
        sealed: &[u8],
    ) -> Result<T, StoreError> {
        decode(location.table, &self.keys.tree.key(Label::Seal).open(location, sealed)?)
    }

    /// Seals with the key of a living scope; [`StoreError::Erased`] where there is none.
    pub(crate) fn seal_scoped<T: Serialize>(
        &mut self,
        scope: &str,
        location: Location<'_>,
        value: &T,
    ) -> Result<Vec<u8>, StoreError> {
        self.scope_key(scope)?.seal(location, &encode(location.table, value)?)
    }
}

/// A column that its own type does not parse. The text may be personal data and is left out.
pub(crate) fn parse<T: std::str::FromStr>(table: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Undecodable {
        table,
        fault: format!("a column is no {}", std::any::type_name::<T>()),
    })
}
