//! The draft of a link site: all that the editor has, also what the service would not accept.

use std::collections::BTreeMap;

use link_types::form_submission::{ConditionJoin, ConditionOperator, FileRules, LinkSiteFieldType};
use link_types::link_site::{LinkSiteAccess, LinkSiteStep};
use serde::{Deserialize, Serialize};

/// A text, with its translations by language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wording {
    /// The text in the language of the site or form.
    pub text: String,
    /// Translations, by BCP 47 tag.
    pub translations: BTreeMap<String, String>,
}

impl Wording {
    /// Returns a text without translations.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), translations: BTreeMap::new() }
    }
}

/// The possible sequences of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Steps {
    /// The form, then the widget.
    #[default]
    FormThenWidget,
    /// The widget, then the form.
    WidgetThenForm,
    /// Only the form.
    Form,
    /// Only the widget.
    Widget,
}

impl Steps {
    /// Every sequence.
    pub const ALL: [Self; 4] = [Self::FormThenWidget, Self::WidgetThenForm, Self::Form, Self::Widget];

    /// Returns the steps as the service has them.
    pub fn list(self) -> Vec<LinkSiteStep> {
        let steps: &[LinkSiteStep] = match self {
            Self::FormThenWidget => &[LinkSiteStep::Form, LinkSiteStep::Widget],
            Self::WidgetThenForm => &[LinkSiteStep::Widget, LinkSiteStep::Form],
            Self::Form => &[LinkSiteStep::Form],
            Self::Widget => &[LinkSiteStep::Widget],
        };
        steps.iter().copied().chain([LinkSiteStep::ThankYou]).collect()
    }

    /// Returns the sequence for the service's steps.
    pub fn from_list(steps: &[LinkSiteStep]) -> Self {
        Self::ALL.into_iter().find(|it| it.list() == steps).unwrap_or_default()
    }

    /// Returns whether there is a form.
    pub const fn has_form(self) -> bool {
        match self {
            Self::FormThenWidget | Self::WidgetThenForm | Self::Form => true,
            Self::Widget => false,
        }
    }
}

/// The format of a TEXT, without its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormatKind {
    /// No format.
    #[default]
    Any,
    /// Any text, with bounds.
    Text,
    /// Digits, with bounds.
    Digits,
    /// Letters and digits, with bounds.
    Alphanumeric,
    /// E-mail address.
    Email,
    /// Phone number.
    Phone,
    /// CURP.
    Curp,
    /// Date.
    Date,
}

impl FormatKind {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Any,
        Self::Text,
        Self::Digits,
        Self::Alphanumeric,
        Self::Email,
        Self::Phone,
        Self::Curp,
        Self::Date,
    ];

    /// Returns whether the format has bounds.
    pub const fn has_bounds(self) -> bool {
        matches!(self, Self::Text | Self::Digits | Self::Alphanumeric)
    }
}

/// The format of a TEXT.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatDraft {
    /// The format.
    pub kind: FormatKind,
    /// Minimum number of characters, as typed.
    pub min: String,
    /// Maximum number of characters, as typed.
    pub max: String,
}

/// A rule of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleDraft {
    /// The other field: its `uid`. It may be removed, or later in the form.
    pub field: u32,
    /// Comparison.
    pub operator: ConditionOperator,
    /// Values as typed. Empty ones are not sent.
    pub values: Vec<String>,
}

/// When a field is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionDraft {
    /// How the rules are joined.
    pub join: ConditionJoin,
    /// Rules.
    pub rules: Vec<RuleDraft>,
}

/// A field of the form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldDraft {
    /// Identifies the field in the draft, however it is named and wherever it is.
    pub uid: u32,
    /// Name in the data.
    pub name: String,
    /// Label, or the text of a STATEMENT.
    pub label: Wording,
    /// Type.
    pub kind: LinkSiteFieldType,
    /// Whether an answer is required.
    pub required: bool,
    /// Choices, one a line. Empty ones are not sent.
    pub choices: Vec<Wording>,
    /// Help. Empty if there is none.
    pub help: Wording,
    /// Format of a TEXT.
    pub format: FormatDraft,
    /// Maximum number of files of a FILE, as typed.
    pub max_files: String,
    /// Sizes and formats that a FILE accepts.
    pub files: FileRules,
    /// When the field is shown. `None` if always.
    pub condition: Option<ConditionDraft>,
    /// Whether the address may have the value of a HIDDEN field.
    pub is_prefilled: bool,
}

