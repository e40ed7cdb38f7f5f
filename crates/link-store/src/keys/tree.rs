//! The HKDF tree: one key per purpose.

use hkdf::Hkdf;
use sha2::Sha256;

use super::seal::Key;

/// The purpose of a derived key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Wraps scope keys, together with a day key.
    Wrap,
    /// Seals values that no erasure scope owns.
    Seal,
    /// Signs cursors.
    Cursor,
    /// Signs the URLs of exports and files.
    Export,
    /// Seals stored responses of idempotent requests.
    Idempotency,
    /// Hashes values that are looked up but not stored unencrypted, such as login names.
    Lookup,
    /// Signs the confirmations for revocations in the widget.
    Confirmation,
    /// The root of the session keys, to which the widget seals.
    Sessions,
    /// Signs portable backups.
    Backup,
}

impl Label {
    const ALL: [Label; 9] = [
        Label::Wrap,
        Label::Seal,
        Label::Cursor,
        Label::Export,
        Label::Idempotency,
        Label::Lookup,
        Label::Confirmation,
        Label::Sessions,
        Label::Backup,
    ];

    fn text(self) -> &'static str {
        match self {
            Label::Wrap => "wrap",
            Label::Seal => "seal",
            Label::Cursor => "cursor",
            Label::Export => "export",
            Label::Idempotency => "idempotency",
            Label::Lookup => "lookup",
            Label::Confirmation => "confirmation",
            Label::Sessions => "sessions",
            Label::Backup => "backup",
        }
    }
}

/// The derived keys of a process.
#[derive(Debug)]
pub(crate) struct KeyTree {
    keys: [Key; 9],
}

impl KeyTree {
    pub(crate) fn new(root: &Key) -> KeyTree {
        KeyTree { keys: Label::ALL.map(|label| root.derive(label.text())) }
    }

    /// Returns the key of a purpose.
    pub(crate) fn key(&self, label: Label) -> &Key {
        match label {
            Label::Wrap => &self.keys[0],
            Label::Seal => &self.keys[1],
            Label::Cursor => &self.keys[2],
            Label::Export => &self.keys[3],
            Label::Idempotency => &self.keys[4],
            Label::Lookup => &self.keys[5],
            Label::Confirmation => &self.keys[6],
            Label::Sessions => &self.keys[7],
            Label::Backup => &self.keys[8],
        }
    }

    /// Returns the key that wraps the scope keys of a day. It is derived from the tree and the day's key.
    pub(crate) fn wrapping_key(&self, day_key: &Key) -> Key {
        let mut derived = [0; 32];
        let expanded = Hkdf::<Sha256>::new(Some(self.key(Label::Wrap).as_bytes()), day_key.as_bytes())
            .expand(b"scope", &mut derived);
        // 32 bytes is far below HKDF's limit, the only way expand can fail.
        debug_assert!(expanded.is_ok());
        Key::from_bytes(derived)
    }
}
