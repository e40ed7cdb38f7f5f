//! Reads, opens and seals a row's sealed body with its wrapped key. This is the same for every table whose rows have
//! their own key.

use link_domain::kernel::clock::TenantTime;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::scope_keys::{KeyColumns, WrappedKey, read_wrapped_key};
use crate::body::{decode, encode};
use crate::keys::{Day, Location};
use crate::sql::Row;
use crate::{Reader, StoreError, Tx};

/// A row's sealed body, if it has one, and its wrapped key.
pub(crate) struct Sealed {
    body: Option<Vec<u8>>,
    wrapped: WrappedKey,
}

impl Sealed {
    /// Reads the column of the body, and those of its key.
    pub(crate) fn read(row: &Row<'_>, body: usize, key: KeyColumns) -> Result<Self, StoreError> {
        Ok(Self { body: row.opt_bytes(body)?, wrapped: read_wrapped_key(row, key)? })
    }

    /// Returns whether the row no longer has a body.
    pub(crate) const fn is_gone(&self) -> bool {
        self.body.is_none()
    }

    /// Opens what [`Tx::seal_until`] sealed. Fails with [`StoreError::Erased`] if the body or its key is gone.
    pub(crate) fn open<T: DeserializeOwned>(
        self,
        reader: &mut Reader<'_>,
        location: Location<'_>,
    ) -> Result<T, StoreError> {
        let body = self.body.ok_or(StoreError::Erased)?;
        let key = reader.unwrap_key(location.id, self.wrapped)?;
        decode(location.table, &key.open(location, &body)?)
    }
}

impl Tx<'_> {
    /// Seals a row's body with the key of the row's own scope, which opens until the end of the day of `ends_at`.
    pub(crate) fn seal_until<T: Serialize>(
        &mut self,
        location: Location<'_>,
        ends_at: TenantTime,
        body: &T,
    ) -> Result<Vec<u8>, StoreError> {
        let key = self.scope_key_until(location.id, Day::from_micros(ends_at.micros()))?;
        key.seal(location, &encode(location.table, body)?)
    }
}
