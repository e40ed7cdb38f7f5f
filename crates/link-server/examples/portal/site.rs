//! The portal's routes. A session records who is signed in, and a cookie contains the session's name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::certificate;
use super::lookups::{self, Lookups};
use super::pages;
use super::people::{PEOPLE, Person};

/// The number of tries for a code.
const TRIES: u8 = 3;

/// A text message with a code.
#[derive(Clone)]
pub struct TextMessage {
    pub to: &'static str,
    pub code: String,
}

#[derive(Clone)]
enum Stage {
    Visitor,
    AsksCode { person: &'static Person, phone: &'static str, code: String, tries: u8 },
    SignedIn { person: &'static Person },
}

#[derive(Clone)]
struct Session {
    token: String,
    stage: Stage,
}

/// The portal's state.
#[derive(Clone)]
pub struct Portal {
    sessions: Arc<Mutex<HashMap<String, Session>>>,
    lookups: Arc<Mutex<Lookups>>,
    send: Arc<dyn Fn(TextMessage) + Send + Sync>,
}

impl Portal {
    /// Creates a portal that sends text messages with `send`.
    pub fn new(send: impl Fn(TextMessage) + Send + Sync + 'static) -> Self {
        Self { sessions: Arc::default(), lookups: Arc::default(), send: Arc::new(send) }
    }

    /// Ends every session, as a provider does after some time.
    pub fn end_sessions(&self) {
        self.sessions().clear();
    }

    /// Finishes every report that was requested.
    pub fn finish_reports(&self) {
        self.lookups().finish();
    }

    /// Forgets every report, as a source does after a while.
    pub fn forget_reports(&self) {
        *self.lookups() = Lookups::default();
    }

    /// Returns the requested reports.
    pub fn lookups(&self) -> MutexGuard<'_, Lookups> {
        self.lookups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn session(&self, headers: &HeaderMap) -> Option<(String, Session)> {
        let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
        let name = cookies.split("; ").find_map(|it| it.strip_prefix("portal="))?.to_owned();
        let session = self.sessions().get(&name)?.clone();
        Some((name, session))
    }

