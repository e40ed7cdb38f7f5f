//! Users (`resources.md`: User).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{id::UserId, link::Token, time::Timestamp};

/// A user without a link token, as returned in lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Unique identifier of the user, `<tenant_id>-<hex>`.
    pub id: UserId,
    /// Time at which the user was created.
    pub created_at: Timestamp,
    /// Your own identifier for the person, at most 200 characters.
    pub reference: Option<String>,
    /// Your own metadata: at most 5 pairs, with keys up to 50 characters and values up to 500.
    pub external_metadata: BTreeMap<String, String>,
    /// Email address that the person proved on a link site, by a code that was mailed to it.
    pub proven_email: Option<String>,
}

/// A user with a new link token. `POST /users` and `GET /users/{id}` return it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserWithToken {
    /// Unique identifier of the user, `<tenant_id>-<hex>`.
    pub id: UserId,
    /// Time at which the user was created.
    pub created_at: Timestamp,
    /// Your own identifier for the person.
    pub reference: Option<String>,
    /// Your own metadata, at most 5 pairs.
    pub external_metadata: BTreeMap<String, String>,
    /// Email address that the person proved on a link site, by a code that was mailed to it.
    pub proven_email: Option<String>,
    /// A new link token.
    pub token: Token,
}