impl FieldDraft {
    /// Returns the name by which the editor calls the field.
    pub fn title(&self) -> &str {
        if self.label.text.trim().is_empty() { &self.name } else { &self.label.text }
    }

    /// Returns whether the field has choices.
    pub const fn has_choices(&self) -> bool {
        matches!(self.kind, LinkSiteFieldType::Choice | LinkSiteFieldType::Several)
    }

    /// Returns the choices that are not empty.
    pub fn choice_texts(&self) -> impl Iterator<Item = &str> {
        self.choices.iter().map(|it| it.text.trim()).filter(|it| !it.is_empty())
    }
}

/// A link site as the editor has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteDraft {
    /// Name, which people do not see.
    pub name: String,
    /// Last part of the address.
    pub slug: String,
    /// Own host. Empty if none.
    pub host: String,
    /// People who can open the site.
    pub access: LinkSiteAccess,
    /// Identifier of the link template.
    pub template: String,
    /// Steps.
    pub steps: Steps,
    /// Heading of the first page.
    pub start_title: Wording,
    /// Text of the first page.
    pub start_text: Wording,
    /// Heading of the end page.
    pub end_title: Wording,
    /// Text of the end page.
    pub end_text: Wording,
    /// Page that the person is sent to at the end. Empty if none.
    pub redirect: String,
    /// Origins of the pages that may show the site in a frame, one a line. Empty ones are not sent.
    pub embed_origins: String,
    /// When the site closes, in UTC, as the browser's field has it: `2026-12-01T10:00`. Empty if never.
    pub closes_at: String,
    /// Maximum number of submitted forms, as typed. Empty if there is no limit.
    pub submissions: String,
    /// Language of the pages.
    pub locale: String,
    /// Language of the form.
    pub form_locale: String,
    /// Languages of the translations.
    pub languages: Vec<String>,
    /// Heading of the form. Empty if it has none.
    pub form_name: Wording,
    /// Reference of the form.
    pub reference: String,
    /// Whether the address may have the reference.
    pub prefills_reference: bool,
    /// Fields, in order.
    pub fields: Vec<FieldDraft>,
    /// `uid` of the next field.
    pub next_uid: u32,
}

impl Default for SiteDraft {
    fn default() -> Self {
        Self {
            name: String::new(),
            slug: String::new(),
            host: String::new(),
            access: LinkSiteAccess::Open,
            template: String::new(),
            steps: Steps::default(),
            start_title: Wording::default(),
            start_text: Wording::default(),
            end_title: Wording::default(),
            end_text: Wording::default(),
            redirect: String::new(),
            embed_origins: String::new(),
            closes_at: String::new(),
            submissions: String::new(),
            locale: "en".to_owned(),
            form_locale: "en".to_owned(),
            languages: Vec::new(),
            form_name: Wording::default(),
            reference: String::new(),
            prefills_reference: false,
            fields: Vec::new(),
            next_uid: 1,
        }
    }
}

impl SiteDraft {
    /// Returns a field.
    pub fn field(&self, uid: u32) -> Option<&FieldDraft> {
        self.fields.iter().find(|it| it.uid == uid)
    }

    pub(super) fn field_mut(&mut self, uid: u32) -> Option<&mut FieldDraft> {
        self.fields.iter_mut().find(|it| it.uid == uid)
    }

    /// Returns the place of a field.
    pub fn position(&self, uid: u32) -> Option<usize> {
        self.fields.iter().position(|it| it.uid == uid)
    }

    /// Adds an empty field at the end. Returns its `uid`.
    pub(super) fn add_field(&mut self, kind: LinkSiteFieldType) -> u32 {
        let uid = self.next_uid;
        self.next_uid += 1;
        let name = self.free_name(&format!("field{uid}"));
        self.fields.push(FieldDraft {
            uid,
            name,
            label: Wording::default(),
            kind,
            required: false,
            choices: Vec::new(),
            help: Wording::default(),
            format: FormatDraft::default(),
            max_files: "1".to_owned(),
            files: FileRules::default(),
            condition: None,
            is_prefilled: kind == LinkSiteFieldType::Hidden,
        });
        uid
    }

