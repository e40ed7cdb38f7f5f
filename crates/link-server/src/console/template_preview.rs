//! `/console/api/{environment}/templatePreview`: the widget with the draft of a link or consent template (ADR 265).
//!
//! A form of the portal sends the draft into a frame of the portal's page. The response is the frame's real page, without an
//! origin and without access to the service: a script in it answers the widget's requests. Nothing is stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use link_domain::change::Row;
use link_domain::kernel::context::Context;
use link_domain::kernel::languages::Languages;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::logo::{Logo, LogoSize};
use link_domain::tenancy::template::{ConsentTemplate as OwnedConsent, LinkTemplate as OwnedTemplate};
use link_domain::tenancy::wording::Wording;
use link_domain::use_cases::{NewBrand, brand_template};
use link_store::{PageRequest, PageSize, Reader};
use link_types::id::{AttemptId, ConsentTemplateId, LinkSessionId, LinkTemplateId, UserId};
use link_types::link::{AttemptState, LinkSession};
use link_types::problem::FaultCode;
use link_types::template::{BrandTheme, ConsentTemplate, LinkTemplate, MAX_RADIUS, Retention, SyncInterval};
use link_types::uploading::ResumePoint;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::caller::ConsoleCaller;
use crate::api::link_templates::encode_logo;
use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::{ApiResult, Problem};
use crate::widget::files::preview_page::PreviewPage;
use crate::widget::providers::summary;

/// Maximum size of a body in bytes: two logos and a consent text in 20 languages, as a form encodes them.
const LIMIT: usize = 8 * 1024 * 1024;
/// Maximum number of providers that are shown, as many as a link template names.
const MAX_PROVIDERS: usize = 200;
/// How many link templates are searched for one that has a consent template.
const NEWEST: i64 = 100;
/// How long the session of a preview lasts.
const DAY_MS: u32 = 24 * 3_600_000;

/// The kind of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Kind {
    Link,
    Consent,
}

/// The page of the widget with which the preview begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Start {
    Consent,
    Providers,
    Login,
}

/// The fields of the form.
#[derive(Debug)]
struct Asked {
    kind: Kind,
    /// The template that the draft will change. `None` for a new one.
    id: Option<String>,
    /// The body that the portal would send to the REST interface.
    draft: Value,
    start: Start,
    language: String,
    is_dark: bool,
}

impl Asked {
    fn parse(body: &[u8]) -> ApiResult<Self> {
        let mut fields: BTreeMap<String, String> = form_urlencoded::parse(body).into_owned().collect();
        let invalid = |name, expected| Problem::invalid_field(name, FaultCode::Invalid, expected);
        let draft = fields.get("draft").and_then(|it| serde_json::from_str::<Value>(it).ok());
        Ok(Self {
            kind: word(&fields, "kind").ok_or_else(|| invalid("kind", "LINK or CONSENT"))?,
            start: word(&fields, "page").ok_or_else(|| invalid("page", "CONSENT, PROVIDERS or LOGIN"))?,
            draft: draft
                .filter(Value::is_object)
                .ok_or_else(|| invalid("draft", "the draft of a template"))?,
            is_dark: fields.get("scheme").is_some_and(|it| it == "dark"),
            id: fields.remove("id"),
            language: fields.remove("language").unwrap_or_default(),
        })
    }
}

fn word<T: DeserializeOwned>(fields: &BTreeMap<String, String>, name: &str) -> Option<T> {
    serde_json::from_value(Value::from(fields.get(name)?.as_str())).ok()
}

/// The rows to which the draft refers.
struct Stored {
    link: Option<OwnedTemplate>,
    sizes: Vec<LogoSize>,
    consent: Option<OwnedConsent>,
}

impl Stored {
    fn find(reader: &mut Reader<'_>, owner: &Owner, asked: &Asked) -> ApiResult<Self> {
        let (mut link, mut consent) = (None, None);
        match asked.kind {
            Kind::Link => {
                if let Some(id) = asked.id.as_ref().and_then(|it| it.parse::<LinkTemplateId>().ok()) {
                    link = reader.link_templates().get(owner, &id)?;
                }
                if let Some(id) = part::<ConsentTemplateId>(&asked.draft, "consentTemplateId") {
                    consent = reader.consent_templates().get(owner, &id)?;
                }
            }
            Kind::Consent => {
                let newest = PageRequest::first(PageSize::new(NEWEST)?);
                let mut links = reader.link_templates().list(owner, &newest)?.items;
                let uses = |it: &OwnedTemplate| {
                    asked.id.as_deref() == Some(it.template.consent_template_id.as_str())
                };
                let place = links.iter().position(uses).unwrap_or_default();
                link = (place < links.len()).then(|| links.swap_remove(place));
            }
        }
        let sizes = match &link {
            Some(link) => reader.logos().sizes(&link.template)?,
            None => Vec::new(),
        };
        Ok(Self { link, sizes, consent })
    }
}

