//! The service's sentences about a refused request, in each language. The service writes them in English.

use link_types::problem::{FaultCode, FieldFault, ProblemCode};

use super::{Language, codes};

/// Returns a fault with its message in a language. Its code says the reason; the service's sentence stays if it has more, such
/// as the values that are allowed.
pub fn translate(fault: FieldFault, language: Language) -> FieldFault {
    let reason = match language {
        Language::English => return fault,
        Language::Spanish => reason(fault.code),
    };
    let message = match fault.code {
        FaultCode::Missing | FaultCode::Unknown => reason.to_owned(),
        FaultCode::WrongType
        | FaultCode::TooLong
        | FaultCode::TooShort
        | FaultCode::OutOfRange
        | FaultCode::Invalid => add_original(reason, &fault.message),
    };
    FieldFault { message, ..fault }
}

/// Returns the explanation of a refusal in a language, from the code of its problem document.
pub fn translate_refusal(code: &str, detail: String, language: Language) -> String {
    match language {
        Language::English => detail,
        Language::Spanish => match code.parse::<ProblemCode>() {
            Ok(code) => add_original(codes::meaning(code, language), &detail),
            Err(_) => detail,
        },
    }
}

fn add_original(text: &str, original: &str) -> String {
    if original.is_empty() { text.to_owned() } else { format!("{text} El servicio dice: «{original}»") }
}

const fn reason(code: FaultCode) -> &'static str {
    match code {
        FaultCode::Missing => "Este campo es obligatorio.",
        FaultCode::WrongType => "El valor no es del tipo esperado.",
        FaultCode::TooLong => "Es demasiado largo, o tiene demasiados elementos.",
        FaultCode::TooShort => "Es demasiado corto, o tiene muy pocos elementos.",
        FaultCode::OutOfRange => "El número está fuera del rango permitido.",
        FaultCode::Invalid => "El valor no es válido.",
        FaultCode::Unknown => "El servicio no conoce este campo o este valor.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(code: FaultCode, message: &str) -> FieldFault {
        FieldFault { field: "helpUrl".to_owned(), code, message: message.to_owned(), file_fault: None }
    }

    #[test]
    fn spanish_fault_keeps_the_values_that_the_service_names() {
        let shown = |code, message| translate(fault(code, message), Language::Spanish).message;
        assert_eq!(shown(FaultCode::Missing, "is required"), "Este campo es obligatorio.");
        assert_eq!(
            shown(FaultCode::Invalid, "an https address"),
            "El valor no es válido. El servicio dice: «an https address»"
        );
        let english = fault(FaultCode::Invalid, "an https address");
        assert_eq!(translate(english.clone(), Language::English), english);
    }

    #[test]
    fn refusal_begins_with_the_meaning_of_its_code() {
        let shown = |code, language| translate_refusal(code, "It is in use.".to_owned(), language);
        assert_eq!(shown("CONFLICT", Language::English), "It is in use.");
        let spanish = shown("CONFLICT", Language::Spanish);
        assert!(spanish.starts_with(codes::meaning(ProblemCode::Conflict, Language::Spanish)), "{spanish}");
        assert!(spanish.ends_with("«It is in use.»"), "{spanish}");
        assert_eq!(shown("LATER", Language::Spanish), "It is in use.", "a code of a later service");
    }
}
