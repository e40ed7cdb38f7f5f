//! How a member signs in.

use serde::{Deserialize, Serialize};

use crate::Sensitive;

/// The code of a one-time address or a mailed link: the part after `#` in it.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignInCode {
    /// The code.
    pub code: Sensitive,
}

/// How a member can sign in, in addition to a passkey and a one-time address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignInOptions {
    /// Whether the service mails links that sign a member in.
    pub has_mail: bool,
}

/// A request for a mail with a link that signs a member in.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignInLinkRequest {
    /// E-mail address of the member.
    pub email: Sensitive,
}

/// A request to sign in with the provider of an organization. One of the fields is set.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProviderSignIn {
    /// Id of the organization, or an e-mail address of one of its domains.
    #[serde(default)]
    pub organization: Option<Sensitive>,
    /// The code of a one-time address, to accept an invitation with the provider.
    #[serde(default)]
    pub code: Option<Sensitive>,
}

/// The address of the provider's page, to which the browser goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderAddress {
    /// The address.
    pub url: String,
}
