//! Finds unused texts, which would be loaded and translated unnecessarily.

use super::catalogue::Catalogue;
use super::message_enum::variant;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::{files, web};

/// Where the texts of a folder are used, and what to do about an unused one.
pub struct Usage {
    folders: &'static [&'static str],
    advice: &'static str,
}

/// The texts of the widget.
pub const WIDGET: Usage = Usage {
    folders: &["crates/link-flow/src", "crates/link-widget/src", "crates/link-types/src/data"],
    advice: "use them (`Message::TheKey` in link-flow) or remove them from every www/frame/locales/*.ftl",
};

/// The texts of hosted pages and mails.
pub const SERVICE: Usage = Usage {
    folders: &["crates/link-domain/src", "crates/link-server/src", "crates/link-types/src/data"],
    advice: "use them (`ServiceText::TheKey`) or remove them from every www/hosted/locales/*.ftl",
};

/// Checks that every key of a catalogue is used.
///
/// # Errors
/// If a key is not used.
pub fn check(env: &Env, english: &Catalogue, usage: &Usage) -> Outcome {
    let mut sources = String::new();
    for folder in usage.folders {
        let generated = env.at(folder).join("generated");
        for file in files::walk(&env.at(folder))?.iter().filter(|file| files::has_extension(file, "rs")) {
            if !file.starts_with(&generated) {
                sources.push_str(&files::read(file)?);
            }
        }
    }
    let unused: Vec<&str> = english
        .messages
        .keys()
        .map(String::as_str)
        .filter(|key| !shows(&sources, key) && !web::boot_shows(key))
        .collect();
    if unused.is_empty() {
        return Ok(());
    }
    Err(Failure::new("Some texts are not used").why(unused.join(" ")).advice(usage.advice))
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
