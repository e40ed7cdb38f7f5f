//! What a person answered in the form of a hosted link site (interface: Form), and how a tenant defines that form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    id::{FormId, LinkSiteId, LinkSiteSessionId, UserId},
    time::Timestamp,
};

/// One answer: a text, whether a box was ticked, or null.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum FormAnswer {
    /// Of a CHECKBOX.
    Ticked(bool),
    /// Of every other field.
    Text(String),
    /// The field was left empty.
    Unanswered,
}

impl core::fmt::Debug for FormAnswer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FormAnswer(…)")
    }
}

/// A form as it was submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// Prefix `form-`.
    pub id: FormId,
    /// Submission.
    pub created_at: Timestamp,
    /// The form's name as configured.
    pub name: Option<String>,
    /// Who answered.
    pub user_id: UserId,
    /// The link site where it was submitted: its digits are those of its link template.
    pub link_site_id: LinkSiteId,
    /// The visit in which it was submitted.
    pub link_site_session_id: LinkSiteSessionId,
    /// The form's reference as configured.
    pub reference: String,
    /// Answers by the field's name; null where nothing was answered.
    pub data: BTreeMap<String, FormAnswer>,
}

words! {
    /// How a field of a form is asked.
    LinkSiteFieldType {
        /// A line of text.
        Text = "TEXT",
        /// An e-mail address.
        Email = "EMAIL",
        /// A phone number with its country code.
        Phone = "PHONE",
        /// A date.
        Date = "DATE",
        /// One of the choices.
        Choice = "CHOICE",
        /// A box to tick.
        Checkbox = "CHECKBOX",
    }
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteField {
    /// The name in the submitted `data`; no two fields share it.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z][A-Za-z0-9_]{0,63}$"))]
    pub name: String,
    /// What a person reads.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub label: String,
    /// How it is asked.
    #[serde(rename = "type")]
    pub field_type: LinkSiteFieldType,
    /// Whether it must be answered; a required box must be ticked. False when left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub required: bool,
    /// What a CHOICE offers, 1 to 50 of them; empty for the other types.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false, max_items = 50))]
    pub choices: Vec<String>,
    /// A sentence under the field.
    #[cfg_attr(feature = "schema", schema(max_length = 500))]
    pub help: Option<String>,
}

/// The form that a hosted link site asks before the widget opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteForm {
    /// Heading of the page, and `name` of what is submitted.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub name: Option<String>,
    /// The tenant's own key of the form: `reference` of what is submitted.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub reference: String,
    /// Its fields, in order, at most 50.
    #[cfg_attr(feature = "schema", schema(max_items = 50))]
    pub fields: Vec<LinkSiteField>,
}
