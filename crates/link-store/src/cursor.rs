//! Cursors: signed positions in a list, bound to the list and its filters. A cursor carries its filters as the caller
//! wrote them, so that the cursor alone continues the list (ADR 194).
//!
//! Our own: a cursor with an event's id has 68 characters, a JWT with the same content 141.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::StoreError;
use crate::keys::Key;

const TAG_BYTES: usize = 16;
/// Ends the position and each filter but the last. No parameter can contain it.
const SEPARATOR: char = '\0';

/// The filters of a list as query parameters. A cursor carries them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilters(String);

impl ListFilters {
    /// Takes the names and values of query parameters, in a fixed order.
    pub fn new<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> ListFilters {
        let each: Vec<_> = parameters.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        ListFilters(each.join(&SEPARATOR.to_string()))
    }

    /// Reads the filters that a cursor carries, without verifying the cursor: the list does that, with these filters.
    /// Returns none if the text is not a cursor.
    #[must_use]
    pub fn of_cursor(cursor: &str) -> Vec<(String, String)> {
        let parts = || -> Option<Vec<(String, String)>> {
            let whole = URL_SAFE_NO_PAD.decode(cursor).ok()?;
            let (_, filters) = split(std::str::from_utf8(whole.get(TAG_BYTES..)?).ok()?);
            let pair = |filter: &str| filter.split_once('=').map(|(name, value)| (name.into(), value.into()));
            filters.split(SEPARATOR).filter(|filter| !filter.is_empty()).map(pair).collect()
        };
        parts().unwrap_or_default()
    }
}

/// Splits the signed text of a cursor into its position and its filters.
fn split(signed: &str) -> (&str, &str) {
    signed.split_once(SEPARATOR).unwrap_or((signed, ""))
}

/// The list a cursor belongs to: its name and every filter value, in a fixed order.
#[derive(Debug, Clone)]
pub(crate) struct Binding(Vec<u8>);

impl Binding {
    pub(crate) fn of_list(name: &str) -> Binding {
        Binding(Vec::new()).with(Some(name))
    }

    /// Adds a filter value. An absent value differs from every present one.
    pub(crate) fn with(mut self, value: Option<&str>) -> Binding {
        match value {
            None => self.0.push(0),
            Some(value) => {
                self.0.push(1);
                self.0.extend_from_slice(&(value.len() as u64).to_be_bytes());
                self.0.extend_from_slice(value.as_bytes());
            }
        }
        self
    }
}

fn tag(key: &Key, binding: &Binding, signed: &str) -> Hmac<Sha256> {
    // HMAC accepts keys of any length, so this cannot fail. A tag without a key would never verify.
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes())
        .unwrap_or_else(|_| <Hmac<Sha256> as KeyInit>::new(&Default::default()));
    mac.update(&binding.0);
    mac.update(&[0xff]);
    mac.update(signed.as_bytes());
    mac
}

/// Signs a cursor that continues after `position` and carries the filters.
pub(crate) fn sign(key: &Key, binding: &Binding, position: &str, filters: &ListFilters) -> String {
    let signed = match filters.0.as_str() {
        "" => position.to_owned(),
        filters => format!("{position}{SEPARATOR}{filters}"),
    };
    let tag = tag(key, binding, &signed).finalize().into_bytes();
    let mut whole = tag[..TAG_BYTES].to_vec();
    whole.extend_from_slice(signed.as_bytes());
    URL_SAFE_NO_PAD.encode(whole)
}

/// Verifies a cursor and returns its position.
pub(crate) fn verify(key: &Key, binding: &Binding, cursor: &str) -> Result<String, StoreError> {
    let whole = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| StoreError::BadCursor)?;
    let (given, signed) = whole.split_at_checked(TAG_BYTES).ok_or(StoreError::BadCursor)?;
    let signed = std::str::from_utf8(signed).map_err(|_| StoreError::BadCursor)?;
    tag(key, binding, signed).verify_truncated_left(given).map_err(|_| StoreError::BadCursor)?;
    Ok(split(signed).0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_is_bound_to_list_filters_and_key() {
        let key = Key::from_bytes([1; 32]);
        let list = Binding::of_list("accounts").with(Some("u-1")).with(None);
        let cursor = sign(&key, &list, "a-9", &ListFilters::default());
        assert_eq!(verify(&key, &list, &cursor).unwrap(), "a-9");
        assert_eq!(ListFilters::of_cursor(&cursor), []);
        let others = [
            Binding::of_list("accounts").with(None).with(Some("u-1")),
            Binding::of_list("accounts").with(Some("u-2")).with(None),
            Binding::of_list("tasks").with(Some("u-1")).with(None),
        ];
        for other in others {
            assert!(matches!(verify(&key, &other, &cursor), Err(StoreError::BadCursor)));
        }
        assert!(verify(&Key::from_bytes([2; 32]), &list, &cursor).is_err());
    }

    #[test]
    fn modified_cursor_is_rejected() {
        let key = Key::from_bytes([1; 32]);
        let list = Binding::of_list("accounts");
        let cursor = sign(&key, &list, "a-9", &ListFilters::new([("userId", "u-1")]));
        for position in 0..cursor.len() {
            let mut changed = cursor.clone().into_bytes();
            changed[position] = if changed[position] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            if changed != cursor {
                assert!(verify(&key, &list, &changed).is_err(), "{changed}");
            }
        }
        assert!(verify(&key, &list, "").is_err());
    }

    #[test]
    fn cursor_carries_its_filters() {
        let (key, list) = (Key::from_bytes([1; 32]), Binding::of_list("providers"));
        let cursor = sign(&key, &list, "p-9", &ListFilters::new([("ids", "a,b=c&d"), ("name", "")]));
        assert_eq!(verify(&key, &list, &cursor).unwrap(), "p-9");
        let carried = [("ids", "a,b=c&d"), ("name", "")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(ListFilters::of_cursor(&cursor), carried);
        assert_eq!(ListFilters::of_cursor("not a cursor"), []);
    }
}
