//! The meanings of the codes of problem documents, in each language.

use link_types::problem::ProblemCode;

use super::Language;

/// Returns what a code means, and what to do.
pub const fn meaning(code: ProblemCode, language: Language) -> &'static str {
    let [english, spanish] = texts(code);
    match language {
        Language::English => english,
        Language::Spanish => spanish,
    }
}

const fn texts(code: ProblemCode) -> [&'static str; 2] {
    match code {
        ProblemCode::Unauthorized => {
            ["Credentials are missing or wrong.", "Faltan credenciales o son incorrectas."]
        }
        ProblemCode::KeyExpired => {
            ["The API key has expired. Send another key.", "La clave de API venció. Envía otra clave."]
        }
        ProblemCode::InsufficientScope => [
            "The API key lacks a scope, which the response names.",
            "A la clave de API le falta un alcance, que la respuesta nombra.",
        ],
        ProblemCode::TenantSuspended => [
            "The operator has suspended this organization. Ask the operator.",
            "El operador suspendió esta organización. Pregunta al operador.",
        ],
        ProblemCode::TokenExpired => [
            "The link token or session has expired. Create a new token.",
            "El token o la sesión venció. Crea un token nuevo.",
        ],
        ProblemCode::TokenUsed => [
            "The link token was already exchanged. Create a new one for each opening.",
            "El token ya se canjeó. Crea uno nuevo para cada apertura.",
        ],
        ProblemCode::InvalidToken => {
            ["The link token or session is unknown.", "El token o la sesión no se conoce."]
        }
        ProblemCode::InvalidParameters => [
            "Fields are missing, mistyped, too long or unknown. The response lists them.",
            "Hay campos ausentes, de otro tipo, demasiado largos o desconocidos. La respuesta los enumera.",
        ],
        ProblemCode::MissingResource => [
            "It does not exist, or belongs to another tenant or environment.",
            "No existe, o pertenece a otra organización o entorno.",
        ],
        ProblemCode::MethodNotAllowed => [
            "The address does not support this method. The header Allow lists the others.",
            "La dirección no admite este método. El encabezado Allow enumera los demás.",
        ],
        ProblemCode::Conflict => [
            "The present state of the resource does not allow the operation.",
            "El estado actual del recurso no permite la operación.",
        ],
        ProblemCode::ConsentRequired => [
            "The terms have changed, or the person has not consented.",
            "Los términos cambiaron o la persona no ha dado su consentimiento.",
        ],
        ProblemCode::AccountMismatch => [
            "The login is for another account than the one to sign in to again.",
            "El usuario es de otra cuenta que la que debe iniciar sesión de nuevo.",
        ],
        ProblemCode::IdempotencyKeyReused => [
            "This Idempotency-Key was used for another request. Send a new key.",
            "Esta Idempotency-Key se usó para otra solicitud. Envía una clave nueva.",
        ],
        ProblemCode::PayloadTooLarge => [
            "The body is larger than this address accepts.",
            "El cuerpo es más grande de lo que acepta esta dirección.",
        ],
        ProblemCode::UnsupportedType => [
            "This address does not support the content type.",
            "Esta dirección no admite el tipo de contenido.",
        ],
        ProblemCode::RequestLimitExceeded => [
            "Too many requests. Wait for the seconds of Retry-After.",
            "Demasiadas solicitudes. Espera los segundos de Retry-After.",
        ],
        ProblemCode::LoginLimitExceeded => [
            "Too many failed logins or answers. Wait for the seconds of Retry-After.",
            "Demasiados intentos fallidos. Espera los segundos de Retry-After.",
        ],
        ProblemCode::ServiceUnavailable => [
            "The service is unavailable for the moment. Try again.",
            "El servicio no está disponible por el momento. Intenta de nuevo.",
        ],
        ProblemCode::SystemError => [
            "An internal error. Send the request id to the operator if it persists.",
            "Un error interno. Si persiste, envía el id de la solicitud al operador.",
        ],
    }
}
