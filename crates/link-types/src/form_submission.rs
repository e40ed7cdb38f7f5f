//! Submissions of the form on a hosted link site, and the tenant's definition of that form (interface: Form).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    id::{FormId, LinkSiteId, LinkSiteSessionId, UserId},
    invite_template::english,
    provider::Translations,
    time::Timestamp,
};

/// Answer to one field: text, a boolean for a checkbox, or null if the field was left empty.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum FormAnswer {
    /// Answer to a CHECKBOX: whether it was ticked.
    Ticked(bool),
    /// Answer to any other field.
    Text(String),
    /// The field was left empty.
    Unanswered,
}

impl core::fmt::Debug for FormAnswer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FormAnswer(…)")
    }
}

/// A submitted form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// Unique identifier of the submission, with the prefix `form-`.
    pub id: FormId,
    /// Time of the submission.
    pub created_at: Timestamp,
    /// Name of the form, as configured.
    pub name: Option<String>,
    /// User who submitted the form.
    pub user_id: UserId,
    /// Link site where the form was submitted. Its id has the same digits as its link template's id.
    pub link_site_id: LinkSiteId,
    /// Visit during which the form was submitted.
    pub link_site_session_id: LinkSiteSessionId,
    /// Reference of the form, as configured.
    pub reference: String,
    /// Answers by field name. Null for fields that were left empty.
    pub data: BTreeMap<String, FormAnswer>,
}

words! {
    /// Type of a form field.
    LinkSiteFieldType {
        /// One line of text.
        Text = "TEXT",
        /// Email address.
        Email = "EMAIL",
        /// Phone number with its country code.
        Phone = "PHONE",
        /// Date.
        Date = "DATE",
        /// One of a list of choices.
        Choice = "CHOICE",
        /// Checkbox.
        Checkbox = "CHECKBOX",
    }
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteField {
    /// Key of the field in the submitted `data`. Unique within the form.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z][A-Za-z0-9_]{0,63}$"))]
    pub name: String,
    /// Label that the person sees.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub label: String,
    /// Type of the field.
    #[serde(rename = "type")]
    pub field_type: LinkSiteFieldType,
    /// Whether an answer is required. A required checkbox must be ticked. Defaults to false.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub required: bool,
    /// Choices of a CHOICE field, 1 to 50. Empty for other types.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false, max_items = 50))]
    pub choices: Vec<String>,
    /// Help text shown below the field.
    #[cfg_attr(feature = "schema", schema(max_length = 500))]
    pub help: Option<String>,
}

/// Form that a hosted link site shows before the widget opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteForm {
    /// Heading of the page, and the `name` of submissions.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub name: Option<String>,
    /// Your identifier for the form, and the `reference` of submissions.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub reference: String,
    /// Fields, in order. At most 50.
    #[cfg_attr(feature = "schema", schema(max_items = 50))]
    pub fields: Vec<LinkSiteField>,
    /// Language of the texts, as a BCP 47 tag. Defaults to `en`.
    #[serde(default = "english")]
    #[cfg_attr(
        feature = "schema",
        schema(required = false, max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
    )]
    pub locale: String,
    /// Translations of `name`, labels, helps and choices, by BCP 47 tag and then by the text of the form. At most 20
    /// languages. The answers of a submission are the choices of the form, in its own language.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub translations: Translations,
}