/// Shows the widget with a draft.
pub(super) async fn show(State(app): State<App>, caller: ConsoleCaller, body: Body) -> ApiResult<Response> {
    let asked = Asked::parse(&read(body, LIMIT, BodyTimeouts::default()).await?)?;
    let owner = caller.owner();
    let (of_draft, asked) = (owner.clone(), Arc::new(asked));
    let found = Arc::clone(&asked);
    let stored = app.store.read(move |reader| Stored::find(reader, &of_draft, &found)).await?;
    let mut context = app.context(caller.offset());
    let Stored { link, mut sizes, consent } = stored;
    let mut pictures = Vec::new();
    let (template, consent) = match asked.kind {
        Kind::Link => {
            let mut template = read_link(&asked.draft, &owner, link, &mut context);
            pictures = set_brand(&app, &owner, &mut template, &asked.draft).await;
            (template, consent.map(|it| it.template))
        }
        Kind::Consent => {
            let template = match link {
                Some(link) => link.template,
                None => read_link(&Value::Null, &owner, None, &mut context),
            };
            (template, None)
        }
    };
    let consent = match (asked.kind, consent) {
        (Kind::Link, Some(consent)) => consent,
        (Kind::Link, None) => read_consent(&Value::Null, &mut context),
        (Kind::Consent, _) => read_consent(&asked.draft, &mut context),
    };
    sizes.extend(pictures.iter().map(|Logo { name, picture, .. }| LogoSize {
        name: name.clone(),
        width: picture.width,
        height: picture.height,
    }));
    let template = OwnedTemplate { owner: owner.clone(), template };
    let consent = OwnedConsent { owner: owner.clone(), template: consent };
    let answers = answer(&app, &asked, &template, &consent, &mut context);
    let page = PreviewPage {
        mode: owner.mode,
        template: &template.template,
        sizes: &sizes,
        pictures: &pictures,
        answers: &answers.to_string(),
    };
    Ok(page.show(&app))
}

/// Returns what the widget gets from the service: a session at its beginning, and the providers; and the options with which
/// a page opens the widget.
fn answer(
    app: &App,
    asked: &Asked,
    template: &OwnedTemplate,
    consent: &OwnedConsent,
    context: &mut Context,
) -> Value {
    let languages = Languages::from_header(&asked.language);
    let (owner, source) = (&template.owner, app.ports.source(template.owner.mode));
    let known = source.providers();
    let offered = known.iter().filter(|it| it.enabled && template.offers(&it.id)).take(MAX_PROVIDERS);
    let (mut providers, mut details) = (Vec::new(), Vec::new());
    for provider in offered {
        let translations = source.translations(&provider.id);
        let shown = Wording::for_languages(&translations, &languages).provider(provider.clone());
        providers.push(summary(provider, shown.clone()));
        details.push(shown);
    }
    let mut view = template.session_view(consent, &languages);
    if asked.start != Start::Consent {
        // The pages after consent are reached without it. No template lets people choose data then.
        view.allow_consent_skip = true;
        view.optional_data.clear();
    }
    let session = LinkSession {
        session_id: LinkSessionId::from_bytes(context.uuid()),
        user_id: UserId::from_bytes(&owner.tenant, context.uuid()),
        mode: owner.mode,
        expires_in_ms: DAY_MS,
        ends_in_ms: DAY_MS,
        template: view,
        has_linked: false,
        is_handoff: false,
        may_hand_off: false,
        attempt: AttemptState {
            id: AttemptId::from_bytes(context.uuid()),
            account: None,
            archives: Vec::new(),
            place: ResumePoint::default(),
            consent_needed: true,
            chosen_data: Vec::new(),
        },
    };
    let first = template.template.top_providers.iter().find(|id| details.iter().any(|it| it.id == **id));
    let first = first.or_else(|| details.first().map(|it| &it.id));
    let mut options = json!({
        "templateId": template.template.id,
        "locale": asked.language,
        "theme": if asked.is_dark { "dark" } else { "light" },
        "enableConsentPage": asked.start == Start::Consent,
    });
    if let (Start::Login, Some(id)) = (asked.start, first) {
        options["providerId"] = json!(id);
    }
    json!({ "session": session, "providers": providers, "details": details, "options": options })
}

