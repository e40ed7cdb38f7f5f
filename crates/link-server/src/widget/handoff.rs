//! The hand-off of a session: a code with which the person continues one step on their phone. The phone uses it at
//! `POST /link/sessions`.

use std::fmt::Write as _;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::kernel::clock::Now;
use link_domain::linking::link::{self, HandoffEnd};
use link_domain::use_cases::{HandoffOffer, hand_off};
use link_store::Reader;
use link_types::Sensitive;
use link_types::handoff::{CodePicture, CreateHandoff, Handoff};
use link_types::id::LinkTemplateId;
use qrcode::{Color, EcLevel, QrCode};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::body::Body;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::{ComputerCaller, step_progress};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of the hand-off.
pub(super) fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create => person, get => read, end => person))
}

/// Creates a code with which the person continues one step on their phone.
///
/// The code works once, for 10 minutes. A later one of the same session replaces it, and ends the access of a phone that
/// used it. A session creates at most 10 codes.
#[utoipa::path(
    post, path = "/link/handoff", tag = "link", operation_id = "createHandoff",
    request_body(content = CreateHandoff, example = json!({"subject": {"upload": {"archiveType": "PAYSLIP"}}})),
    responses((status = 201, description = "The hand-off, with the code to scan", body = Handoff, example = json!({
        "phase": {"waiting": {"expiresInMs": 600_000}},
        "picture": "data:image/svg+xml;base64,PHN2Zz4="
    })), refusals::Write),
    security(("session" = []))
)]
async fn create(
    State(app): State<App>,
    caller: ComputerCaller,
    Body(body): Body<CreateHandoff>,
) -> ApiResult<(StatusCode, Json<Handoff>)> {
    if !app.settings.may_hand_off() {
        return Err(Problem::conflict("This service has no separate host for its pages."));
    }
    let (session, context) = (caller.session().clone(), caller.context());
    let hosted_url = app.settings.hosted_url.clone();
    let created = caller
        .write(move |tx| -> ApiResult<_> {
            let (owner, mut context) = (&session.owner, context.clone());
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let account = match &attempt.account_id {
                Some(id) => tx.accounts().get(owner, id)?,
                None => None,
            };
            let template =
                tx.link_templates().get_to_cite(owner, &session.template_id)?.ok_or_else(Problem::missing)?;
            let offer = HandoffOffer {
                session: &session,
                account: account.as_ref(),
                template: &template,
                before: tx.link_handoffs().get(&session.id)?,
            };
            let (handoff, token, change) = hand_off(offer, body.subject, &mut context)?;
            tx.apply(&change, context.now())?;
            let picture = picture(&hosted_url, &session.template_id, &token)?;
            state(tx, &handoff, Some(picture), context.now())
        })
        .await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Retrieves the state of the session's latest hand-off.
///
/// The widget asks every 2 seconds while it shows the code or waits for the phone.
#[utoipa::path(
    get, path = "/link/handoff", tag = "link", operation_id = "getHandoff",
    responses((status = 200, description = "The hand-off", body = Handoff, example = json!(parse_example(include_str!("handoff/get.json")))), refusals::Act),
    security(("session" = []))
)]
async fn get(
    State(app): State<App>,
    caller: ComputerCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Handoff>> {
    let (id, now) = (caller.session().id.clone(), caller.now());
    let handoff = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let handoff = reader.link_handoffs().get(&id)?.ok_or_else(Problem::missing)?;
            state(reader, &handoff, None, now)
        })
        .await?;
    Ok(Json(handoff))
}

/// Takes the step back: the code no longer works, and a phone that used it has no access any more.
///
/// The response says whether the phone had already finished.
#[utoipa::path(
    delete, path = "/link/handoff", tag = "link", operation_id = "endHandoff",
    responses((status = 200, description = "The ended hand-off", body = Handoff, example = json!({
        "phase": {"ended": {}}, "picture": null
    })), refusals::Act),
    security(("session" = []))
)]
async fn end(caller: ComputerCaller, Query(NoQuery): Query<NoQuery>) -> ApiResult<Json<Handoff>> {
    let (id, now) = (caller.session().id.clone(), caller.now());
    let ended = caller
        .write(move |tx| -> ApiResult<_> {
            let handoff = tx.link_handoffs().get(&id)?.ok_or_else(Problem::missing)?;
            let (handoff, change) = handoff.end(HandoffEnd::TakenBack);
            tx.apply(&change, now)?;
            state(tx, &handoff, None, now)
        })
        .await?;
    Ok(Json(ended))
}

/// Returns the state of a hand-off, which also depends on its account. `picture` is the code, if it was just created.
fn state(
    reader: &mut Reader<'_>,
    handoff: &link::Handoff,
    picture: Option<CodePicture>,
    now: Now,
) -> ApiResult<Handoff> {
    let progress = step_progress(reader, handoff)?;
    Ok(Handoff { phase: handoff.phase(progress, now.wall()), picture })
}

/// Width of the empty margin that scanners need, in modules.
const MARGIN: usize = 4;

/// Returns the code for the phone's page. The token is in the URL's fragment, which browsers send to no server.
fn picture(hosted_url: &str, template: &LinkTemplateId, token: &Sensitive) -> ApiResult<CodePicture> {
    let address = Sensitive::new(format!("{hosted_url}/continue/{}#{}", template.as_str(), token.expose()));
    let code = QrCode::with_error_correction_level(address.expose(), EcLevel::M);
    let code = code.map_err(|_| Problem::system("the address of the hosted pages is too long for a code"))?;
    let url = format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg(&code)));
    Ok(CodePicture::new(url))
}

/// Draws a code: the dark modules of each row as rectangles on a white background, in both themes.
fn svg(code: &QrCode) -> String {
    let (width, modules) = (code.width(), code.to_colors());
    let size = width + 2 * MARGIN;
    let mut path = String::new();
    for (y, row) in modules.chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run.first() == Some(&Color::Dark) {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{} {}h{}v1h-{}z", x + MARGIN, y + MARGIN, run.len(), run.len());
            }
            x += run.len();
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/><path d=\"{path}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode_picture(url: &str) -> String {
        let encoded = url.strip_prefix("data:image/svg+xml;base64,").unwrap();
        String::from_utf8(STANDARD.decode(encoded).unwrap()).unwrap()
    }

    #[test]
    fn picture_has_every_dark_module() {
        let code = QrCode::with_error_correction_level("linchpin", EcLevel::M).unwrap();
        let dark = code.to_colors().iter().filter(|it| **it == Color::Dark).count();
        let svg = svg(&code);
        let runs =
            svg.split('M').filter_map(|it| it.split_once('h')?.1.split_once("v1")?.0.parse::<usize>().ok());
        assert_eq!(runs.sum::<usize>(), dark);
        let size = code.width() + 8;
        assert!(svg.contains(&format!("viewBox=\"0 0 {size} {size}\"")), "{svg}");
    }

    #[test]
    fn picture_of_a_code_is_a_small_svg() {
        let template = LinkTemplateId::from_bytes([1; 16]);
        let token = Sensitive::new("lph_canary");
        let picture = picture("https://link.example", &template, &token).unwrap();
        assert!(decode_picture(picture.expose()).starts_with("<svg "));
        assert!(picture.expose().len() < 16_000, "{}", picture.expose().len());
    }

    #[test]
    fn address_that_does_not_fit_is_an_error() {
        let template = LinkTemplateId::from_bytes([1; 16]);
        let long = format!("https://{}.example", "a".repeat(4_000));
        assert!(picture(&long, &template, &Sensitive::new("lph_canary")).is_err());
    }
}
