//! `POST /csp-reports`: receives browsers' reports of violations of a page's content security policy.
//!
//! The log gets a sampled count with the name of the directive. Nothing else is logged, because the URLs in a report
//! can contain the codes of invitations.

use std::sync::LazyLock;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use serde::Deserialize;

use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::limits::network::Network;
use crate::http::middleware::security_headers::CSP_REPORTS;
use crate::http::problem::{ApiResult, Problem};
use crate::logs::Sampled;

/// The maximum size of a batch of reports, in bytes.
const LIMIT: usize = 16 * 1024;

/// The directives of our policies. Others are not logged, because anyone can send them.
const DIRECTIVES: [&str; 14] = [
    "base-uri",
    "connect-src",
    "default-src",
    "font-src",
    "form-action",
    "frame-ancestors",
    "frame-src",
    "img-src",
    "media-src",
    "require-trusted-types-for",
    "script-src",
    "script-src-attr",
    "script-src-elem",
    "style-src",
];

static SAMPLED: LazyLock<Sampled> = LazyLock::new(Sampled::default);

/// Returns the route that browsers send reports to.
pub fn routes() -> Router<App> {
    Router::new().route(CSP_REPORTS, post(take))
}

async fn take(State(app): State<App>, network: Network, body: Body) -> ApiResult<StatusCode> {
    network.count(&app)?;
    let bytes = read(body, LIMIT, BodyTimeouts::SHORT).await?;
    let Some(directive) = directive(&bytes) else {
        return Err(Problem::unparseable("The body is not a content security policy report."));
    };
    if let Some(count) = SAMPLED.count(Instant::now()) {
        tracing::warn!(count, directive, "A page's content security policy was violated");
    }
    Ok(StatusCode::NO_CONTENT)
}

/// One report, as `report-uri` sends it, or a batch, as `report-to` sends it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Sent {
    Alone {
        #[serde(rename = "csp-report")]
        report: Report,
    },
    Batch(Vec<Enveloped>),
}

#[derive(Deserialize)]
struct Enveloped {
    body: Report,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Report {
    #[serde(alias = "effectiveDirective")]
    effective_directive: Option<String>,
    violated_directive: Option<String>,
}

/// Returns the directive of the first report, or "other" if our policies do not have it.
///
/// `None` if the bytes are not a report.
fn directive(bytes: &[u8]) -> Option<&'static str> {
    let report = match serde_json::from_slice(bytes).ok()? {
        Sent::Alone { report } => report,
        Sent::Batch(reports) => reports.into_iter().next()?.body,
    };
    let directive = report.effective_directive.or(report.violated_directive)?;
    let name = directive.split(' ').next().unwrap_or_default();
    Some(DIRECTIVES.into_iter().find(|it| *it == name).unwrap_or("other"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case::report_uri(
        r#"{"csp-report":{"document-uri":"https://i.example/invite/canary","effective-directive":"img-src"}}"#,
        Some("img-src")
    )]
    #[case::older_browser(r#"{"csp-report":{"violated-directive":"script-src 'self'"}}"#, Some("script-src"))]
    #[case::both_names(
        r#"{"csp-report":{"violated-directive":"img-src","effective-directive":"img-src"}}"#,
        Some("img-src")
    )]
    #[case::report_to(
        r#"[{"type":"csp-violation","url":"https://i.example","body":{"effectiveDirective":"style-src"}}]"#,
        Some("style-src")
    )]
    #[case::invented(r#"{"csp-report":{"effective-directive":"ana@example.com"}}"#, Some("other"))]
    #[case::empty_batch("[]", None)]
    #[case::not_json("<xml>", None)]
    fn csp_report_is_reduced_to_its_directive(#[case] sent: &str, #[case] expected: Option<&str>) {
        assert_eq!(directive(sent.as_bytes()), expected);
    }
}