    /// Starts a session, and sets its cookie on the response.
    fn begin(&self, stage: Stage, respond: impl FnOnce(&str) -> Response) -> Response {
        let (name, token) = (random(), random());
        let mut response = respond(&token);
        let cookie = format!("portal={name}; Path=/; HttpOnly; SameSite=Lax");
        if let Ok(cookie) = cookie.parse() {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        self.sessions().insert(name, Session { token, stage });
        response
    }

    fn set_stage(&self, name: &str, stage: Stage) {
        if let Some(session) = self.sessions().get_mut(name) {
            session.stage = stage;
        }
    }

    /// Sends a new code.
    fn send_code(&self, phone: &'static str) -> String {
        let digits = u32::from_str_radix(&random()[..7], 16).unwrap_or_default() % 1_000_000;
        let code = format!("{digits:06}");
        (self.send)(TextMessage { to: phone, code: code.clone() });
        code
    }
}

/// Builds the portal's router.
pub fn router(portal: Portal) -> Router {
    Router::new()
        .route("/entrar", get(login_page).post(login))
        .route("/codigo", get(code_page).post(code))
        .route("/codigo/reenviar", post(code_again))
        .route("/inicio", get(home))
        .route("/empleos", get(jobs))
        .route("/aportaciones", get(contributions))
        .route("/constancia", get(certificate_file))
        .route("/consulta", post(lookups::ask))
        .route("/consulta/{reference}", get(lookups::show))
        .route("/ingreso", post(lookups::income))
        .with_state(portal)
}

fn random() -> String {
    let mut bytes = [0; 16];
    // Without randomness, session names would be predictable.
    if getrandom::fill(&mut bytes).is_err() {
        std::process::abort();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn login_page(State(portal): State<Portal>) -> Response {
    portal.begin(Stage::Visitor, |token| Html(pages::login(token, "")).into_response())
}

#[derive(Deserialize)]
struct Login {
    token: String,
    usuario: String,
    contrasena: String,
}

async fn login(State(portal): State<Portal>, headers: HeaderMap, Form(form): Form<Login>) -> Response {
    let Some((name, session)) = portal.session(&headers).filter(|(_, it)| it.token == form.token) else {
        return (StatusCode::BAD_REQUEST, Html(pages::login("", "La página expiró."))).into_response();
    };
    let again = |said| Html(pages::login(&session.token, said)).into_response();
    let person = PEOPLE.iter().find(|it| it.user == form.usuario && it.password == form.contrasena);
    let Some(person) = person else { return again("Usuario o contraseña incorrectos.") };
    if person.locked {
        return again("Su cuenta está bloqueada.");
    }
    // Start a new session after the login, to prevent session fixation.
    portal.sessions().remove(&name);
    match person.phone {
        Some(phone) => {
            let code = portal.send_code(phone);
            let stage = Stage::AsksCode { person, phone, code, tries: TRIES };
            portal.begin(stage, |_| Redirect::to("/codigo").into_response())
        }
        None => portal.begin(Stage::SignedIn { person }, |_| Redirect::to("/inicio").into_response()),
    }
}

async fn code_page(State(portal): State<Portal>, headers: HeaderMap) -> Response {
    match portal.session(&headers) {
        Some((_, Session { token, stage: Stage::AsksCode { phone, tries, .. } })) => {
            Html(pages::code(&token, phone, tries, "")).into_response()
        }
        Some((_, Session { stage: Stage::SignedIn { .. }, .. })) => Redirect::to("/inicio").into_response(),
        Some((_, Session { stage: Stage::Visitor, .. })) | None => Redirect::to("/entrar").into_response(),
    }
}

#[derive(Deserialize)]
struct Code {
    token: String,
    codigo: String,
}

async fn code(State(portal): State<Portal>, headers: HeaderMap, Form(form): Form<Code>) -> Response {
    let Some((name, session)) = portal.session(&headers).filter(|(_, it)| it.token == form.token) else {
        return Redirect::to("/entrar").into_response();
    };
    match session.stage {
        Stage::AsksCode { person, code, .. } if code == form.codigo => {
            portal.set_stage(&name, Stage::SignedIn { person });
            Redirect::to("/inicio").into_response()
        }
        Stage::AsksCode { person, phone, code, tries } if tries > 1 => {
            let tries = tries - 1;
            portal.set_stage(&name, Stage::AsksCode { person, phone, code, tries });
            Html(pages::code(&session.token, phone, tries, "Código incorrecto.")).into_response()
        }
        Stage::SignedIn { .. } => Redirect::to("/inicio").into_response(),
        Stage::AsksCode { .. } | Stage::Visitor => {
            portal.sessions().remove(&name);
            Redirect::to("/entrar").into_response()
        }
    }
}

#[derive(Deserialize)]
struct Again {
    token: String,
}

async fn code_again(State(portal): State<Portal>, headers: HeaderMap, Form(form): Form<Again>) -> Response {
    if let Some((name, session)) = portal.session(&headers).filter(|(_, it)| it.token == form.token)
        && let Stage::AsksCode { person, phone, tries, .. } = session.stage
    {
        let code = portal.send_code(phone);
        portal.set_stage(&name, Stage::AsksCode { person, phone, code, tries });
    }
    Redirect::to("/codigo").into_response()
}

/// Shows a page to a person who is signed in, and redirects others to the login.
fn inside(portal: &Portal, headers: &HeaderMap, page: impl FnOnce(&Person) -> String) -> Response {
    match portal.session(headers) {
        Some((_, Session { stage: Stage::SignedIn { person }, .. })) => Html(page(person)).into_response(),
        Some(_) | None => Redirect::to("/entrar").into_response(),
    }
}

async fn home(State(portal): State<Portal>, headers: HeaderMap) -> Response {
    inside(&portal, &headers, pages::home)
}

async fn jobs(State(portal): State<Portal>, headers: HeaderMap) -> Response {
    inside(&portal, &headers, pages::jobs)
}

#[derive(Deserialize)]
struct Numbered {
    #[serde(default = "first")]
    pagina: usize,
}

const fn first() -> usize {
    1
}

async fn contributions(
    State(portal): State<Portal>,
    Query(at): Query<Numbered>,
    headers: HeaderMap,
) -> Response {
    inside(&portal, &headers, |_| pages::contributions_page(at.pagina))
}

async fn certificate_file(State(portal): State<Portal>, headers: HeaderMap) -> Response {
    match portal.session(&headers) {
        Some((_, Session { stage: Stage::SignedIn { person }, .. })) => {
            ([(header::CONTENT_TYPE, "application/pdf")], certificate::pdf(person)).into_response()
        }
        Some(_) | None => Redirect::to("/entrar").into_response(),
    }
}
