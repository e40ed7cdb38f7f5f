//! Templates as the service has them, the drafts that begin with them, and the bodies of drafts.

use link_types::Timestamp;
use link_types::form_submission::LinkSiteForm;
use link_types::invite_template::{InviteLandingPage, InviteSuccessPage, InviteTemplate};
use link_types::provider::Translations;
use link_types::template::{ConsentTemplate, LinkTemplate};

use super::draft::{LANGUAGES, TemplateDraft};
use super::kind::{TemplateKey, TemplateKind};
use super::value::Value;

/// A template of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyTemplate {
    /// A link template.
    Link(Box<LinkTemplate>),
    /// A consent template.
    Consent(Box<ConsentTemplate>),
    /// An invite template.
    Invite(Box<InviteTemplate>),
}

impl AnyTemplate {
    /// Returns the identifier, if it is one.
    pub fn key(&self) -> Option<TemplateKey> {
        let id = match self {
            Self::Link(it) => it.id.as_str(),
            Self::Consent(it) => it.id.as_str(),
            Self::Invite(it) => it.id.as_str(),
        };
        id.parse().ok()
    }

    /// Returns the name by which members know the template.
    pub fn name(&self) -> String {
        match self {
            Self::Link(it) => it.name.clone(),
            Self::Consent(it) => format!("{} ({})", it.title, it.version),
            Self::Invite(it) => it.name.clone(),
        }
    }

    /// Returns when it was created.
    pub fn created_at(&self) -> Timestamp {
        match self {
            Self::Link(it) => it.created_at,
            Self::Consent(it) => it.created_at,
            Self::Invite(it) => it.created_at,
        }
    }

    /// Returns the revision.
    pub fn revision(&self) -> &str {
        match self {
            Self::Link(it) => &it.revision,
            Self::Consent(it) => &it.revision,
            Self::Invite(it) => &it.revision,
        }
    }

    /// Returns the draft that begins with the template.
    pub fn draft(&self) -> TemplateDraft {
        match self {
            Self::Link(it) => read_link(it),
            Self::Consent(it) => read_consent(it),
            Self::Invite(it) => read_invite(it),
        }
    }
}

/// Returns the draft of a new template, with the service's defaults.
pub fn new_draft(kind: TemplateKind) -> TemplateDraft {
    let mut draft = TemplateDraft::default();
    match kind {
        TemplateKind::Link => {
            draft.set_on("uploadsEnabled", true);
            draft.set_on("syncEnabled", true);
            draft.set("syncInterval", "MONTHLY");
            draft.set("retention", "FROM_LAST_SYNC");
        }
        TemplateKind::Consent => {
            draft.set("type", "TERMS_AND_CONDITIONS");
            draft.set("version", "1.0");
            draft.set("locale", "en");
        }
        TemplateKind::Invite => draft.set("locale", "en"),
    }
    draft
}

fn read_link(template: &LinkTemplate) -> TemplateDraft {
    let mut draft = TemplateDraft::default();
    draft.form.clone_from(&template.form);
    draft.set("name", &template.name);
    draft.set("companyName", &template.company_name);
    draft.set("consentTemplateId", template.consent_template_id.as_str());
    draft.set_on("allowConsentSkip", template.allow_consent_skip);
    draft.set_items("allowedOrigins", &template.allowed_origins);
    draft.set_items("redirectUrls", &template.redirect_urls);
    draft.set_items("providers", template.providers.iter().map(link_types::id::ProviderId::as_str));
    draft.set_items("topProviders", template.top_providers.iter().map(link_types::id::ProviderId::as_str));
    draft.set_on("uploadsEnabled", template.uploads_enabled);
    draft.set_items("fileTypes", template.file_types.iter().map(|it| it.as_str()));
    draft.set_items("optionalData", template.optional_data.iter().map(|it| it.as_str()));
    let theme = &template.theme;
    draft.set("theme.accent", &theme.accent.map(|it| it.to_string()).unwrap_or_default());
    draft.set("theme.accentDark", &theme.accent_dark.map(|it| it.to_string()).unwrap_or_default());
    draft.set("theme.radius", &theme.radius.map(|it| it.to_string()).unwrap_or_default());
    draft.set("theme.font", theme.font.map(|it| it.as_str()).unwrap_or_default());
    draft.set("theme.logoLight", theme.logo_light.as_deref().unwrap_or_default());
    draft.set("theme.logoDark", theme.logo_dark.as_deref().unwrap_or_default());
    draft.set_on("syncEnabled", template.sync_enabled);
    draft.set("syncInterval", template.sync_interval.as_str());
    draft.set("retention", template.retention.as_str());
    draft.set("helpUrl", template.help_url.as_deref().unwrap_or_default());
    for (locale, texts) in &template.texts {
        for (key, text) in texts {
            draft.set(&format!("texts.{locale}.{key}"), text);
        }
    }
    draft
}

