//! The fields of each kind of template: their paths, their controls and their sections.

use super::draft::{LANGUAGES, TemplateDraft};
use super::kind::TemplateKind;
use crate::core::texts::templates::TemplateText;

/// The paths of a link template's logos.
pub const LOGOS: [&str; 2] = ["theme.logoLight", "theme.logoDark"];
/// Maximum size of a logo in bytes.
pub const MAX_LOGO_BYTES: u32 = 131_072;
/// The languages of the widget's texts.
pub const TEXT_LANGUAGES: [&str; 7] = ["en", "ar", "es-MX", "fil", "id", "pt-BR", "zh-Hans"];

/// The control of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// One line of text.
    Line,
    /// Several lines of text.
    Area,
    /// A list with one item in each line.
    Lines,
    /// On or off.
    Tick,
    /// A color.
    Color,
    /// One of these values, each with its name.
    Choose(&'static [(&'static str, TemplateText)]),
    /// Any of these values, each with its name.
    Several(&'static [(&'static str, TemplateText)]),
    /// A consent template.
    Consent,
    /// Any of the providers.
    Providers,
    /// Some of the providers, in an order.
    OrderedProviders,
    /// A picture.
    Logo,
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Path, as REST names it.
    pub path: &'static str,
    /// Label.
    pub label: TemplateText,
    /// Help.
    pub help: Option<TemplateText>,
    /// Control.
    pub control: Control,
}

/// Fields with a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Identifies the section in the page.
    pub id: &'static str,
    /// Heading.
    pub title: TemplateText,
    /// Fields.
    pub fields: &'static [Field],
}

const fn field(path: &'static str, label: TemplateText, control: Control) -> Field {
    Field { path, label, help: None, control }
}

const fn with_help(path: &'static str, label: TemplateText, help: TemplateText, control: Control) -> Field {
    Field { path, label, help: Some(help), control }
}

const INTERVALS: &[(&str, TemplateText)] =
    &[("DAILY", TemplateText::Daily), ("WEEKLY", TemplateText::Weekly), ("MONTHLY", TemplateText::Monthly)];
const RETENTIONS: &[(&str, TemplateText)] =
    &[("FROM_LAST_SYNC", TemplateText::FromLastSync), ("FROM_CONNECTION", TemplateText::FromConnection)];
const FONTS: &[(&str, TemplateText)] = &[
    ("", TemplateText::FontSystem),
    ("GROTESQUE", TemplateText::FontGrotesque),
    ("HUMANIST", TemplateText::FontHumanist),
    ("GEOMETRIC", TemplateText::FontGeometric),
    ("ROUNDED", TemplateText::FontRounded),
    ("SERIF", TemplateText::FontSerif),
];
const FILE_TYPES: &[(&str, TemplateText)] = &[
    ("PAYSLIP", TemplateText::Payslip),
    ("TAX_DOCUMENT", TemplateText::TaxDocument),
    ("COMPANY_ID", TemplateText::CompanyId),
    ("IDENTIFICATION", TemplateText::Identification),
    ("CLEARANCE", TemplateText::Clearance),
    ("CERTIFICATE", TemplateText::Certificate),
    ("BANK_STATEMENT", TemplateText::BankStatement),
];
macro_rules! data {
    ({$($kind:ident = $word:literal $about:literal $english:literal $spanish:literal)*}) => {
        const DATA: &[(&str, TemplateText)] = &[$(($word, TemplateText::$kind)),*];
    };
}

link_types::data_points!(words data);

const LINK: &[Section] = &[
    Section {
        id: "basics",
        title: TemplateText::Basics,
        fields: &[
            with_help("name", TemplateText::Name, TemplateText::NameHelp, Control::Line),
            with_help("companyName", TemplateText::CompanyName, TemplateText::CompanyNameHelp, Control::Line),
            with_help(
                "consentTemplateId",
                TemplateText::Consent,
                TemplateText::ConsentHelp,
                Control::Consent,
            ),
            with_help("helpUrl", TemplateText::HelpUrl, TemplateText::HelpUrlHelp, Control::Line),
            field("allowConsentSkip", TemplateText::AllowConsentSkip, Control::Tick),
        ],
    },
    Section {
        id: "brand",
        title: TemplateText::Brand,
        fields: &[
            with_help("theme.accent", TemplateText::Accent, TemplateText::AccentHelp, Control::Color),
            with_help(
                "theme.accentDark",
                TemplateText::AccentDark,
                TemplateText::AccentDarkHelp,
                Control::Color,
            ),
            with_help("theme.radius", TemplateText::Radius, TemplateText::RadiusHelp, Control::Line),
            field("theme.font", TemplateText::Font, Control::Choose(FONTS)),
            with_help("theme.logoLight", TemplateText::LogoLight, TemplateText::LogoHelp, Control::Logo),
            with_help("theme.logoDark", TemplateText::LogoDark, TemplateText::LogoDarkHelp, Control::Logo),
        ],
    },
    Section {
        id: "providers",
        title: TemplateText::Providers,
        fields: &[
            with_help(
                "topProviders",
                TemplateText::TopProviders,
                TemplateText::TopProvidersHelp,
                Control::OrderedProviders,
            ),
            with_help(
                "providers",
                TemplateText::OfferedProviders,
                TemplateText::OfferedProvidersHelp,
                Control::Providers,
            ),
        ],
    },
    Section {
        id: "data",
        title: TemplateText::Data,
        fields: &[
            with_help(
                "optionalData",
                TemplateText::OptionalData,
                TemplateText::OptionalDataHelp,
                Control::Several(DATA),
            ),
            field("syncEnabled", TemplateText::SyncEnabled, Control::Tick),
            field("syncInterval", TemplateText::SyncInterval, Control::Choose(INTERVALS)),
            with_help(
                "retention",
                TemplateText::Retention,
                TemplateText::RetentionHelp,
                Control::Choose(RETENTIONS),
            ),
            field("uploadsEnabled", TemplateText::UploadsEnabled, Control::Tick),
            with_help(
                "fileTypes",
                TemplateText::FileTypes,
                TemplateText::FileTypesHelp,
                Control::Several(FILE_TYPES),
            ),
        ],
    },
    Section {
        id: "pages",
        title: TemplateText::Embedding,
        fields: &[
            with_help("allowedOrigins", TemplateText::Origins, TemplateText::OriginsHelp, Control::Lines),
            with_help(
                "redirectUrls",
                TemplateText::RedirectUrls,
                TemplateText::RedirectUrlsHelp,
                Control::Lines,
            ),
        ],
    },
];

