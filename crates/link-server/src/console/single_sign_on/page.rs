//! The page that says why a sign-in with a provider failed. It has no script, and no text of the provider.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::console::single_sign_on::SignOnError;
use link_types::problem::ProblemCode;
use maud::{DOCTYPE, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::http::extract::caller::languages_of;
use crate::http::middleware::request_id::Finished;
use crate::http::middleware::security_headers::REPORTED;
use crate::http::problem::Problem;

/// Why a person is not signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The sign-in itself failed.
    SignOn(SignOnError),
    /// Too many people, or too many wrong requests.
    Busy,
    /// The tenant is suspended.
    Suspended,
    /// The service failed.
    System,
}

impl From<SignOnError> for Failure {
    fn from(error: SignOnError) -> Self {
        Self::SignOn(error)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        problem.log();
        if problem.code() == ProblemCode::TenantSuspended { Self::Suspended } else { Self::System }
    }
}

/// The texts of a failure: what happened and what to do, in English and in Spanish.
struct Texts {
    status: StatusCode,
    english: [&'static str; 2],
    spanish: [&'static str; 2],
}

const fn texts(status: StatusCode, english: [&'static str; 2], spanish: [&'static str; 2]) -> Texts {
    Texts { status, english, spanish }
}

impl Failure {
    /// Returns a stable code.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::SignOn(error) => error.code(),
            Self::Busy => "REQUEST_LIMIT_EXCEEDED",
            Self::Suspended => "TENANT_SUSPENDED",
            Self::System => "SYSTEM_ERROR",
        }
    }

    const fn texts(self) -> Texts {
        match self {
            Self::SignOn(error) => texts_of(error),
            Self::Busy => texts(
                StatusCode::TOO_MANY_REQUESTS,
                ["Too many people sign in at the moment.", "Wait a minute, and sign in again."],
                [
                    "Demasiadas personas inician sesión en este momento.",
                    "Espera un minuto e inicia sesión de nuevo.",
                ],
            ),
            Self::Suspended => texts(
                StatusCode::FORBIDDEN,
                ["Your organization is suspended.", "Ask the operator of the service."],
                ["Tu organización está suspendida.", "Pregunta al operador del servicio."],
            ),
            Self::System => texts(
                StatusCode::INTERNAL_SERVER_ERROR,
                ["Something went wrong on our side.", "Sign in again in a minute."],
                ["Algo falló de nuestro lado.", "Inicia sesión de nuevo en un minuto."],
            ),
        }
    }
}