fn read_consent(template: &ConsentTemplate) -> TemplateDraft {
    let mut draft = TemplateDraft::default();
    draft.set("type", &template.consent_type);
    draft.set("version", &template.version);
    draft.set("locale", &template.locale);
    draft.set("title", &template.title);
    draft.set("text", &template.text);
    draft.set_items(LANGUAGES, template.translations.keys());
    for (tag, translation) in &template.translations {
        draft.set(&format!("translations.{tag}.title"), &translation.title);
        draft.set(&format!("translations.{tag}.text"), &translation.text);
    }
    draft
}

fn read_invite(template: &InviteTemplate) -> TemplateDraft {
    let mut draft = TemplateDraft::default();
    draft.set("name", &template.name);
    draft.set("company.name", &template.company.name);
    draft.set("company.logoUrl", template.company.logo_url.as_deref().unwrap_or_default());
    draft.set("email.senderName", template.email.sender_name.as_deref().unwrap_or_default());
    draft.set("email.replyTo", template.email.reply_to.as_deref().unwrap_or_default());
    draft.set("locale", &template.locale);
    let mut read =
        |prefix: &str, mail: (&str, &str), landing: &InviteLandingPage, end: &InviteSuccessPage| {
            let mut set = |path: &str, text: &str| draft.set(&format!("{prefix}{path}"), text);
            set("email.subject", mail.0);
            set("email.body", mail.1);
            set("landingPage.header", &landing.header);
            set("landingPage.description", &landing.description);
            set("landingPage.button", &landing.button);
            set("successPage.header", &end.header);
            set("successPage.description", &end.description);
        };
    let mail = (template.email.subject.as_str(), template.email.body.as_str());
    read("", mail, &template.landing_page, &template.success_page);
    for (tag, it) in &template.translations {
        let mail = (it.email.subject.as_str(), it.email.body.as_str());
        read(&format!("translations.{tag}."), mail, &it.landing_page, &it.success_page);
    }
    draft.set_items(LANGUAGES, template.translations.keys());
    draft
}

impl TemplateDraft {
    /// Returns the body. `revision` is that of the template that is changed, `None` for a new one.
    pub fn body(&self, kind: TemplateKind, revision: Option<&str>) -> Value {
        let mut fields = match kind {
            TemplateKind::Link => self.link_body(revision.is_some()),
            TemplateKind::Consent => vec![
                ("type", self.text("type")),
                ("version", self.text("version")),
                ("locale", self.text("locale")),
                ("title", self.text("title")),
                ("text", self.text("text")),
                ("translations", self.translations(|prefix| self.consent_texts(prefix))),
            ],
            TemplateKind::Invite => self.invite_body(),
        };
        fields.extend(revision.map(|it| ("revision", Value::Text(it.to_owned()))));
        Value::Map(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn link_body(&self, is_update: bool) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            ("name", self.text("name")),
            ("companyName", self.text("companyName")),
            ("consentTemplateId", self.text("consentTemplateId")),
            ("allowConsentSkip", self.flag("allowConsentSkip")),
            ("allowedOrigins", self.list("allowedOrigins")),
            ("redirectUrls", self.list("redirectUrls")),
            ("providers", self.list("providers")),
            ("topProviders", self.list("topProviders")),
            ("uploadsEnabled", self.flag("uploadsEnabled")),
            ("fileTypes", self.list("fileTypes")),
            ("optionalData", self.list("optionalData")),
            ("theme", self.theme()),
            ("texts", self.own_texts()),
            ("syncEnabled", self.flag("syncEnabled")),
            ("syncInterval", self.text("syncInterval")),
            ("retention", self.text("retention")),
            ("helpUrl", self.text("helpUrl")),
        ];
        match &self.form {
            Some(form) => fields.push(("form", Value::Form(Box::new(form.clone())))),
            // A form without fields removes that of a template.
            None if is_update => fields.push(("form", Value::Form(Box::new(no_form())))),
            None => {}
        }
        fields
    }