const CONSENT: &[Section] = &[
    Section {
        id: "basics",
        title: TemplateText::Basics,
        fields: &[
            with_help("version", TemplateText::Version, TemplateText::VersionHelp, Control::Line),
            with_help("type", TemplateText::ConsentType, TemplateText::ConsentTypeHelp, Control::Line),
            with_help("locale", TemplateText::Locale, TemplateText::LocaleHelp, Control::Line),
        ],
    },
    Section { id: "words", title: TemplateText::Words, fields: CONSENT_WORDS },
];

const CONSENT_WORDS: &[Field] = &[
    field("title", TemplateText::Title, Control::Line),
    with_help("text", TemplateText::ConsentWords, TemplateText::ConsentWordsHelp, Control::Area),
];

const INVITE: &[Section] = &[
    Section {
        id: "basics",
        title: TemplateText::Basics,
        fields: &[
            with_help("name", TemplateText::Name, TemplateText::NameHelp, Control::Line),
            with_help(
                "company.name",
                TemplateText::CompanyName,
                TemplateText::InviteCompanyHelp,
                Control::Line,
            ),
            with_help("company.logoUrl", TemplateText::LogoUrl, TemplateText::LogoUrlHelp, Control::Line),
            with_help(
                "email.senderName",
                TemplateText::SenderName,
                TemplateText::SenderNameHelp,
                Control::Line,
            ),
            with_help("email.replyTo", TemplateText::ReplyTo, TemplateText::ReplyToHelp, Control::Line),
            with_help("locale", TemplateText::Locale, TemplateText::LocaleHelp, Control::Line),
        ],
    },
    Section { id: "words", title: TemplateText::InviteWords, fields: INVITE_WORDS },
];

const INVITE_WORDS: &[Field] = &[
    field("email.subject", TemplateText::Subject, Control::Line),
    with_help("email.body", TemplateText::MailBody, TemplateText::MailBodyHelp, Control::Area),
    field("landingPage.header", TemplateText::LandingHeader, Control::Line),
    field("landingPage.description", TemplateText::LandingText, Control::Area),
    field("landingPage.button", TemplateText::LandingButton, Control::Line),
    field("successPage.header", TemplateText::SuccessHeader, Control::Line),
    field("successPage.description", TemplateText::SuccessText, Control::Area),
];

/// Returns the sections of a kind of template.
pub const fn sections(kind: TemplateKind) -> &'static [Section] {
    match kind {
        TemplateKind::Link => LINK,
        TemplateKind::Consent => CONSENT,
        TemplateKind::Invite => INVITE,
    }
}

/// Returns the fields that translations have too, below `translations.{language}.`.
pub const fn list_translated(kind: TemplateKind) -> &'static [Field] {
    match kind {
        TemplateKind::Link => &[],
        TemplateKind::Consent => CONSENT_WORDS,
        TemplateKind::Invite => INVITE_WORDS,
    }
}

/// Returns the path of the control that shows a fault: the longest one that contains the fault's path.
pub fn control_path(kind: TemplateKind, draft: &TemplateDraft, fault: &str) -> Option<String> {
    let contains = |path: &str| {
        let rest = fault.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let of_sections = sections(kind).iter().flat_map(|it| it.fields).map(|it| it.path.to_owned());
    let of_languages = draft.items(LANGUAGES).flat_map(|language| {
        list_translated(kind).iter().map(move |it| format!("translations.{language}.{}", it.path))
    });
    let of_texts = draft.below("texts.").map(|(rest, _)| format!("texts.{rest}"));
    let panels = ["translations", "texts"].map(str::to_owned);
    let paths = of_sections.chain(of_languages).chain(of_texts).chain(panels);
    paths.filter(|path| contains(path)).max_by_key(String::len)
}
