//! Users (`resources.md`: User).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{id::UserId, time::Timestamp, token::Token};

/// A user without a token, as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// `<tenant_id>-<hex>`.
    pub id: UserId,
    /// Creation.
    pub created_at: Timestamp,
    /// The tenant's own key of the person, at most 200 characters.
    pub reference: Option<String>,
    /// At most 5 pairs; keys to 50 characters, values to 500.
    pub external_metadata: BTreeMap<String, String>,
}

/// A user with a fresh link token: the answer of `POST /users` and `GET /users/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserWithToken {
    /// `<tenant_id>-<hex>`.
    pub id: UserId,
    /// Creation.
    pub created_at: Timestamp,
    /// The tenant's own key of the person.
    pub reference: Option<String>,
    /// At most 5 pairs.
    pub external_metadata: BTreeMap<String, String>,
    /// A fresh link token.
    pub token: Token,
}
