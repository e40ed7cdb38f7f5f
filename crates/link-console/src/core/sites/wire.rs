//! A draft as the service takes it, and the draft of a link site that the service has.

use std::collections::BTreeMap;

use link_types::archive::FileFormat;
use link_types::form_submission::{
    ConditionJoin, ConditionOperator, FieldCondition, LinkSiteField, LinkSiteFieldType, LinkSiteForm,
};
use link_types::format::FieldFormat;
use link_types::link_site::{
    LinkSite, LinkSiteAccess, LinkSiteEndPage, LinkSiteStartPage, LinkSiteStatus, LinkSiteStep,
};
use link_types::provider::Translations;
use serde::Serialize;

use super::draft::{
    ConditionDraft, FieldDraft, FormatDraft, FormatKind, RuleDraft, SiteDraft, Steps, Wording,
};

/// The name that a prefilled reference has.
const REFERENCE: &str = "reference";

/// The body that creates or changes a link site. What was typed is sent as it is, so that the service can refuse it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteBody {
    name: String,
    slug: String,
    host: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<LinkSiteStatus>,
    access: LinkSiteAccess,
    link_template_id: String,
    steps: Vec<LinkSiteStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<FormBody>,
    prefill: Vec<String>,
    embed_origins: Vec<String>,
    start_page: LinkSiteStartPage,
    end_page: LinkSiteEndPage,
    limits: LimitsBody,
    locale: String,
    translations: Translations,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
}

/// A number as it was typed: text that is not one is sent as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Number {
    Parsed(u32),
    Text(String),
}

