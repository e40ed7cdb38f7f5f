//! Checks that plural texts have every form that the grammar of their language needs.

use super::catalogue::{Catalogue, Part};
use crate::failure::{Failure, Outcome};

/// The categories of CLDR that whole numbers of everyday size use, in addition to `other`, by language.
const NEEDED: [(&str, &[&str]); 7] = [
    ("ar", &["one", "two", "few", "many"]),
    ("en", &["one"]),
    ("es", &["one"]),
    // `one` of Filipino includes most numbers, so only exact numbers are useful.
    ("fil", &[]),
    ("id", &[]),
    ("pt", &["one"]),
    ("zh", &[]),
];

/// Checks the plural texts of a locale.
///
/// # Errors
/// If the language is not in the table, or a text lacks a form.
pub fn check(locale: &Catalogue, tag: &str) -> Outcome {
    let language = tag.split('-').next().unwrap_or(tag);
    let needed = NEEDED.iter().find(|(known, _)| *known == language).map(|(_, forms)| *forms);
    let needed = needed.ok_or_else(|| {
        Failure::new(format!("The plural forms of {tag} are not known"))
            .advice("add its categories of CLDR to xtask/src/codegen/plural_forms.rs")
    })?;
    let mut lacking = Vec::new();
    for (key, parts) in &locale.messages {
        for part in parts {
            let Part::Plural { forms, .. } = part else { continue };
            // The number 1 is the only one of the category, so its exact form replaces it.
            let has = |form: &str| forms.contains_key(form) || form == "one" && forms.contains_key("1");
            let missing: Vec<&str> =
                needed.iter().copied().chain(["other"]).filter(|form| !has(form)).collect();
            if !missing.is_empty() {
                lacking.push(format!("{key}: {}", missing.join(" ")));
            }
        }
    }
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{tag}.ftl lacks plural forms")).why(lacking.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::catalogue::parse;

    #[test]
    fn text_must_have_the_forms_of_its_language() {
        let source = "a = { $n ->\n [one] One\n *[other] { $n }\n }\n";
        check(&parse(source, "en").unwrap(), "en").unwrap();
        check(&parse(source, "id").unwrap(), "id").unwrap();
        let refused = check(&parse(source, "ar").unwrap(), "ar").unwrap_err().to_string();
        assert!(refused.contains("a: two few many"), "{refused}");
        let exact = "a = { $n ->\n [1] One\n *[other] { $n }\n }\n";
        check(&parse(exact, "pt").unwrap(), "pt-BR").unwrap();
    }

    #[test]
    fn unknown_language_is_rejected() {
        let refused = check(&Catalogue::default(), "tlh").unwrap_err().to_string();
        assert!(refused.contains("plural_forms.rs"), "{refused}");
    }
}