const fn texts_of(error: SignOnError) -> Texts {
    match error {
        SignOnError::Expired => texts(
            StatusCode::GONE,
            [
                "This sign-in was already used, took longer than 10 minutes, or began in another browser.",
                "Sign in again, and stay in one window.",
            ],
            [
                "Este inicio de sesión ya se usó, tardó más de 10 minutos o empezó en otro navegador.",
                "Inicia sesión de nuevo y quédate en una sola ventana.",
            ],
        ),
        SignOnError::Cancelled => texts(
            StatusCode::FORBIDDEN,
            ["You cancelled the sign-in at your organization.", "Sign in again if that was a mistake."],
            ["Cancelaste el inicio de sesión en tu organización.", "Inicia sesión de nuevo si fue un error."],
        ),
        SignOnError::Refused => texts(
            StatusCode::FORBIDDEN,
            [
                "Your organization's provider refused the sign-in.",
                "Sign in again. If it happens again, an owner of your organization must check the settings of the provider.",
            ],
            [
                "El proveedor de tu organización rechazó el inicio de sesión.",
                "Inicia sesión de nuevo. Si vuelve a pasar, un propietario debe revisar la configuración del proveedor.",
            ],
        ),
        SignOnError::Unavailable => texts(
            StatusCode::BAD_GATEWAY,
            [
                "Your organization's provider did not respond.",
                "Sign in again in a minute. Owners can sign in with a passkey or a one-time address.",
            ],
            [
                "El proveedor de tu organización no respondió.",
                "Inicia sesión de nuevo en un minuto. Los propietarios pueden usar una llave de acceso o una dirección de un solo uso.",
            ],
        ),
        SignOnError::Invalid => texts(
            StatusCode::BAD_GATEWAY,
            [
                "The response of your organization's provider is not valid, so you are not signed in.",
                "Sign in again. If it happens again, an owner of your organization must check the settings of the provider.",
            ],
            [
                "La respuesta del proveedor de tu organización no es válida, así que no se inició sesión.",
                "Inicia sesión de nuevo. Si vuelve a pasar, un propietario debe revisar la configuración del proveedor.",
            ],
        ),
        SignOnError::NotMember => texts(
            StatusCode::FORBIDDEN,
            [
                "You are not a member of this organization in the portal.",
                "Ask an owner for an invitation, and open it with your organization's sign-in.",
            ],
            [
                "No eres miembro de esta organización en el portal.",
                "Pide una invitación a un propietario y ábrela con el inicio de sesión de tu organización.",
            ],
        ),
        SignOnError::NotLinked => texts(
            StatusCode::FORBIDDEN,
            [
                "A member has your address, and has not linked this sign-in.",
                "Sign in as before, and link it under Single sign-on. Or ask an owner for a new one-time address, and open it with your organization's sign-in.",
            ],
            [
                "Un miembro tiene tu correo y no ha vinculado este inicio de sesión.",
                "Inicia sesión como antes y vincúlalo en Inicio de sesión único. O pide a un propietario otra dirección de un solo uso y ábrela con el inicio de sesión de tu organización.",
            ],
        ),
        SignOnError::Taken => texts(
            StatusCode::CONFLICT,
            [
                "This sign-in belongs to another member, or you have linked another one.",
                "Choose another account at your organization's provider. Or unlink the present one under Single sign-on, or ask an owner for a new one-time address.",
            ],
            [
                "Este inicio de sesión es de otro miembro, o ya vinculaste otro.",
                "Elige otra cuenta en el proveedor de tu organización. O desvincula la actual en Inicio de sesión único, o pide a un propietario otra dirección de un solo uso.",
            ],
        ),
        SignOnError::ProviderChanged => texts(
            StatusCode::CONFLICT,
            ["An owner changed the single sign-on of your organization in the meantime.", "Sign in again."],
            [
                "Un propietario cambió el inicio de sesión único de tu organización mientras tanto.",
                "Inicia sesión de nuevo.",
            ],
        ),
        SignOnError::Invitation => texts(
            StatusCode::GONE,
            [
                "The invitation was already used, or it has expired.",
                "Ask an owner for a new one-time address.",
            ],
            ["La invitación ya se usó o venció.", "Pide a un propietario otra dirección de un solo uso."],
        ),
        SignOnError::SessionEnded => texts(
            StatusCode::FORBIDDEN,
            [
                "The session in which you wanted to link this sign-in has ended.",
                "Sign in as before, and link it under Single sign-on.",
            ],
            [
                "Terminó la sesión en la que querías vincular este inicio de sesión.",
                "Inicia sesión como antes y vincúlalo en Inicio de sesión único.",
            ],
        ),
        SignOnError::Full => texts(
            StatusCode::CONFLICT,
            ["Your organization has the maximum number of members.", "Ask an owner to remove one."],
            ["Tu organización tiene el máximo de miembros.", "Pide a un propietario que quite a uno."],
        ),
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#16202c;--soft:#4b5868;--line:#d5dbe3;--main:#14509e}\
@media(prefers-color-scheme:dark){:root{--ground:#10151c;--card:#19212b;--ink:#eef2f7;--soft:#b3c0cf;--line:#33404f;--main:#8fbcff}}\
*{box-sizing:border-box}\
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);\
font:1rem/1.5 system-ui,sans-serif}\
main{max-width:30rem;width:100%;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}\
h1{margin:0 0 1rem;font-size:1.375rem;line-height:1.3}\
p{margin:0 0 1rem;overflow-wrap:anywhere}\
.soft{margin:0;color:var(--soft);font-size:.875rem}\
a{display:inline-block;padding:.625rem 0;color:var(--main);font-weight:600}";

static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; {REPORTED}; \
         frame-ancestors 'none'"
    )
});

/// Returns the page.
pub(super) fn show(failure: Failure, headers: &HeaderMap) -> Response {
    let texts = failure.texts();
    let is_spanish = languages_of(headers).best(["en", "es"].into_iter()) == Some("es");
    let ([what, advice], lang) = if is_spanish { (texts.spanish, "es-MX") } else { (texts.english, "en") };
    let [title, back, code] = match is_spanish {
        true => ["No se inició la sesión", "Ir a la página de inicio de sesión", "Código"],
        false => ["You are not signed in", "To the sign-in page", "Code"],
    };
    let document = html! {
        (DOCTYPE)
        html lang=(lang) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    p { (what) }
                    p { (advice) }
                    p { a href="/console/" { (back) } }
                    p.soft { (code) ": " code translate="no" { (failure.code()) } }
                }
            }
        }
    };
    let mut response = (texts.status, document.into_string()).into_response();
    let sent = response.headers_mut();
    sent.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    if let Ok(policy) = HeaderValue::from_str(&POLICY) {
        sent.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    sent.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    response.extensions_mut().insert(Finished);
    response
}