    fn theme(&self) -> Value {
        let radius = self.get("theme.radius").trim();
        let radius = match radius.parse() {
            Ok(number) => Value::Number(number),
            Err(_) if radius.is_empty() => Value::Null,
            Err(_) => Value::Text(radius.to_owned()),
        };
        Value::map([
            ("accent", self.optional("theme.accent")),
            ("accentDark", self.optional("theme.accentDark")),
            ("radius", radius),
            ("font", self.optional("theme.font")),
            ("logoLight", self.optional("theme.logoLight")),
            ("logoDark", self.optional("theme.logoDark")),
        ])
    }

    fn own_texts(&self) -> Value {
        let mut locales: Vec<(String, Value)> = Vec::new();
        // The paths are sorted, so the texts of a language follow each other.
        for (rest, text) in self.below("texts.").filter(|(_, text)| !text.trim().is_empty()) {
            let Some((locale, key)) = rest.split_once('.') else { continue };
            let entry = (key.to_owned(), Value::Text(text.to_owned()));
            if let Some((last, Value::Map(texts))) = locales.last_mut()
                && *last == locale
            {
                texts.push(entry);
            } else {
                locales.push((locale.to_owned(), Value::Map(vec![entry])));
            }
        }
        Value::Map(locales)
    }

    fn invite_body(&self) -> Vec<(&'static str, Value)> {
        let email = Value::map([
            ("senderName", self.optional("email.senderName")),
            ("replyTo", self.optional("email.replyTo")),
            ("subject", self.text("email.subject")),
            ("body", self.text("email.body")),
        ]);
        vec![
            ("name", self.text("name")),
            (
                "company",
                Value::map([
                    ("name", self.text("company.name")),
                    ("logoUrl", self.optional("company.logoUrl")),
                ]),
            ),
            ("email", email),
            ("landingPage", self.landing_page("")),
            ("successPage", self.success_page("")),
            ("locale", self.text("locale")),
            ("translations", self.translations(|prefix| self.invite_texts(prefix))),
        ]
    }

    fn consent_texts(&self, prefix: &str) -> Value {
        let text = |path: &str| self.text(&format!("{prefix}{path}"));
        Value::map([("title", text("title")), ("text", text("text"))])
    }

    fn invite_texts(&self, prefix: &str) -> Value {
        let text = |path: &str| self.text(&format!("{prefix}{path}"));
        let email = Value::map([("subject", text("email.subject")), ("body", text("email.body"))]);
        Value::map([
            ("email", email),
            ("landingPage", self.landing_page(prefix)),
            ("successPage", self.success_page(prefix)),
        ])
    }

    fn landing_page(&self, prefix: &str) -> Value {
        let text = |path: &str| self.text(&format!("{prefix}landingPage.{path}"));
        Value::map([
            ("header", text("header")),
            ("description", text("description")),
            ("button", text("button")),
        ])
    }

    fn success_page(&self, prefix: &str) -> Value {
        let text = |path: &str| self.text(&format!("{prefix}successPage.{path}"));
        Value::map([("header", text("header")), ("description", text("description"))])
    }

    fn translations(&self, texts: impl Fn(&str) -> Value) -> Value {
        let of = |tag: &str| (tag.to_owned(), texts(&format!("translations.{tag}.")));
        Value::Map(self.items(LANGUAGES).map(of).collect())
    }

    fn text(&self, path: &str) -> Value {
        Value::Text(self.get(path).trim().to_owned())
    }

    fn optional(&self, path: &str) -> Value {
        let text = self.get(path).trim();
        if text.is_empty() { Value::Null } else { Value::Text(text.to_owned()) }
    }

    fn flag(&self, path: &str) -> Value {
        Value::Flag(self.is_on(path))
    }

    fn list(&self, path: &str) -> Value {
        Value::List(self.items(path).map(|it| Value::Text(it.to_owned())).collect())
    }
}

fn no_form() -> LinkSiteForm {
    LinkSiteForm {
        name: None,
        reference: "reference".to_owned(),
        fields: Vec::new(),
        locale: "en".to_owned(),
        translations: Translations::new(),
    }
}