    /// Adds a copy of a field after it. Returns its `uid`.
    pub(super) fn copy_field(&mut self, uid: u32) -> Option<u32> {
        let position = self.position(uid)?;
        let mut copy = self.fields.get(position)?.clone();
        copy.uid = self.next_uid;
        copy.name = self.free_name(&copy.name);
        self.next_uid += 1;
        self.fields.insert(position + 1, copy);
        Some(self.next_uid - 1)
    }

    /// Returns the name, with a number if another field has it.
    fn free_name(&self, name: &str) -> String {
        let is_free = |name: &str| self.fields.iter().all(|it| it.name != name);
        if is_free(name) {
            return name.to_owned();
        }
        let stem = name.trim_end_matches(|it: char| it.is_ascii_digit());
        let stem = if stem.is_empty() { "field" } else { stem };
        let mut names = (2..).map(|number| format!("{stem}{number}"));
        names.find(|it| is_free(it)).unwrap_or_default()
    }

    /// Returns the texts of the pages.
    pub fn page_wordings(&self) -> [&Wording; 4] {
        [&self.start_title, &self.start_text, &self.end_title, &self.end_text]
    }

    /// Returns the texts of the form.
    pub fn form_wordings(&self) -> impl Iterator<Item = &Wording> {
        let fields = self.fields.iter();
        let of_fields = fields.flat_map(|it| [&it.label, &it.help].into_iter().chain(&it.choices));
        std::iter::once(&self.form_name).chain(of_fields)
    }

    /// Returns every text that people see, in order, each once.
    pub fn texts(&self) -> Vec<&Wording> {
        let form = self.steps.has_form().then(|| self.form_wordings()).into_iter().flatten();
        let mut texts: Vec<&Wording> = Vec::new();
        for wording in self.page_wordings().into_iter().chain(form) {
            if !wording.text.trim().is_empty() && texts.iter().all(|it| it.text != wording.text) {
                texts.push(wording);
            }
        }
        texts
    }

    /// Translates a text, wherever it is.
    pub(super) fn translate(&mut self, language: &str, text: &str, translation: &str) {
        let pages = [&mut self.start_title, &mut self.start_text, &mut self.end_title, &mut self.end_text];
        let fields = self
            .fields
            .iter_mut()
            .flat_map(|it| [&mut it.label, &mut it.help].into_iter().chain(it.choices.iter_mut()));
        for wording in pages.into_iter().chain([&mut self.form_name]).chain(fields) {
            if wording.text == text {
                wording.translations.insert(language.to_owned(), translation.to_owned());
            }
        }
    }

    /// Sets the choices of a field, one a line. A choice that was renamed keeps its translations, and rules follow.
    pub(super) fn set_choices(&mut self, uid: u32, lines: &str) {
        let Some(field) = self.field_mut(uid) else { return };
        let texts: Vec<&str> = lines.split('\n').collect();
        let is_renaming = texts.len() == field.choices.len();
        let before = std::mem::take(&mut field.choices);
        let mut renamed = Vec::new();
        field.choices = texts
            .iter()
            .enumerate()
            .map(|(place, text)| {
                let same = before.iter().find(|it| it.text == *text);
                match (same, before.get(place)) {
                    (Some(same), _) => same.clone(),
                    (None, Some(old)) if is_renaming => {
                        renamed.push((old.text.clone(), (*text).to_owned()));
                        Wording { text: (*text).to_owned(), ..old.clone() }
                    }
                    (None, _) => Wording::new(text),
                }
            })
            .collect();
        for (old, new) in renamed {
            let conditions = self.fields.iter_mut().filter_map(|it| it.condition.as_mut());
            let rules = conditions.flat_map(|it| &mut it.rules).filter(|it| it.field == uid);
            for value in rules.flat_map(|it| &mut it.values).filter(|it| **it == old) {
                value.clone_from(&new);
            }
        }
    }
}
