//! Invite templates: what an invitation's mail and pages say (`resources.md`: Invite template).
//!
//! `${companyName}` and `${fullName}` stand for the sender and the recipient in the mail's subject and body and in the
//! texts of both pages; no other variable is known.

use serde::{Deserialize, Serialize};

use crate::{id::InviteTemplateId, time::Timestamp};

/// Who invites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteCompany {
    /// The name that `${companyName}` stands for.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub name: String,
    /// Address of the logo; a monogram is drawn when null.
    #[cfg_attr(feature = "schema", schema(max_length = 500, pattern = r"^https://[^\s]+$"))]
    pub logo_url: Option<String>,
}

/// The mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteEmail {
    /// The name beside the sender's address; the company's when null.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub sender_name: Option<String>,
    /// Where answers go; nowhere when null.
    #[cfg_attr(feature = "schema", schema(max_length = 254))]
    pub reply_to: Option<String>,
    /// Subject; one line.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub subject: String,
    /// Plain paragraphs, separated by blank lines; the link follows them.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 5000))]
    pub body: String,
}

/// The page the mail leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteLandingPage {
    /// Heading.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub header: String,
    /// Plain paragraphs, separated by blank lines.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 2000))]
    pub description: String,
    /// The words on the button, here and in the mail.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 60))]
    pub button: String,
}

/// The page after an account was linked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteSuccessPage {
    /// Heading.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub header: String,
    /// Plain paragraphs, separated by blank lines.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 2000))]
    pub description: String,
}

/// An invite template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InviteTemplate {
    /// Prefix `ivt-`.
    pub id: InviteTemplateId,
    /// Creation.
    pub created_at: Timestamp,
    /// Label for the tenant.
    pub name: String,
    /// Who invites.
    pub company: InviteCompany,
    /// The mail.
    pub email: InviteEmail,
    /// The page the mail leads to.
    pub landing_page: InviteLandingPage,
    /// The page after an account was linked.
    pub success_page: InviteSuccessPage,
}
