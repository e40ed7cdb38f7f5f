//! Submissions of the form on a hosted link site, and the tenant's definition of that form (interface: Form).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    archive::{FileFormat, MAX_FILE_BYTES},
    format::FieldFormat,
    id::{FileId, FormId, LinkSiteId, LinkSiteSessionId, UserId},
    invite_template::english,
    provider::Translations,
    time::Timestamp,
};

/// Answer to one field: text, a boolean for a checkbox, a list for several choices or files, or null if the field was left
/// empty.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum FormAnswer {
    /// Answer to a CHECKBOX: whether it was ticked.
    Ticked(bool),
    /// Answer to any other field.
    Text(String),
    /// Answer to a SEVERAL: the choices that were ticked, in the form's order. Answer to a FILE: the names of its files.
    Chosen(Vec<String>),
    /// The field was left empty.
    Unanswered,
}

impl core::fmt::Debug for FormAnswer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FormAnswer(…)")
    }
}

words! {
    /// Status of the answers to a form.
    FormStatus {
        /// The person has answered fields, but has not submitted the form. Answers may be missing or invalid.
        Started = "STARTED",
        /// The person submitted the form, and every answer is valid.
        Submitted = "SUBMITTED",
    }
}

words! {
    /// Format of an export of answers.
    FormExportFormat {
        /// A table with one row for each form, and one column for each field.
        Csv = "CSV",
        /// The objects of the list.
        Json = "JSON",
    }
}

/// The answers of one person to a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// Unique identifier of the submission, with the prefix `form-`.
    pub id: FormId,
    /// When the first answer was stored. It is the time of the submission if no answer was stored before.
    pub created_at: Timestamp,
    /// Status of the answers.
    pub status: FormStatus,
    /// Time of the submission. Null for STARTED.
    pub submitted_at: Option<Timestamp>,
    /// Name of the form, as configured.
    pub name: Option<String>,
    /// User who submitted the form.
    pub user_id: UserId,
    /// Link site where the form was submitted. For the form of a link template, it has the digits of the template's id.
    pub link_site_id: LinkSiteId,
    /// Visit during which the form was submitted.
    pub link_site_session_id: LinkSiteSessionId,
    /// Version of the link site's form that the person answered. Null for the form of a link template.
    pub form_version: Option<u32>,
    /// Reference of the form, as configured, or the `reference` of the address that the person opened.
    pub reference: String,
    /// Email address that the person proved during the visit, by a code that was mailed to it. Null if the link site asks for
    /// no proof.
    pub proven_email: Option<String>,
    /// Answers by field name. Null for fields that were left empty. Fields that a condition hid are absent.
    pub data: BTreeMap<String, FormAnswer>,
    /// Files of the FILE fields, in the order of their upload.
    pub files: Vec<FormFile>,
}

/// A file that a person uploaded as an answer.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FormFile {
    /// Unique identifier of the file, with the prefix `file-`.
    pub id: FileId,
    /// Name of the FILE field.
    pub field: String,
    /// File name on the person's device.
    pub name: String,
    /// Format, detected from the content.
    pub format: FileFormat,
    /// Size in bytes.
    pub size_bytes: u32,
    /// SHA-256 of the file's bytes, in lowercase hex.
    pub sha256: String,
    /// Signed URL of the file's bytes. It expires after 1 hour.
    pub url: String,
    /// When the upload began.
    pub created_at: Timestamp,
}

impl core::fmt::Debug for FormFile {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "FormFile({})", self.id)
    }
}

words! {
    /// Type of a form field.
    LinkSiteFieldType {
        /// One line of text.
        Text = "TEXT",
        /// Several lines of text.
        LongText = "LONG_TEXT",
        /// Number, such as 1250.50.
        Number = "NUMBER",
        /// Date.
        Date = "DATE",
        /// One of a list of choices.
        Choice = "CHOICE",
        /// Any number of a list of choices.
        Several = "SEVERAL",
        /// Email address.
        Email = "EMAIL",
        /// Phone number with its country code.
        Phone = "PHONE",
        /// Postal address, on several lines.
        Address = "ADDRESS",
        /// Checkbox.
        Checkbox = "CHECKBOX",
        /// Files that the person uploads.
        File = "FILE",
        /// A text between fields. It has no answer.
        Statement = "STATEMENT",
        /// A value of the address that the person opened. The person does not see it.
        Hidden = "HIDDEN",
    }
}

