//! The four types of values that are passed to a database.

use bytes::BytesMut;
use rusqlite::types::{ToSqlOutput, ValueRef};
use tokio_postgres::types::{IsNull, Type};

/// A parameter: null, i64, text or bytes. Times are microseconds, flags are 0 or 1.
#[derive(Clone, Copy)]
pub(crate) enum Param<'a> {
    /// SQL NULL.
    Null,
    /// BIGINT.
    Int(i64),
    /// TEXT.
    Text(&'a str),
    /// BLOB or BYTEA.
    Bytes(&'a [u8]),
}

/// A parameter that outlives the call that passed it.
pub(crate) enum OwnedParam {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Param<'_> {
    /// Returns how many bytes a copy takes besides itself.
    pub(crate) fn size(&self) -> usize {
        match self {
            Param::Null | Param::Int(_) => 0,
            Param::Text(value) => value.len(),
            Param::Bytes(value) => value.len(),
        }
    }

    /// Copies the value.
    pub(crate) fn to_owned(self) -> OwnedParam {
        match self {
            Param::Null => OwnedParam::Null,
            Param::Int(value) => OwnedParam::Int(value),
            Param::Text(value) => OwnedParam::Text(value.to_owned()),
            Param::Bytes(value) => OwnedParam::Bytes(value.to_owned()),
        }
    }
}

impl OwnedParam {
    /// Returns the parameter for a driver.
    pub(crate) fn borrow(&self) -> Param<'_> {
        match self {
            OwnedParam::Null => Param::Null,
            OwnedParam::Int(value) => Param::Int(*value),
            OwnedParam::Text(value) => Param::Text(value),
            OwnedParam::Bytes(value) => Param::Bytes(value),
        }
    }
}

/// Drivers print parameters when they log statements, and a text may be personal data.
impl std::fmt::Debug for Param<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Param::Null => "Null",
            Param::Int(_) => "Int(..)",
            Param::Text(_) => "Text(..)",
            Param::Bytes(_) => "Bytes(..)",
        })
    }
}

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Param::Int(value)
    }
}

impl From<bool> for Param<'_> {
    fn from(value: bool) -> Self {
        Param::Int(i64::from(value))
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Param::Text(value)
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(value: &'a String) -> Self {
        Param::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(value: &'a [u8]) -> Self {
        Param::Bytes(value)
    }
}

impl<'a> From<&'a Vec<u8>> for Param<'a> {
    fn from(value: &'a Vec<u8>) -> Self {
        Param::Bytes(value)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Param<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Param::Bytes(value)
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Into::into)
    }
}

/// Builds a slice of parameters from values that convert to [`Param`].
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Param::from($value)),*] };
}
pub(crate) use params;

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Param::Null => ValueRef::Null,
            Param::Int(value) => ValueRef::Integer(*value),
            Param::Text(value) => ValueRef::Text(value.as_bytes()),
            Param::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl tokio_postgres::types::ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Param::Null => Ok(IsNull::Yes),
            Param::Int(value) => value.to_sql_checked(ty, out),
            Param::Text(value) => value.to_sql_checked(ty, out),
            Param::Bytes(value) => value.to_sql_checked(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_of_parameters_hides_values() {
        let values: &[Param<'_>] = params!["canary", b"canary", 987_654, None::<&str>];
        assert_eq!(format!("{values:?}"), "[Text(..), Bytes(..), Int(..), Null]");
    }
}
