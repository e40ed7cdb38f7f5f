//! Finds unused texts, which would be loaded and translated unnecessarily.

use super::catalogue::Catalogue;
use super::message_enum::variant;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;

/// Checks that the widget uses every key of the catalogue.
///
/// # Errors
/// If a key is not used.
pub fn check(env: &Env, english: &Catalogue) -> Outcome {
    let mut sources = String::new();
    for folder in ["crates/link-flow/src", "crates/link-widget/src"] {
        let generated = env.at(folder).join("generated");
        for file in files::walk(&env.at(folder))?.iter().filter(|file| files::has_extension(file, "rs")) {
            if !file.starts_with(&generated) {
                sources.push_str(&files::read(file)?);
            }
        }
    }
    let unused: Vec<&str> =
        english.messages.keys().filter(|key| !shows(&sources, key)).map(String::as_str).collect();
    if unused.is_empty() {
        return Ok(());
    }
    Err(Failure::new("Some texts are not used").why(unused.join(" ")).advice(
        "use them (`Message::TheKey` in link-flow) or remove them from every www/frame/locales/*.ftl",
    ))
}

/// Returns whether the sources use the text with this key.
pub fn shows(sources: &str, key: &str) -> bool {
    names(sources, &variant(key))
}

fn names(sources: &str, variant: &str) -> bool {
    let path = format!("::{variant}");
    sources.match_indices(&path).any(|(at, _)| {
        let next = sources[at + path.len()..].chars().next();
        !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_name_is_not_a_use_of_a_shorter_one() {
        assert!(names("text(Message::Login)", "Login"));
        assert!(!names("text(Message::LoginAgain)", "Login"));
        assert!(!names("Login", "Login"));
    }
}
