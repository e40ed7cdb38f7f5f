//! The sealed columns of the tables, and the key that opens each.

use crate::keys::Label;

/// The key of a sealed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyOf {
    /// Of the scope that a column names.
    Scope(&'static str),
    /// Of the scope that a column names, or of the service if it is null.
    ScopeOr(&'static str, Label),
    /// Of the service.
    Service(Label),
}

/// A sealed column.
#[derive(Debug, Clone, Copy)]
pub(super) struct SealedColumn {
    pub(super) table: &'static str,
    pub(super) column: &'static str,
    /// The name of the table in the location that is authenticated.
    pub(super) location: &'static str,
    /// The column of the id in that location, and what follows it there.
    pub(super) id: (&'static str, &'static str),
    pub(super) key: KeyOf,
}

const fn seal_body(table: &'static str) -> SealedColumn {
    seal(table, "body", ("id", ""), KeyOf::Scope("id"))
}

const fn seal(
    table: &'static str,
    column: &'static str,
    id: (&'static str, &'static str),
    key: KeyOf,
) -> SealedColumn {
    SealedColumn { table, column, location: table, id, key }
}

const fn locate(location: &'static str, column: SealedColumn) -> SealedColumn {
    SealedColumn { location, ..column }
}

/// All sealed columns but `page_links.body`, whose key depends on the day of the link and lasts until its mail is sent, and
/// `withdrawals.body`, whose scope has a name of two columns.
pub(super) const SEALED_COLUMNS: &[SealedColumn] = &[
    seal_body("accounts"),
    seal_body("archives"),
    seal_body("console_members"),
    seal_body("forms"),
    seal_body("invites"),
    seal_body("records"),
    seal_body("signals"),
    seal_body("users"),
    seal("data_points", "body", ("id", ""), KeyOf::Scope("scope_id")),
    seal("delivery_attempts", "response_body", ("delivery_id", ""), KeyOf::ScopeOr("scope_id", Label::Seal)),
    locate("events.plain", seal("events", "plain", ("id", ""), KeyOf::Scope("scope_id"))),
    locate("events.with_payload", seal("events", "with_payload", ("id", ""), KeyOf::Scope("scope_id"))),
    seal("exports", "body", ("id", ""), KeyOf::Scope("account_id")),
    seal("identity_providers", "body", ("tenant_id", ""), KeyOf::Service(Label::Seal)),
    seal("idempotency_keys", "answer", ("id", ""), KeyOf::ScopeOr("scope_id", Label::Idempotency)),
    seal("provider_files", "body", ("document_id", ""), KeyOf::Scope("account_id")),
    seal("provider_files", "reference", ("document_id", "/reference"), KeyOf::Scope("account_id")),
    seal("scenarios", "body", ("id", ""), KeyOf::Service(Label::Seal)),
    seal("surveys", "body", ("id", ""), KeyOf::Scope("user_id")),
    seal("visits", "proof", ("id", ""), KeyOf::Scope("user_id")),
    locate("webhooks.next_secret", seal("webhooks", "next_secret", ("id", ""), KeyOf::Service(Label::Seal))),
    locate("webhooks.secret", seal("webhooks", "secret", ("id", ""), KeyOf::Service(Label::Seal))),
];

/// The table of the pieces of files. The bytes are outside the database.
pub(super) const FILE_SEGMENTS: &str = "file_segments";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::catalog::{Kind, tables};
    use super::*;
    use crate::migrations;

    /// Columns of bytes that are not sealed: hashes, states that hold no personal data, keys and pictures.
    const UNSEALED: &[&str] = &[
        "accounts.monitor",
        "accounts.tombstone",
        "archives.tombstone",
        "consent_templates.body",
        "console_passkeys.credential",
        "events.open",
        "hosted_links.terms",
        "idempotency_keys.fingerprint",
        "invite_templates.body",
        "invites.progress",
        "jobs.kind",
        "link_attempts.place",
        "link_handoffs.login_form",
        "link_site_versions.body",
        "link_sites.body",
        "link_templates.body",
        "link_tokens.consumed_by",
        "logos.picture",
        "master_keys.root_key",
        "page_links.body",
        "scope_keys.wrapped",
        "tasks.body",
        "template_versions.body",
        "ui_openings.counted",
        "webhooks.body",
        "withdrawals.body",
    ];

    #[test]
    fn every_column_of_bytes_is_sealed_hashed_or_listed() {
        let sealed: BTreeSet<_> =
            SEALED_COLUMNS.iter().map(|it| format!("{}.{}", it.table, it.column)).collect();
        let is_hash = |name: &str| name.ends_with("hash") || name.ends_with("sha256");
        let mut found = BTreeSet::new();
        for table in tables(migrations::newest_version(), false).unwrap() {
            for column in &table.columns {
                let name = format!("{}.{}", table.name, column.name);
                if column.kind == Kind::Bytes && !is_hash(&name) && name != "guess_counts.subject" {
                    assert!(sealed.contains(&name) || UNSEALED.contains(&name.as_str()), "{name}");
                    found.insert(name);
                }
            }
            for sealed in SEALED_COLUMNS.iter().filter(|it| it.table == table.name) {
                assert!(table.position_of(sealed.id.0).is_some(), "{sealed:?}");
                if let KeyOf::Scope(column) | KeyOf::ScopeOr(column, _) = sealed.key {
                    assert!(table.position_of(column).is_some(), "{sealed:?}");
                }
            }
        }
        assert!(
            sealed.iter().map(String::as_str).chain(UNSEALED.iter().copied()).all(|it| found.contains(it))
        );
    }
}
