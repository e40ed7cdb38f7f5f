//! `POST /link/sessions`: exchanges a link token, once, for a session. The frame generates the session's secret.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_domain::kernel::clock::{Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::linking::link::{Exchange, ExchangeRequest, Handoff, LinkToken, TokenError, Verdict};
use link_domain::use_cases::{StoredAttempt, open_session};
use link_store::{Reader, Tx};
use link_types::Mode;
use link_types::link::{LinkSession, OpenSession};
use link_types::problem::{FaultCode, ProblemCode};

use super::{Found, Reading};
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::{Environment, languages_of};
use crate::http::limits::body::BodyTimeouts;
use crate::http::limits::network::Exchanging;
use crate::http::middleware::site_host;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// The maximum size of the body, in bytes.
///
/// It fits the longest token, secret and origin. It is small because the endpoint needs no credentials.
const BODY_LIMIT: usize = 32 * 1024;

/// Exchanges a link token for a session.
///
/// A repeated request with the same token and secret within 60 seconds returns the same session. The token of a hand-off
/// gives a phone access to the session that created it.
#[utoipa::path(
    post, path = "/link/sessions", tag = "link", operation_id = "openSession",
    request_body(content = OpenSession, example = json!({
        "token": "lpt_019a9b2c4d5e7f800123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "secret": "Zm9yIG9uZSBvcGVuaW5nIG9mIHRoZSB3aWRnZXQgISE",
        "templateId": "lt-0192f0c1a2b37c4d8e5f60718293a4b5",
        "hostOrigin": "https://app.example.com",
    })),
    responses((status = 201, description = "The session", body = LinkSession, example = json!(parse_example(include_str!("get.json")))), refusals::Exchange),
    security(())
)]
pub(super) async fn handler(
    State(app): State<App>,
    Environment(mode): Environment,
    Exchanging(network): Exchanging,
    request: Request,
) -> ApiResult<(StatusCode, Json<LinkSession>)> {
    let languages = languages_of(request.headers());
    let session = match Body::<OpenSession, BODY_LIMIT>::within(request, &app, BodyTimeouts::SHORT).await {
        Ok(Body(body)) => open(&app, mode, body, languages).await,
        Err(problem) => Err(problem),
    };
    // Counts every rejected request, even with a token that was once valid, because it costs the service work.
    let session = session.map_err(|problem| match problem.status().is_client_error() {
        true => network.count_refusal(&app, problem),
        false => problem,
    })?;
    Ok((StatusCode::CREATED, Json(session)))
}

async fn open(app: &App, mode: Mode, body: OpenSession, languages: Languages) -> ApiResult<LinkSession> {
    let secret = URL_SAFE_NO_PAD.decode(body.secret.expose()).unwrap_or_default();
    if secret.len() != 32 {
        return Err(Problem::invalid_field(
            "secret",
            FaultCode::Invalid,
            "base64url of 32 bytes, without padding",
        ));
    }
    let on_own_host_of = match app.settings.site_urls().host_in(&body.host_origin) {
        Some(host) if body.host_origin != app.settings.hosted_url => site_host::owner_of(app, host).await?,
        Some(_) | None => None,
    };
    let request = ExchangeRequest {
        secret_hash: LinkToken::secret_hash(&body.secret),
        template_id: body.template_id,
        on_landing_page: body.host_origin == app.settings.hosted_url,
        on_own_host_of,
        host_origin: body.host_origin,
    };
    if Handoff::is_token(&body.token) {
        return super::redeem(app, &body.token, (mode, request), languages).await;
    }
    let (token, opened) = (LinkToken::hash(body.token.expose()), request.secret_hash);
    let (wall, seed) = (app.wall(), app.random_bytes());
    let checked = request.clone();
    // Checks with a read first, so that invalid requests do not wait for the writer.
    app.store.read(move |reader| would_open(reader, token, mode, &checked, wall)).await?;
    let (source, may_hand_off) = (Arc::clone(app.ports.source(mode)), app.settings.may_hand_off());
    let hosted_url = app.settings.hosted_url.clone();
    let session = app
        .store
        .write(move |tx| {
            let (languages, source, hosted_url) = (&languages, source.as_ref(), hosted_url.as_str());
            let reading = Reading { may_hand_off, is_phone: false, languages, source, hosted_url };
            exchange(tx, token, (mode, request.clone()), (wall, seed), &reading)
        })
        .await?;
    app.limits.known_sessions.remember(opened);
    Ok(session)
}

