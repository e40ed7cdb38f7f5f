//! Invite templates: the texts of an invitation's mail and pages (`resources.md`: Invite template).
//!
//! The mail's subject and body and the texts of both pages can contain `${companyName}` (the sender) and `${fullName}`
//! (the recipient). No other variables exist.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{id::InviteTemplateId, time::Timestamp};

/// Company that sends the invitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteCompany {
    /// Company name, used for `${companyName}`.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub name: String,
    /// URL of the logo. If null, a monogram is drawn.
    #[cfg_attr(feature = "schema", schema(max_length = 500, pattern = r"^https://[^\s]+$"))]
    pub logo_url: Option<String>,
}

/// Mail of an invitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteEmail {
    /// Sender name shown next to the sender's address. Defaults to the company name.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub sender_name: Option<String>,
    /// Reply-to address. If null, replies go nowhere.
    #[cfg_attr(feature = "schema", schema(max_length = 254))]
    pub reply_to: Option<String>,
    /// Subject, in one line.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub subject: String,
    /// Body as plain paragraphs separated by blank lines. The link follows the last paragraph.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 5000))]
    pub body: String,
}

/// Landing page that the mail links to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteLandingPage {
    /// Heading.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub header: String,
    /// Text as plain paragraphs separated by blank lines.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 2000))]
    pub description: String,
    /// Label of the button, on the page and in the mail.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 60))]
    pub button: String,
}

/// Page shown after an account is linked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteSuccessPage {
    /// Heading.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub header: String,
    /// Text as plain paragraphs separated by blank lines.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 2000))]
    pub description: String,
}

/// Mail of an invitation in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteEmailTexts {
    /// Subject, in one line.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub subject: String,
    /// Body as plain paragraphs separated by blank lines.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 5000))]
    pub body: String,
}

/// Texts of an invite template in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InviteTranslation {
    /// Mail of the invitation.
    pub email: InviteEmailTexts,
    /// Landing page that the mail links to.
    pub landing_page: InviteLandingPage,
    /// Page shown after an account is linked.
    pub success_page: InviteSuccessPage,
}

/// Language of a template that does not name one.
pub(crate) fn english() -> String {
    "en".to_owned()
}

/// A template for invitations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InviteTemplate {
    /// Unique identifier of the template, with the prefix `ivt-`.
    pub id: InviteTemplateId,
    /// Time at which the template was created.
    pub created_at: Timestamp,
    /// Your name for the template.
    pub name: String,
    /// Company that sends the invitation.
    pub company: InviteCompany,
    /// Mail of the invitation.
    pub email: InviteEmail,
    /// Landing page that the mail links to.
    pub landing_page: InviteLandingPage,
    /// Page shown after an account is linked.
    pub success_page: InviteSuccessPage,
    /// Language of the texts, as a BCP 47 tag.
    #[serde(default = "english")]
    pub locale: String,
    /// The same texts in other languages, by BCP 47 tag. The person sees those in their language, if there are any.
    #[serde(default)]
    pub translations: BTreeMap<String, InviteTranslation>,
    /// Changes if anything above changes. An update with an older revision is rejected.
    #[serde(default)]
    pub revision: String,
}
