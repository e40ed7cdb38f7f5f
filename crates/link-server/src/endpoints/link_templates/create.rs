//! `POST /linkTemplates`: makes a link template.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::context::Context;
use link_domain::template::LinkTemplate as OwnedTemplate;
use link_types::archive::ArchiveType;
use link_types::form_submission::LinkSiteForm;
use link_types::id::{ConsentTemplateId, LinkTemplateId, ProviderId};
use link_types::template::{BrandTheme, LinkTemplate};
use serde::Deserialize;

use super::update::{UpdateLinkTemplate, check};
use crate::app::App;
use crate::endpoints::quotas::one_more_link_template;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::Answer;
use crate::http::refusals;

/// Body of `POST /linkTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateLinkTemplate {
    /// Label.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Origins of pages that may embed the widget: nobody, when left out.
    #[schema(max_items = 50)]
    allowed_origins: Option<Vec<Origin>>,
    /// The tenant's name as a person sees it.
    #[schema(min_length = 1, max_length = 200)]
    company_name: String,
    /// The consent text.
    consent_template_id: ConsentTemplateId,
    /// Whether `enableConsentPage: false` is honoured; false by default.
    allow_consent_skip: Option<bool>,
    /// Providers offered; all, when left out.
    #[schema(max_items = 200)]
    providers: Option<Vec<ProviderId>>,
    /// Providers shown first.
    #[schema(max_items = 10)]
    top_providers: Option<Vec<ProviderId>>,
    /// Whether documents may be uploaded; false by default.
    uploads_enabled: Option<bool>,
    /// The kinds of documents that may be uploaded; all, when left out.
    #[schema(schema_with = super::update::file_types_schema)]
    file_types: Option<Vec<ArchiveType>>,
    /// The tenant's brand.
    theme: Option<BrandTheme>,
    /// The tenant's own texts: by locale, then by the key of the text; arguments as `{$name}`.
    texts: Option<BTreeMap<String, BTreeMap<String, String>>>,
    /// Whether accounts are kept in sync; false by default.
    sync_enabled: Option<bool>,
    /// The form that invitations ask before the widget opens; none, when left out.
    form: Option<LinkSiteForm>,
}

/// An exact origin, as browsers write it.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, max_length = 255, pattern = r"^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$")]
pub struct Origin(String);

/// Make a link template. 409 when there are 200 already.
#[utoipa::path(
    post, path = "/linkTemplates", tag = "linkTemplates", operation_id = "createLinkTemplate",
    request_body(content = CreateLinkTemplate, example = json!({
        "name": "Loans",
        "companyName": "Demo Company",
        "consentTemplateId": "ct-0192f0c1a2b37c4d8e5f60718293a4b5",
        "allowedOrigins": ["https://app.example.com"],
        "providers": ["mx_social_security", "ph_social_security"],
        "theme": {"accent": "#1f6feb"},
    })),
    responses((status = 201, description = "Made", body = LinkTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateLinkTemplate>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    let known = app.source(owner.mode).providers().iter().map(|it| it.id.clone()).collect::<Vec<_>>();
    caller
        .once(move |tx, context| {
            let template = body.clone().template(context);
            one_more_link_template(tx, &owner)?;
            check(tx, &owner, None, &template, &known)?;
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            Effect::created(&template, Change::row(Row::LinkTemplate(row)))
        })
        .await
}

impl CreateLinkTemplate {
    fn template(self, context: &mut Context) -> LinkTemplate {
        let mut template = LinkTemplate {
            id: LinkTemplateId::from_bytes(context.uuid()),
            created_at: context.now().tenant().into(),
            name: self.name,
            allowed_origins: self.allowed_origins.into_iter().flatten().map(|it| it.0).collect(),
            company_name: self.company_name,
            consent_template_id: self.consent_template_id,
            allow_consent_skip: false,
            providers: Vec::new(),
            top_providers: Vec::new(),
            uploads_enabled: false,
            file_types: Vec::new(),
            texts: BTreeMap::new(),
            theme: BrandTheme::default(),
            sync_enabled: false,
            form: None,
        };
        let rest = UpdateLinkTemplate {
            allow_consent_skip: self.allow_consent_skip,
            providers: self.providers,
            top_providers: self.top_providers,
            uploads_enabled: self.uploads_enabled,
            file_types: self.file_types,
            theme: self.theme,
            texts: self.texts,
            sync_enabled: self.sync_enabled,
            form: self.form,
            ..UpdateLinkTemplate::default()
        };
        rest.onto(&mut template);
        template
    }
}
