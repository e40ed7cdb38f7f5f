//! `/console/api/{environment}/templatePreview`: the widget with the draft of a link or consent template (ADR 265).
//!
//! A form of the portal sends the draft into a frame of the portal's page. The response is the frame's real page, without an
//! origin and without access to the service: a script in it answers the widget's requests. Nothing is stored.

mod draft;

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
use link_store::Reader;
use link_types::id::{AttemptId, ConsentTemplateId, LinkSessionId, LinkTemplateId, UserId};
use link_types::link::{AttemptState, LinkSession};
use link_types::provider::Provider;
use link_types::template::LinkTemplate;
use link_types::uploading::ResumePoint;
use serde_json::{Value, json};

use self::draft::{Asked, Draft, Kind, MAX_ITEMS, Start, ThemeDraft};
use super::caller::ConsoleCaller;
use crate::api::link_templates::encode_logo;
use crate::app::App;
use crate::http::limits::body::read;
use crate::http::problem::{ApiResult, Problem};
use crate::widget::files::preview_page::PreviewPage;
use crate::widget::providers::summary;

/// Maximum size of a body in bytes: two logos, texts, and consents in some languages, as a form encodes them.
const LIMIT: usize = 2 * 1024 * 1024;
/// How long the session of a preview lasts.
const DAY_MS: u32 = 24 * 3_600_000;

/// The rows to which the draft refers.
struct Stored {
    link: Option<OwnedTemplate>,
    sizes: Vec<LogoSize>,
    consent: Option<OwnedConsent>,
}

impl Stored {
    fn find(reader: &mut Reader<'_>, owner: &Owner, asked: &Asked) -> ApiResult<Self> {
        let (mut link, mut consent) = (None, None);
        let id = asked.id.as_deref();
        match asked.kind {
            Kind::Link => {
                if let Some(id) = id.and_then(|it| it.parse::<LinkTemplateId>().ok()) {
                    link = reader.link_templates().get(owner, &id)?;
                }
                if let Some(id) = &asked.draft.consent_template_id.0 {
                    consent = reader.consent_templates().get(owner, id)?;
                }
            }
            Kind::Consent => {
                if let Some(id) = id.and_then(|it| it.parse::<ConsentTemplateId>().ok()) {
                    link = reader.link_templates().newest_of_consent(owner, &id)?;
                }
            }
        }
        let sizes = match &link {
            Some(link) => reader.logos().sizes(&link.template)?,
            None => Vec::new(),
        };
        Ok(Self { link, sizes, consent })
    }
}

/// Shows the widget with a draft. A busy or refused preview says so ([`super::preview_refusal`]).
pub(super) async fn show(State(app): State<App>, caller: ConsoleCaller, body: Body) -> ApiResult<Response> {
    let owner = caller.owner();
    // Before the body, which is in memory as long as the preview is drawn.
    let _permit = app.limits.previews.take(&owner.tenant, None).await?;
    let body = read(body, LIMIT, app.limits.body_uploads.timeout()).await?;
    let parsed = tokio::task::spawn_blocking(move || Asked::parse(&body)).await;
    let asked = parsed.map_err(Problem::system)??;
    let of_draft = owner.clone();
    let found = move |reader: &mut Reader<'_>| -> ApiResult<_> {
        let stored = Stored::find(reader, &of_draft, &asked)?;
        Ok((asked, stored))
    };
    let (mut asked, stored) = app.store.read(found).await?;
    let mut context = app.context(caller.offset());
    let Stored { link, mut sizes, consent } = stored;
    let (mut pictures, draft) = (Vec::new(), std::mem::take(&mut asked.draft));
    let (template, consent) = match asked.kind {
        Kind::Link => {
            let mut draft = draft;
            let theme = draft.theme.0.take().unwrap_or_default();
            let mut template = draft.link(&owner, link, &mut context);
            pictures = set_brand(&app, &owner, &mut template, theme).await?;
            let consent = consent.map(|it| it.template);
            (template, consent.unwrap_or_else(|| Draft::default().consent(&mut context)))
        }
        Kind::Consent => {
            let template = match link {
                Some(link) => link.template,
                None => Draft::default().link(&owner, None, &mut context),
            };
            (template, draft.consent(&mut context))
        }
    };
    sizes.extend(pictures.iter().map(|Logo { name, picture, .. }| LogoSize {
        name: name.clone(),
        width: picture.width,
        height: picture.height,
    }));
    let template = OwnedTemplate { owner: owner.clone(), template };
    let consent = OwnedConsent { owner: owner.clone(), template: consent };
    let responses = service_responses(&app, &asked, &template, &consent, &mut context);
    let page = PreviewPage {
        mode: owner.mode,
        template: &template.template,
        sizes: &sizes,
        pictures: &pictures,
        answers: &responses.to_string(),
    };
    Ok(page.show(&app))
}

/// Returns what the widget gets from the service: a session at its beginning, and the providers; and the options with which
/// a page opens the widget.
fn service_responses(
    app: &App,
    asked: &Asked,
    template: &OwnedTemplate,
    consent: &OwnedConsent,
    context: &mut Context,
) -> Value {
    let languages = Languages::from_header(&asked.language);
    let (owner, source) = (&template.owner, app.ports.source(template.owner.mode));
    let known = source.providers();
    let is_top = |it: &&Provider| template.template.top_providers.contains(&it.id);
    let offered = known.iter().filter(|it| it.enabled && template.offers(&it.id));
    // Those at the top are there even if there are more than the page takes.
    let (top, rest): (Vec<_>, Vec<_>) = offered.partition(is_top);
    let (mut providers, mut details) = (Vec::new(), Vec::new());
    for provider in top.into_iter().chain(rest).take(MAX_ITEMS) {
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
    // Some providers need no login, and have no form.
    let first = first.or_else(|| details.iter().find(|it| it.login_required).map(|it| &it.id));
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

/// Sets the theme of a draft. Returns its new logos. A logo that the service would refuse is left out.
///
/// # Errors
/// 503 if a logo could not be encoded now.
async fn set_brand(
    app: &App,
    owner: &Owner,
    template: &mut LinkTemplate,
    draft: ThemeDraft,
) -> ApiResult<Vec<Logo>> {
    let theme = draft.theme();
    let (permits, mut faults) = (&app.limits.logos_of_previews, Vec::new());
    let light =
        encode_logo(app, &owner.tenant, permits, "logoLight", draft.logo_light.0, &mut faults).await?;
    let dark = encode_logo(app, &owner.tenant, permits, "logoDark", draft.logo_dark.0, &mut faults).await?;
    match brand_template(template, NewBrand { theme: theme.clone(), light, dark }) {
        Ok(change) => {
            let logo = |row| if let Row::Logo(logo) = row { Some(logo) } else { None };
            Ok(change.rows.into_iter().filter_map(logo).collect())
        }
        Err(_) => {
            template.theme = theme;
            Ok(Vec::new())
        }
    }
}