/// Reads a part of a draft. `None` if it is missing or not valid yet.
fn part<T: DeserializeOwned>(draft: &Value, name: &str) -> Option<T> {
    serde_json::from_value(draft.get(name)?.clone()).ok()
}

/// Reads the valid items of a list.
fn items<T: DeserializeOwned>(draft: &Value, name: &str) -> Vec<T> {
    let items = draft.get(name).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|it| serde_json::from_value(it.clone()).ok()).collect()
}

/// Reads the draft of a link template. Its theme is the stored one.
fn read_link(
    draft: &Value,
    owner: &Owner,
    stored: Option<OwnedTemplate>,
    context: &mut Context,
) -> LinkTemplate {
    let stored = stored.map(|it| it.template);
    let (id, theme) = match stored {
        Some(stored) => (stored.id, stored.theme),
        None => (LinkTemplateId::from_bytes(context.uuid()), BrandTheme::default()),
    };
    let company = part::<String>(draft, "companyName").filter(|it| !it.is_empty());
    let sync_enabled = part(draft, "syncEnabled").unwrap_or(true);
    LinkTemplate {
        id,
        created_at: context.now().tenant().into(),
        name: String::new(),
        allowed_origins: Vec::new(),
        redirect_urls: Vec::new(),
        company_name: company.unwrap_or_else(|| owner.tenant.as_str().to_owned()),
        consent_template_id: part(draft, "consentTemplateId")
            .unwrap_or_else(|| ConsentTemplateId::from_bytes(context.uuid())),
        allow_consent_skip: false,
        providers: items(draft, "providers"),
        top_providers: items(draft, "topProviders"),
        uploads_enabled: part(draft, "uploadsEnabled").unwrap_or(true),
        file_types: items(draft, "fileTypes"),
        optional_data: items(draft, "optionalData"),
        theme,
        texts: part(draft, "texts").unwrap_or_default(),
        sync_enabled,
        sync_interval: part(draft, "syncInterval").unwrap_or(SyncInterval::DEFAULT),
        retention: part(draft, "retention").unwrap_or(Retention::default_of(sync_enabled)),
        help_url: part(draft, "helpUrl").filter(|it: &String| !it.is_empty()),
        form: None,
        revision: String::new(),
    }
}

/// Sets the theme of a draft. Returns its new logos. A logo that the service would refuse is left out.
async fn set_brand(app: &App, owner: &Owner, template: &mut LinkTemplate, draft: &Value) -> Vec<Logo> {
    let draft = draft.get("theme").unwrap_or(&Value::Null);
    let encode = async |name| {
        encode_logo(app, &owner.tenant, name, part(draft, name), &mut Vec::new()).await.unwrap_or_default()
    };
    let theme = BrandTheme {
        accent: part(draft, "accent"),
        accent_dark: part(draft, "accentDark"),
        radius: part(draft, "radius").filter(|it| *it <= MAX_RADIUS),
        font: part(draft, "font"),
        logo_light: None,
        logo_dark: None,
    };
    let (light, dark) = (encode("logoLight").await, encode("logoDark").await);
    match brand_template(template, NewBrand { theme: theme.clone(), light, dark }) {
        Ok(change) => {
            let logo = |row| if let Row::Logo(logo) = row { Some(logo) } else { None };
            change.rows.into_iter().filter_map(logo).collect()
        }
        Err(_) => {
            template.theme = theme;
            Vec::new()
        }
    }
}

/// Reads the draft of a consent template.
fn read_consent(draft: &Value, context: &mut Context) -> ConsentTemplate {
    let text = |name| part::<String>(draft, name).unwrap_or_default();
    ConsentTemplate {
        id: ConsentTemplateId::from_bytes(context.uuid()),
        created_at: context.now().tenant().into(),
        consent_type: text("type"),
        title: text("title"),
        version: text("version"),
        text: text("text"),
        locale: text("locale"),
        translations: part(draft, "translations").unwrap_or_default(),
        revision: String::new(),
    }
}
