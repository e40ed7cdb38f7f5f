//! `codegen`: what is made from one source and committed, and the check that nothing drifted from it.

mod catalogue;
mod catalogue_json;
mod examples;
mod message_enum;
mod message_usage;
mod openapi;
mod references;

pub use message_usage::shows;
mod text_keys;

use std::path::PathBuf;

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;

/// Whether to write the generated files or only to compare them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Write what changed.
    Write,
    /// Fail when anything would change.
    Check,
}

/// One file made from a source.
struct Generated {
    path: PathBuf,
    content: String,
}

/// Generates everything, or checks that everything is as it would be generated.
pub fn run(env: &Env, mode: Mode) -> Outcome {
    texts(env, mode)?;
    let (document, made) = openapi::generate(env)?;
    settle(mode, &made)?;
    settle(mode, &references::generate(env, &document, &english(env)?)?)
}

fn english(env: &Env) -> Outcome<catalogue::Catalogue> {
    catalogue::parse(&files::read(&env.at("www/frame/locales/en.ftl"))?, "en")
}

/// The message catalogue alone: it needs no compiler run, so it is quick while texts are being written.
pub fn texts(env: &Env, mode: Mode) -> Outcome {
    let mut locales = Vec::new();
    for path in files::walk(&env.at("www/frame/locales"))? {
        if let Some(tag) = files::name(&path).strip_suffix(".ftl") {
            locales.push((tag.to_owned(), catalogue::parse(&files::read(&path)?, tag)?));
        }
    }
    let english = locales.iter().find(|(tag, _)| tag == "en").map(|(_, english)| english.clone());
    let english = english.ok_or_else(|| {
        Failure::new("there is no English catalogue")
            .advice("www/frame/locales/en.ftl is the source of all keys")
    })?;
    let message = message_enum::render(&english);
    let text_keys = text_keys::render(&english, locales.iter().map(|(tag, _)| tag.as_str()));
    let mut generated = vec![
        Generated {
            path: env.at("crates/link-flow/src/generated/message.rs"),
            content: formatted(env, &message)?,
        },
        Generated {
            path: env.at("crates/link-domain/src/generated/text_keys.rs"),
            content: formatted(env, &text_keys)?,
        },
        Generated { path: env.at("www/frame/generated/keys.json"), content: catalogue_json::keys(&english) },
    ];
    for (tag, locale) in &mut locales {
        // While texts are being written the translations lag behind; what is checked in must not.
        if mode == Mode::Write {
            for key in catalogue_json::borrow(&english, locale) {
                println!("codegen: {tag}.ftl lacks {key}, so far it stands there in English");
            }
        }
        generated.push(Generated {
            path: env.at(&format!("www/frame/generated/{tag}.json")),
            content: catalogue_json::render(&english, locale, tag)?,
        });
    }
    settle(mode, &generated)?;
    if mode == Mode::Check { message_usage::check(env, &english) } else { Ok(()) }
}

fn settle(mode: Mode, generated: &[Generated]) -> Outcome {
    let mut drifted = Vec::new();
    for Generated { path, content } in generated {
        if std::fs::read_to_string(path).is_ok_and(|found| found == *content) {
            continue;
        }
        match mode {
            Mode::Write => {
                files::write(path, content)?;
                println!("codegen: wrote {}", path.display());
            }
            Mode::Check => drifted.push(path.display().to_string()),
        }
    }
    if drifted.is_empty() {
        return Ok(());
    }
    Err(Failure::new("generated files are not what their sources make").why(drifted.join("\n")).advice(
        "run `cargo xtask codegen` and commit what it writes; edit the source, never the generated file",
    ))
}

fn formatted(env: &Env, source: &str) -> Outcome<String> {
    let scratch = env.cache.join("codegen").join(env.checkout()).join("scratch.rs");
    files::write(&scratch, source)?;
    env.program("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(env.at("rustfmt.toml"))
        .arg(&scratch)
        .output()?;
    files::read(&scratch)
}
