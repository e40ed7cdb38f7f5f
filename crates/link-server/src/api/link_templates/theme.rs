//! The branding in the body of a link template: logos are encoded again before the template refers to them.

use link_domain::change::Change;
use link_domain::kernel::revision::Revised as _;
use link_domain::tenancy::logo::LogoError;
use link_domain::tenancy::logo::{BRAND_LOGO, LogoName, MAX_LOGO_BYTES};
use link_domain::use_cases::{NewBrand, NewLogo, brand_template};
use link_types::id::TenantId;
use link_types::problem::{FaultCode, FieldFault};
use link_types::template::{BrandFont, BrandTheme, Color, LinkTemplate};
use serde::Deserialize;
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};

use crate::app::App;
use crate::http::limits::permits::Permits;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::uploads::base64_text;

/// The size limit of a body with two logos, in bytes.
pub(super) const BODY_LIMIT: usize = 640 * 1024;

const EXPECTED: &str =
    "a PNG, JPEG or WebP as a `data:` URL in base64, or the URL of the template's own logo";

/// A white picture of 16 by 16 pixels.
const EXAMPLE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAA\
                       DklEQVR42mP4/5+BFAQA/U4f4d7IdZcAAAAASUVORK5CYII=";

/// Branding to set.
#[derive(Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = BrandThemeInput)]
pub struct ThemeInput {
    /// Brand color. The service adjusts it until text is readable, with a contrast of at least 4.5:1. If omitted,
    /// Linchpin's own color.
    accent: Option<Color>,
    /// Brand color in the dark theme, adjusted in the same way. If omitted, `accent`.
    accent_dark: Option<Color>,
    /// Radius of buttons, fields and rows in CSS pixels. If omitted, 10.
    #[schema(maximum = 16)]
    radius: Option<u8>,
    /// Typeface. If omitted, SYSTEM.
    font: Option<BrandFont>,
    #[schema(schema_with = light_schema)]
    logo_light: Option<String>,
    #[schema(schema_with = dark_schema)]
    logo_dark: Option<String>,
}

fn light_schema() -> Object {
    logo_schema(
        "Logo: a PNG, JPEG or WebP file of at most 131,072 bytes, with sides of 16 to 2,048 pixels, as a `data:` URL in \
         base64. The URL that the template shows leaves the logo unchanged. If omitted, there is no logo.",
    )
}

fn dark_schema() -> Object {
    logo_schema(
        "Logo in the dark theme, in the same form. If omitted, `logoLight` is drawn on white. Requires `logoLight`.",
    )
}

fn logo_schema(description: &str) -> Object {
    ObjectBuilder::new()
        .description(Some(description))
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .max_length(Some(MAX_LOGO_BYTES.div_ceil(3) * 4 + 64))
        .examples([EXAMPLE])
        .build()
}

/// Encodes the new logos of a body.
///
/// # Errors
/// 422 for logos that are rejected, and 503 if they could not be decoded now.
pub(super) async fn encode(
    app: &App,
    tenant: &TenantId,
    theme: Option<ThemeInput>,
) -> ApiResult<Option<NewBrand>> {
    let Some(ThemeInput { accent, accent_dark, radius, font, logo_light, logo_dark }) = theme else {
        return Ok(None);
    };
    let mut faults = Vec::new();
    if logo_light.is_none() && logo_dark.is_some() {
        faults.push(fault("theme.logoDark", FaultCode::Invalid, "a logo next to `logoLight`"));
    }
    let permits = &app.limits.logos;
    let light = encode_logo(app, tenant, permits, "theme.logoLight", logo_light, &mut faults).await?;
    let dark = encode_logo(app, tenant, permits, "theme.logoDark", logo_dark, &mut faults).await?;
    if !faults.is_empty() {
        return Err(Problem::invalid(faults));
    }
    let theme = BrandTheme { accent, accent_dark, radius, font, logo_light: None, logo_dark: None };
    Ok(Some(NewBrand { theme, light, dark }))
}

/// Encodes a logo: a `data:` URL, or the address of one that the template has. Adds a fault if it is rejected.
///
/// # Errors
/// 503 if it could not be decoded now, or got none of the permits.
pub(crate) async fn encode_logo(
    app: &App,
    tenant: &TenantId,
    permits: &Permits,
    field: &'static str,
    logo: Option<String>,
    faults: &mut Vec<FieldFault>,
) -> ApiResult<Option<NewLogo>> {
    let Some(logo) = logo else { return Ok(None) };
    if !logo.starts_with("data:") {
        let path = logo.strip_prefix(app.settings.sdk_url.as_str());
        let kept = path.and_then(LogoName::of_path).map(NewLogo::Kept);
        if kept.is_none() {
            faults.push(fault(field, FaultCode::Invalid, EXPECTED));
        }
        return Ok(kept);
    }
    let Some(file) = base64_text::file(&logo) else {
        faults.push(fault(field, FaultCode::Invalid, EXPECTED));
        return Ok(None);
    };
    let _permit = permits.take(tenant, None).await?;
    match app.ports.logo_encoder.encode(file, BRAND_LOGO).await {
        Ok(picture) => return Ok(Some(NewLogo::Picture(picture))),
        Err(LogoError::Unavailable) => return Err(Problem::busy("the encoder of logos is unavailable")),
        Err(LogoError::TooLarge) => {
            faults.push(fault(field, FaultCode::TooLong, LogoError::TooLarge.to_string()))
        }
        Err(refused @ (LogoError::Format | LogoError::Dimensions | LogoError::Damaged)) => {
            faults.push(fault(field, FaultCode::Invalid, refused.to_string()));
        }
    }
    Ok(None)
}

/// Sets the branding of a template. Returns what to write for its logos.
///
/// # Errors
/// 422 for the URL of a logo that the template does not have.
pub(super) fn set(template: &mut LinkTemplate, brand: NewBrand) -> ApiResult<Change> {
    brand_template(template, brand).map_err(|unknown| {
        let fields = [("theme.logoLight", unknown.light), ("theme.logoDark", unknown.dark)];
        let faults = fields.into_iter().filter(|(_, is_unknown)| *is_unknown);
        Problem::invalid(faults.map(|(field, _)| fault(field, FaultCode::Invalid, EXPECTED)).collect())
    })
}

/// Returns a template as REST shows it: with its revision, and with the URLs of its logos, which are stored as paths.
pub(crate) fn with_urls(template: LinkTemplate, sdk_url: &str) -> LinkTemplate {
    let mut template = template.with_revision();
    for logo in [&mut template.theme.logo_light, &mut template.theme.logo_dark].into_iter().flatten() {
        logo.insert_str(0, sdk_url);
    }
    template
}