words! {
    /// How the rules of a condition are joined.
    ConditionJoin {
        /// Every rule must hold.
        All = "ALL",
        /// At least one rule must hold.
        Any = "ANY",
    }
}

words! {
    /// How a rule compares an answer. A field that was left empty, or that a condition hid, has no answer.
    ConditionOperator {
        /// The answer is the value. For a SEVERAL, one of its answers is.
        Equals = "EQUALS",
        /// The answer is not the value, or there is no answer.
        Not = "NOT",
        /// The answer is one of the values.
        OneOf = "ONE_OF",
        /// The NUMBER or DATE is below the value.
        Less = "LESS",
        /// The NUMBER or DATE is above the value.
        Greater = "GREATER",
        /// There is an answer. A CHECKBOX is answered if it is ticked.
        Answered = "ANSWERED",
    }
}

/// A rule about the answer to an earlier field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConditionRule {
    /// Name of the field. It must be earlier in the form.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 64))]
    pub field: String,
    /// Comparison.
    pub operator: ConditionOperator,
    /// Values to compare with: none for ANSWERED, 1 to 50 for ONE_OF, otherwise one. A CHECKBOX is `true` or `false`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false, max_items = 50))]
    pub values: Vec<String>,
}

/// When a field is shown. The answers to fields that are not shown are not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldCondition {
    /// How the rules are joined.
    pub join: ConditionJoin,
    /// Rules, 1 to 10.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 10))]
    pub rules: Vec<ConditionRule>,
}

/// The files that a FILE accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileRules {
    /// Maximum number of files, 1 to 10. Defaults to 1.
    #[serde(default = "one_file")]
    #[cfg_attr(feature = "schema", schema(required = false, minimum = 1, maximum = 10))]
    pub max_files: u8,
    /// Maximum size of each file in bytes, 1 to 15,000,000. Defaults to 15,000,000.
    #[serde(default = "max_file_bytes")]
    #[cfg_attr(feature = "schema", schema(required = false, minimum = 1, maximum = 15_000_000))]
    pub max_bytes: u32,
    /// Accepted formats. The content of a file decides, not its name. If empty, every format is accepted.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false, max_items = 6))]
    pub formats: Vec<FileFormat>,
}

impl Default for FileRules {
    fn default() -> Self {
        Self { max_files: one_file(), max_bytes: max_file_bytes(), formats: Vec::new() }
    }
}

const fn one_file() -> u8 {
    1
}

const fn max_file_bytes() -> u32 {
    MAX_FILE_BYTES
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteField {
    /// Key of the field in the submitted `data`. Unique within the form.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z][A-Za-z0-9_]{0,63}$"))]
    pub name: String,
    /// Label that the person sees. For a STATEMENT, the text.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub label: String,
    /// Type of the field.
    #[serde(rename = "type")]
    pub field_type: LinkSiteFieldType,
    /// Whether an answer is required. A required checkbox must be ticked. Defaults to false.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub required: bool,
    /// Choices of a CHOICE or SEVERAL field, 1 to 50. Empty for other types.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false, max_items = 50))]
    pub choices: Vec<String>,
    /// Help text shown below the field.
    #[cfg_attr(feature = "schema", schema(max_length = 500))]
    pub help: Option<String>,
    /// Format that the answer to a TEXT must have.
    pub format: Option<FieldFormat>,
    /// Files that a FILE accepts. If null, one file of any format with at most 15 MB.
    pub files: Option<FileRules>,
    /// When the field is shown. If null, it is always shown.
    pub condition: Option<FieldCondition>,
}

/// Form of a hosted link site.
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
    /// Fields, in order. At most 200.
    #[cfg_attr(feature = "schema", schema(max_items = 200))]
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