impl Number {
    fn new(text: &str) -> Self {
        text.trim().parse().map_or_else(|_| Self::Text(text.to_owned()), Self::Parsed)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct LimitsBody {
    closes_at: Option<String>,
    submissions: Option<Number>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct FormBody {
    name: Option<String>,
    reference: String,
    fields: Vec<FieldBody>,
    locale: String,
    translations: Translations,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct FieldBody {
    name: String,
    label: String,
    #[serde(rename = "type")]
    kind: LinkSiteFieldType,
    required: bool,
    choices: Vec<String>,
    help: Option<String>,
    format: Option<FormatBody>,
    files: Option<FilesBody>,
    condition: Option<ConditionBody>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum FormatBody {
    Text(Bounds),
    Digits(Bounds),
    Alphanumeric(Bounds),
    Email {},
    Phone {},
    Curp {},
    Date {},
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct FilesBody {
    max_files: Number,
    max_bytes: u32,
    formats: Vec<FileFormat>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Bounds {
    min: Number,
    max: Number,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct ConditionBody {
    join: ConditionJoin,
    rules: Vec<RuleBody>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct RuleBody {
    field: String,
    operator: ConditionOperator,
    values: Vec<String>,
}

impl SiteDraft {
    /// Returns the origins that may embed the site, as they are sent.
    pub(super) fn embedders(&self) -> impl Iterator<Item = String> {
        self.embed_origins.lines().filter_map(non_empty)
    }

    /// Returns the body. `revision` is that of the site that is changed, `None` for a new one.
    pub fn body(&self, status: Option<LinkSiteStatus>, revision: Option<&str>) -> SiteBody {
        let has_form = self.steps.has_form();
        // A form without fields removes that of a site.
        let none = || FormBody {
            name: None,
            reference: REFERENCE.to_owned(),
            fields: Vec::new(),
            locale: self.form_locale.clone(),
            translations: Translations::new(),
        };
        let form = if has_form { Some(self.form_body()) } else { revision.map(|_| none()) };
        let hidden = self.fields.iter().filter(|it| it.kind == LinkSiteFieldType::Hidden && it.is_prefilled);
        let prefill = hidden
            .map(|it| it.name.clone())
            .chain(self.prefills_reference.then(|| REFERENCE.to_owned()))
            .filter(|_| has_form);
        let text = |it: &Wording| it.text.trim().to_owned();
        SiteBody {
            name: self.name.clone(),
            slug: self.slug.clone(),
            host: self.host.clone(),
            status,
            access: self.access,
            link_template_id: self.template.clone(),
            steps: self.steps.list(),
            form,
            prefill: prefill.collect(),
            embed_origins: self.embedders().collect(),
            start_page: LinkSiteStartPage { title: text(&self.start_title), text: text(&self.start_text) },
            end_page: LinkSiteEndPage {
                title: text(&self.end_title),
                text: text(&self.end_text),
                redirect_url: non_empty(&self.redirect),
            },
            limits: LimitsBody {
                closes_at: non_empty(&self.closes_at).map(|it| time_of_field(&it)),
                submissions: non_empty(&self.submissions).map(|it| Number::new(&it)),
            },
            locale: self.locale.trim().to_owned(),
            translations: self.translations(self.page_wordings().into_iter()),
            revision: revision.map(str::to_owned),
        }
    }

    fn form_body(&self) -> FormBody {
        FormBody {
            name: non_empty(&self.form_name.text),
            reference: self.reference.clone(),
            fields: self.fields.iter().map(|it| self.field_body(it)).collect(),
            locale: self.form_locale.trim().to_owned(),
            translations: self.translations(self.form_wordings()),
        }
    }

    fn field_body(&self, field: &FieldDraft) -> FieldBody {
        let is_asked = !matches!(field.kind, LinkSiteFieldType::Statement | LinkSiteFieldType::Hidden);
        let choices = field.choice_texts().filter(|_| field.has_choices()).map(str::to_owned).collect();
        let condition = field.condition.as_ref().filter(|_| field.kind != LinkSiteFieldType::Hidden);
        FieldBody {
            name: field.name.trim().to_owned(),
            label: field.label.text.trim().to_owned(),
            kind: field.kind,
            required: field.required && is_asked,
            choices,
            help: non_empty(&field.help.text),
            format: (field.kind == LinkSiteFieldType::Text).then(|| field.format.body()).flatten(),
            files: (field.kind == LinkSiteFieldType::File).then(|| FilesBody {
                max_files: Number::new(&field.max_files),
                max_bytes: field.files.max_bytes,
                formats: field.files.formats.clone(),
            }),
            condition: condition.map(|it| ConditionBody {
                join: it.join,
                rules: it.rules.iter().map(|rule| self.rule_body(rule)).collect(),
            }),
        }
    }

    fn rule_body(&self, rule: &RuleDraft) -> RuleBody {
        let values = rule.values.iter().filter(|_| rule.operator != ConditionOperator::Answered);
        RuleBody {
            // The service says that a field without a name is not one of the form.
            field: self.field(rule.field).map(|it| it.name.trim().to_owned()).unwrap_or_default(),
            operator: rule.operator,
            values: values.filter(|it| !it.is_empty()).cloned().collect(),
        }
    }

    fn translations<'w>(&self, wordings: impl Iterator<Item = &'w Wording>) -> Translations {
        let mut translations = Translations::new();
        for wording in wordings.filter(|it| !it.text.trim().is_empty()) {
            for (language, text) in &wording.translations {
                if self.languages.contains(language) && !text.trim().is_empty() {
                    let of_language = translations.entry(language.clone()).or_default();
                    of_language.insert(wording.text.trim().to_owned(), text.clone());
                }
            }
        }
        translations
    }

    /// Returns the draft of a site that the service has.
    pub fn from_site(site: &LinkSite) -> Self {
        let page = |text: &str| read_wording(text, &site.translations);
        let mut draft = Self {
            name: site.name.clone(),
            slug: site.slug.clone(),
            host: site.host.clone().unwrap_or_default(),
            access: site.access,
            template: site.link_template_id.to_string(),
            steps: Steps::from_list(&site.steps),
            start_title: page(&site.start_page.title),
            start_text: page(&site.start_page.text),
            end_title: page(&site.end_page.title),
            end_text: page(&site.end_page.text),
            redirect: site.end_page.redirect_url.clone().unwrap_or_default(),
            embed_origins: site.embed_origins.join("\n"),
            closes_at: site.limits.closes_at.map(|it| field_of_time(&it.to_string())).unwrap_or_default(),
            submissions: site.limits.submissions.map(|it| it.to_string()).unwrap_or_default(),
            locale: site.locale.clone(),
            form_locale: site.locale.clone(),
            languages: site.translations.keys().cloned().collect(),
            prefills_reference: site.prefill.iter().any(|it| it == REFERENCE),
            ..Self::default()
        };
        if let Some(form) = &site.form {
            draft.read_form(form, &site.prefill);
        }
        draft
    }

    fn read_form(&mut self, form: &LinkSiteForm, prefill: &[String]) {
        let text = |text: &str| read_wording(text, &form.translations);
        self.form_locale.clone_from(&form.locale);
        let new = form.translations.keys().filter(|it| !self.languages.contains(it)).cloned();
        let new: Vec<String> = new.collect();
        self.languages.extend(new);
        self.form_name = text(form.name.as_deref().unwrap_or_default());
        self.reference.clone_from(&form.reference);
        let uids: BTreeMap<&str, u32> = form.fields.iter().map(|it| it.name.as_str()).zip(1..).collect();
        let field = |(uid, field): (u32, &LinkSiteField)| FieldDraft {
            uid,
            name: field.name.clone(),
            label: text(&field.label),
            kind: field.field_type,
            required: field.required,
            choices: field.choices.iter().map(|it| text(it)).collect(),
            help: text(field.help.as_deref().unwrap_or_default()),
            format: field.format.as_ref().map(read_format).unwrap_or_default(),
            max_files: field.files.as_ref().map_or(1, |it| it.max_files).to_string(),
            files: field.files.clone().unwrap_or_default(),
            condition: field.condition.as_ref().map(|it| read_condition(it, &uids)),
            is_prefilled: prefill.contains(&field.name),
        };
        self.fields = (1..).zip(&form.fields).map(field).collect();
        self.next_uid = u32::try_from(form.fields.len()).unwrap_or(u32::MAX - 1) + 1;
    }
}

impl FormatDraft {
    fn body(&self) -> Option<FormatBody> {
        let bounds = || Bounds { min: Number::new(&self.min), max: Number::new(&self.max) };
        Some(match self.kind {
            FormatKind::Any => return None,
            FormatKind::Text => FormatBody::Text(bounds()),
            FormatKind::Digits => FormatBody::Digits(bounds()),
            FormatKind::Alphanumeric => FormatBody::Alphanumeric(bounds()),
            FormatKind::Email => FormatBody::Email {},
            FormatKind::Phone => FormatBody::Phone {},
            FormatKind::Curp => FormatBody::Curp {},
            FormatKind::Date => FormatBody::Date {},
        })
    }
}

fn read_format(format: &FieldFormat) -> FormatDraft {
    let kind = match format {
        FieldFormat::Text { .. } => FormatKind::Text,
        FieldFormat::Digits { .. } => FormatKind::Digits,
        FieldFormat::Alphanumeric { .. } => FormatKind::Alphanumeric,
        FieldFormat::Email {} => FormatKind::Email,
        FieldFormat::Phone {} => FormatKind::Phone,
        FieldFormat::Curp {} => FormatKind::Curp,
        FieldFormat::Date {} => FormatKind::Date,
        // The service does not store forms with it.
        FieldFormat::OneOf { .. } => FormatKind::Any,
    };
    let (min, max) = format.lengths();
    let text = |bound: Option<u16>| bound.filter(|_| kind.has_bounds()).map(|it| it.to_string());
    FormatDraft { kind, min: text(min).unwrap_or_default(), max: text(max).unwrap_or_default() }
}

fn read_condition(condition: &FieldCondition, uids: &BTreeMap<&str, u32>) -> ConditionDraft {
    let rules = condition.rules.iter().map(|it| RuleDraft {
        field: uids.get(it.field.as_str()).copied().unwrap_or_default(),
        operator: it.operator,
        values: it.values.clone(),
    });
    ConditionDraft { join: condition.join, rules: rules.collect() }
}

fn read_wording(text: &str, translations: &Translations) -> Wording {
    let of_text = translations.iter().filter_map(|(language, words)| {
        words.get(text).map(|translation| (language.clone(), translation.clone()))
    });
    Wording { text: text.to_owned(), translations: of_text.collect() }
}

/// Returns a text that is not empty.
fn non_empty(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the value of a browser's field for a time in UTC.
fn field_of_time(time: &str) -> String {
    let short = time.strip_suffix(":00.000Z").or(time.strip_suffix('Z'));
    short.unwrap_or(time).to_owned()
}

/// Returns the time in UTC that a browser's field has.
fn time_of_field(value: &str) -> String {
    match value.len() {
        16 => format!("{value}:00.000Z"),
        19 => format!("{value}.000Z"),
        _ => format!("{value}Z"),
    }
}
