//! The frame's page in the developer portal: the built page of all people, with the draft of a template and with a script
//! that plays the bridge and the service (`www/frame/preview/portal.ts`).

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::notifications::own_texts;
use link_domain::tenancy::logo::{Logo, LogoSize};
use link_types::Mode;
use link_types::template::LinkTemplate;

use super::brand_styles;
use super::embedded::{FrameFiles, respond_without_build};
use super::frame_page::{fill, harden, inline};
use crate::app::App;
use crate::http::middleware::request_id::Finished;

/// The address of the API in a preview, which no host has (RFC 2606). The script answers the requests.
const API: &str = "https://preview.invalid/v1";
/// The origin that the script names as that of the host page.
const HOST: &str = "https://preview.invalid";
/// The path of the frame's files.
const ASSETS: &str = "/sdk/assets/";

/// A draft as the frame's page shows it.
pub struct PreviewPage<'a> {
    /// The environment.
    pub mode: Mode,
    /// The draft. Its logos are paths.
    pub template: &'a LinkTemplate,
    /// The sizes of its logos.
    pub sizes: &'a [LogoSize],
    /// Its logos that are not stored.
    pub pictures: &'a [Logo],
    /// The responses of the script, as JSON.
    pub answers: &'a str,
}

impl PreviewPage<'_> {
    /// Returns the page. Its policy takes its origin away, and lets it load only the frame's files and logos, from the
    /// widget's host. The script sends nothing that is typed. Only pages of the portal's host can embed it.
    pub fn show(&self, app: &App) -> Response {
        let Some(file) = FrameFiles::get("index.html") else { return respond_without_build() };
        let (sdk, template) = (app.settings.sdk_url.as_str(), self.template);
        let assets = format!("{sdk}{ASSETS}");
        // The portal may have another host than the frame's files.
        let built = String::from_utf8_lossy(&file.data).replace(ASSETS, &assets);
        let mut styles = brand_styles::styles(&template.theme, self.sizes, sdk);
        for Logo { name, picture, .. } in self.pictures {
            let data = format!("data:image/png;base64,{}", STANDARD.encode(&picture.png));
            styles = styles.replace(&format!("{sdk}{}", name.path()), &data);
        }
        let texts = own_texts::of_widget(&template.texts)
            .map(|texts| serde_json::to_string(&texts).unwrap_or_default());
        let script = format!("{assets}preview.js");
        let page = built.replacen(
            "</head>",
            &format!("<script type=\"module\" src=\"{script}\"></script></head>"),
            1,
        );
        // boot.ts, the last script, has to run after it, as modules do in the order of the page.
        let page = match page.rsplit_once("<script>") {
            Some((before, boot)) => format!("{before}<script type=\"module\">{boot}"),
            None => page,
        };
        let values = [
            ("linchpin-api-base", API),
            ("linchpin-origins", HOST),
            ("linchpin-mode", self.mode.as_str()),
            ("linchpin-company", &template.company_name),
            ("linchpin-theme", &styles),
            ("linchpin-texts", texts.as_deref().unwrap_or_default()),
            ("linchpin-seal", &script),
            ("linchpin-preview", self.answers),
        ];
        let page = values.iter().fold(page, |page, (name, value)| fill(&page, name, value));
        let policy = format!(
            "default-src 'none'; script-src {assets} 'wasm-unsafe-eval'{scripts}; style-src {assets}{styles}; \
             img-src {sdk} data: blob:; media-src blob:; connect-src {assets}; form-action 'none'; base-uri 'none'; \
             require-trusted-types-for 'script'; sandbox allow-scripts allow-forms; frame-ancestors 'self'",
            scripts = inline(&built, "script"),
            styles = inline(&built, "style"),
        );
        let mut response = (StatusCode::OK, page).into_response();
        harden(response.headers_mut(), &policy);
        response.extensions_mut().insert(Finished);
        response
    }
}
