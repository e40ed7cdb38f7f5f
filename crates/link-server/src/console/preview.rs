//! `/console/api/{environment}/linkSitePreview`: a page of a draft of a link site. Nothing is stored.
//!
//! A form of the portal sends the draft into a frame of the portal's page, so that no script puts HTML into the page. The
//! response has a policy that forbids scripts, forms and other pages than the portal's.

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use link_domain::invitations::link_site::LinkSite as OwnedSite;
use link_domain::kernel::languages::Languages;
use link_types::form_submission::{LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::id::{LinkSiteId, LinkTemplateId};
use link_types::link_site::{
    LinkSite, LinkSiteAccess, LinkSiteEndPage, LinkSiteLimits, LinkSiteStartPage, LinkSiteStatus,
    LinkSiteStep,
};
use link_types::problem::FaultCode;
use link_types::provider::Translations;
use serde::Deserialize;
use serde_json::Value;

use super::caller::ConsoleCaller;
use crate::app::App;
use crate::hosted::preview::{Preview, PreviewPage};
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::{ApiResult, Problem};

/// Maximum size of a body in bytes: a form of 200 fields with their choices and translations.
const LIMIT: usize = 4 * 1024 * 1024;
/// Maximum number of fields that are shown, as in a stored form.
const MAX_FIELDS: usize = 200;

/// A draft, as far as pages show it. Parts that are not valid yet are left out.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Draft {
    link_template_id: String,
    #[serde(default)]
    form: Option<FormDraft>,
    start_page: LinkSiteStartPage,
    end_page: LinkSiteEndPage,
    locale: String,
    translations: Translations,
}

#[derive(Deserialize)]
struct FormDraft {
    name: Option<String>,
    fields: Vec<FieldDraft>,
    locale: String,
    translations: Translations,
}

#[derive(Deserialize)]
struct FieldDraft {
    name: String,
    label: String,
    #[serde(rename = "type")]
    kind: LinkSiteFieldType,
    required: bool,
    choices: Vec<String>,
    help: Option<String>,
    format: Value,
    #[serde(default)]
    files: Value,
    condition: Value,
}

impl FieldDraft {
    fn into_field(self) -> LinkSiteField {
        let Self { name, label, kind: field_type, required, choices, help, format, files, condition } = self;
        let format = serde_json::from_value(format).unwrap_or_default();
        let condition = serde_json::from_value(condition).unwrap_or_default();
        let files = serde_json::from_value(files).unwrap_or_default();
        LinkSiteField { name, label, field_type, required, choices, help, format, files, condition }
    }
}

impl FormDraft {
    fn into_form(self) -> LinkSiteForm {
        LinkSiteForm {
            name: self.name,
            reference: String::new(),
            fields: self.fields.into_iter().take(MAX_FIELDS).map(FieldDraft::into_field).collect(),
            locale: self.locale,
            translations: self.translations,
        }
    }
}

/// Shows a page of a draft.
pub(super) async fn show(State(app): State<App>, caller: ConsoleCaller, body: Body) -> ApiResult<Response> {
    let body = read(body, LIMIT, BodyTimeouts::default()).await?;
    let (mut draft, mut page, mut language, mut shows_all) = (None, PreviewPage::Form, None, false);
    for (name, text) in form_urlencoded::parse(&body) {
        match name.as_ref() {
            "draft" => draft = serde_json::from_str::<Draft>(&text).ok(),
            "page" => {
                page = serde_json::from_value(Value::from(&*text))
                    .map_err(|_| Problem::invalid_field("page", FaultCode::Invalid, "START, FORM or END"))?;
            }
            "language" => language = Some(text.into_owned()).filter(|it| !it.is_empty()),
            "all" => shows_all = true,
            _ => {}
        }
    }
    let draft = draft
        .ok_or_else(|| Problem::invalid_field("draft", FaultCode::Invalid, "the draft of a link site"))?;
    let template = draft.link_template_id.parse::<LinkTemplateId>().ok();
    let languages = Languages::from_header(language.as_deref().unwrap_or(&draft.locale));
    let missing = || {
        Problem::invalid_field("linkTemplateId", FaultCode::Invalid, "a link template of this environment")
    };
    let template = template.ok_or_else(missing)?;
    let mut context = app.context(caller.offset());
    let form = draft.form.map(FormDraft::into_form).unwrap_or_else(|| LinkSiteForm {
        name: None,
        reference: String::new(),
        fields: Vec::new(),
        locale: draft.locale.clone(),
        translations: Translations::new(),
    });
    let site = LinkSite {
        id: LinkSiteId::from_bytes(context.uuid()),
        created_at: context.now().tenant().into(),
        name: String::new(),
        slug: String::new(),
        url: String::new(),
        host: None,
        status: LinkSiteStatus::Draft,
        access: LinkSiteAccess::Open,
        link_template_id: template,
        steps: vec![LinkSiteStep::Form, LinkSiteStep::ThankYou],
        form: None,
        form_version: None,
        prefill: Vec::new(),
        embed_origins: Vec::new(),
        start_page: draft.start_page,
        end_page: draft.end_page,
        limits: LinkSiteLimits::default(),
        submissions: 0,
        locale: draft.locale,
        translations: draft.translations,
        revision: String::new(),
    };
    let (site, _) = OwnedSite::create(caller.owner(), site);
    let preview = app
        .store
        .read(move |reader| -> ApiResult<_> { Preview::read(reader, site, languages) })
        .await?
        .ok_or_else(missing)?;
    Ok(preview.show(&app, page, &form, shows_all))
}
