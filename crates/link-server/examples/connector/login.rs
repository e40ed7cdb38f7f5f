//! The login: first the form, then the code.

use serde_json::{Value, json};

use super::pages::{self, CodePage};
use super::portal::{Portal, PortalError, Shown, Visit};

/// How long the portal accepts a code, in seconds.
const CODE_LASTS: u32 = 300;
/// The wait before the portal sends another code, in seconds.
const RESEND_AFTER: u32 = 0;

/// Handles `POST /linchpin/v1/start`.
pub fn start(portal: &Portal, message: &Value) -> Option<Value> {
    let credential = |name: &str| message["credentials"][name].as_str();
    let (user, password) = (credential("username")?, credential("password")?);
    Some(sign_in(portal.visit(""), user, password).unwrap_or_else(|PortalError| fail("SERVICE_UNAVAILABLE")))
}

/// Handles `POST /linchpin/v1/step`.
pub fn step(portal: &Portal, message: &Value) -> Option<Value> {
    let (visit, input) = (portal.visit(message["state"].as_str()?), &message["input"]);
    let stepped = match input["type"].as_str()? {
        "ANSWER_TEXT" => send_code(visit, input["text"].as_str()?),
        "RESEND" => send_again(visit),
        "CONTINUE" => ask_code(visit, false),
        _ => return None,
    };
    Some(stepped.unwrap_or_else(|PortalError| fail("SERVICE_UNAVAILABLE")))
}

fn sign_in(mut visit: Visit<'_>, user: &str, password: &str) -> Result<Value, PortalError> {
    let token = match visit.open("/entrar")? {
        Shown::Page(page) => pages::token(&page).ok_or(PortalError)?,
        Shown::Redirect(_) => return Err(PortalError),
    };
    match visit.send("/entrar", &[("token", &token), ("usuario", user), ("contrasena", password)])? {
        Shown::Redirect(to) => go_to(&to, visit),
        Shown::Page(page) => match pages::alert(&page).as_deref() {
            Some("Usuario o contraseña incorrectos.") => Ok(fail("INVALID_CREDENTIALS")),
            Some("Su cuenta está bloqueada.") => Ok(fail("ACCOUNT_LOCKED")),
            // An unknown message: the connector needs an update, and the person's credentials may be right.
            Some(_) | None => Ok(fail("INVALID_AUTH")),
        },
    }
}

fn send_code(mut visit: Visit<'_>, code: &str) -> Result<Value, PortalError> {
    let token = match visit.open("/codigo")? {
        Shown::Page(page) => pages::code_page(&page).ok_or(PortalError)?.token,
        // The step was already taken and its response lost, so the person is signed in.
        Shown::Redirect(to) => return go_to(&to, visit),
    };
    match visit.send("/codigo", &[("token", &token), ("codigo", code)])? {
        Shown::Page(page) => Ok(challenge(&visit, pages::code_page(&page).ok_or(PortalError)?, true)),
        Shown::Redirect(to) if to == "/entrar" => Ok(fail("INVALID_MFA")),
        Shown::Redirect(to) => go_to(&to, visit),
    }
}

fn send_again(mut visit: Visit<'_>) -> Result<Value, PortalError> {
    if let Shown::Page(page) = visit.open("/codigo")? {
        let token = pages::code_page(&page).ok_or(PortalError)?.token;
        visit.send("/codigo/reenviar", &[("token", &token)])?;
    }
    ask_code(visit, false)
}

fn ask_code(mut visit: Visit<'_>, wrong: bool) -> Result<Value, PortalError> {
    match visit.open("/codigo")? {
        Shown::Page(page) => Ok(challenge(&visit, pages::code_page(&page).ok_or(PortalError)?, wrong)),
        Shown::Redirect(to) => go_to(&to, visit),
    }
}

fn go_to(path: &str, visit: Visit<'_>) -> Result<Value, PortalError> {
    match path {
        "/inicio" => Ok(json!({"outcome": "CONNECTED", "state": visit.cookie()})),
        "/codigo" => ask_code(visit, false),
        "/entrar" => Ok(fail("MFA_TIMEOUT")),
        _ => Err(PortalError),
    }
}

fn challenge(visit: &Visit<'_>, page: CodePage, wrong: bool) -> Value {
    let format = json!({"digits": {"min": 6, "max": 6}});
    json!({
        "outcome": "CHALLENGE",
        "state": visit.cookie(),
        "challenge": {
            "kind": {"oneTimeCode": {"channel": "SMS", "destination": page.phone, "format": format}},
            "lastsSeconds": CODE_LASTS,
            "resend": {"afterSeconds": RESEND_AFTER, "channels": ["SMS"]},
            "triesLeft": page.tries,
            "wrongAnswer": wrong,
        },
    })
}

fn fail(code: &str) -> Value {
    json!({"outcome": "FAILED", "errorCode": code})
}
