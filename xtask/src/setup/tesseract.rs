//! Installs Tesseract, which reads scans, with the languages of the documents.

use super::apt;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;

const PACKAGES: [&str; 4] = ["tesseract-ocr", "tesseract-ocr-eng", "tesseract-ocr-spa", "tesseract-ocr-fil"];
const LANGUAGES: [&str; 3] = ["eng", "spa", "fil"];
const BY_HAND: &str = "install Tesseract 5 with the languages eng, spa and fil\n\
    (macOS: brew install tesseract tesseract-lang; Fedora: dnf install tesseract tesseract-langpack-spa \
    tesseract-langpack-fil)";

/// Installs the program and its languages if they are missing.
pub fn ensure(env: &Env) -> Outcome {
    if missing(env).is_empty() {
        return Ok(());
    }
    apt::install(env, "Tesseract", &PACKAGES, "20 s", BY_HAND)?;
    let missing = missing(env);
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::new("Tesseract is still missing").why(missing.join(" ")).advice(BY_HAND))
}

/// Returns the program, or the languages that it does not list.
fn missing(env: &Env) -> Vec<&'static str> {
    if !is_on_path("tesseract", &env.path()) {
        return vec!["tesseract"];
    }
    let listed = env.program("tesseract").arg("--list-langs").output().unwrap_or_default();
    lacking(&listed)
}

fn lacking(listed: &str) -> Vec<&'static str> {
    LANGUAGES.into_iter().filter(|language| !listed.lines().any(|line| line.trim() == *language)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlisted_language_is_missing() {
        let listed = "List of available languages in \"/usr/share/tessdata/\" (3):\neng\nosd\nspa\n";
        assert_eq!(lacking(listed), ["fil"]);
        assert_eq!(lacking(""), LANGUAGES);
    }
}