/// Returns the token if it belongs to this environment, and its tenant's time.
fn check_token(
    token: Option<LinkToken>,
    reader: &mut Reader<'_>,
    mode: Mode,
    wall: Wall,
) -> ApiResult<(LinkToken, Now)> {
    let token = token.filter(|it| it.owner.mode == mode).ok_or(TokenError::Invalid)?;
    let tenant = reader.tenants().get(&token.owner.tenant)?.ok_or(TokenError::Invalid)?;
    tenant.check_active()?;
    Ok((token, Now::new(wall, tenant.offset(mode))))
}

fn would_open(
    reader: &mut Reader<'_>,
    token: Digest32,
    mode: Mode,
    request: &ExchangeRequest,
    wall: Wall,
) -> ApiResult<()> {
    let token = reader.link_tokens().get(&token)?;
    let (token, now) = check_token(token, reader, mode, wall)?;
    let template =
        reader.link_templates().get(&token.owner, &request.template_id)?.ok_or(TokenError::Invalid)?;
    if let Verdict::Replays { secret_hash } = token.verdict(request, &template, now)? {
        let session = reader.link_sessions().by_secret(&secret_hash)?.ok_or(TokenError::Used)?;
        session.replay(wall)?;
    }
    Ok(())
}

fn exchange(
    tx: &mut Tx<'_>,
    token: Digest32,
    (mode, request): (Mode, ExchangeRequest),
    (wall, seed): (Wall, [u8; 32]),
    reading: &Reading<'_>,
) -> ApiResult<LinkSession> {
    let token = tx.link_tokens().get(&token)?;
    let (token, now) = check_token(token, tx, mode, wall)?;
    let mut context = Context::new(now, seed);
    let template =
        tx.link_templates().get_to_cite(&token.owner, &request.template_id)?.ok_or(TokenError::Invalid)?;
    match token.exchange(request, &template, &mut context)? {
        Exchange::Opened { token, session } => {
            let attempt =
                tx.link_attempts().find_open(&session.owner, &session.user_id, &session.template_id)?;
            let before = match &attempt {
                Some(attempt) => tx.link_sessions().get(&attempt.session_id)?,
                None => None,
            };
            let found = attempt.as_ref().map(|it| Found::find(it, tx)).transpose()?;
            let stored = attempt.zip(found.as_ref()).map(|(attempt, found)| StoredAttempt {
                attempt,
                session: before,
                work: found.work(),
            });
            let invite = match session.visit.as_ref().and_then(|it| it.invite_id.as_ref()) {
                Some(id) => tx.invites().get(&session.owner, id)?,
                None => None,
            };
            let opened = open_session(*token, *session, stored, invite, &mut context);
            tx.apply(&opened.change, now)?;
            super::view(tx, &opened.session, &opened.attempt, (now, reading))
        }
        Exchange::Replayed { secret_hash } => {
            let session =
                tx.link_sessions().by_secret(&secret_hash)?.ok_or(TokenError::Used)?.replay(wall)?;
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or(TokenError::Used)?;
            super::view(tx, &session, &attempt, (now, reading))
        }
    }
}

impl From<TokenError> for Problem {
    fn from(refused: TokenError) -> Self {
        match refused {
            TokenError::Used => Self::new(ProblemCode::TokenUsed, "Request a new link token."),
            TokenError::Expired => Self::new(ProblemCode::TokenExpired, "Request a new link token."),
            TokenError::Invalid => Self::new(
                ProblemCode::InvalidToken,
                "The token, the link template and the page's origin must belong to the same tenant and environment.",
            ),
        }
    }
}
