//! `codegen`: generates the committed files that have another source, and checks that they are current.

mod catalogue;
mod catalogue_json;
mod connector_data;
mod generated;
mod message_enum;
mod message_usage;
mod openapi;
mod plural_forms;
mod references;
mod service_texts;

pub use message_usage::shows;
mod text_keys;
mod widget_events;

use self::catalogue::Catalogue;
use self::generated::Generated;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::{files, web};

/// Whether to write the generated files or only to compare them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Write what changed.
    Write,
    /// Fail if a file would change.
    Check,
}

/// Generates everything, or checks that everything is current.
///
/// # Errors
/// If a source is invalid or, in [`Mode::Check`], a generated file is stale.
pub fn run(env: &Env, mode: Mode) -> Outcome {
    texts(env, mode)?;
    let (document, generated) = openapi::generate(env)?;
    write_or_check(mode, &generated)?;
    let events = openapi::event_examples(env)?;
    // The widget's page has the hashes of its files.
    web::bridge(env)?;
    write_or_check(mode, &references::generate(env, (&document, &events), &english(env)?)?)
}

fn english(env: &Env) -> Outcome<Catalogue> {
    catalogue::parse(&files::read(&env.at("www/frame/locales/en.ftl"))?, "en")
}

/// Generates or checks only the texts. It needs no compiler run, so it is quick.
///
/// # Errors
/// If a catalogue is invalid or, in [`Mode::Check`], a generated file is stale or a text is not used.
pub fn texts(env: &Env, mode: Mode) -> Outcome {
    let widget = Catalogues::read(env, "www/frame/locales", mode)?;
    let service = Catalogues::read(env, "www/hosted/locales", mode)?;
    service.has_the_locales_of(&widget)?;
    let message = message_enum::render(&widget.english);
    let text_keys = text_keys::render(&widget.english, widget.tags());
    let service_texts = service_texts::render(&service.english, &service.locales)?;
    let rust = [
        ("crates/link-flow/src/generated/message.rs", message),
        ("crates/link-domain/src/notifications/generated/text_keys.rs", text_keys),
        ("crates/link-domain/src/notifications/generated/service_texts.rs", service_texts),
    ];
    let mut generated = vec![Generated {
        path: env.at("www/frame/generated/keys.json"),
        content: catalogue_json::keys(&widget.english),
    }];
    for (path, source) in rust {
        generated.push(Generated { path: env.at(path), content: format_rust(env, &source)? });
    }
    for (tag, locale) in &widget.locales {
        generated.push(Generated {
            path: env.at(&format!("www/frame/generated/{tag}.json")),
            content: catalogue_json::render(&widget.english, locale, tag)?,
        });
    }
    write_or_check(mode, &generated)?;
    if mode == Mode::Write {
        return Ok(());
    }
    message_usage::check(env, &widget.english, &message_usage::WIDGET)?;
    message_usage::check(env, &service.english, &message_usage::SERVICE)
}

/// The catalogues of a folder.
struct Catalogues {
    english: Catalogue,
    /// Every locale with its tag, English included, sorted by tag.
    locales: Vec<(String, Catalogue)>,
}

impl Catalogues {
    fn read(env: &Env, folder: &str, mode: Mode) -> Outcome<Self> {
        let mut locales = Vec::new();
        for path in files::walk(&env.at(folder))? {
            if let Some(tag) = files::name(&path).strip_suffix(".ftl") {
                locales.push((tag.to_owned(), catalogue::parse(&files::read(&path)?, tag)?));
            }
        }
        let english = locales.iter().find(|(tag, _)| tag == "en").map(|(_, english)| english.clone());
        let english = english.ok_or_else(|| {
            Failure::new("There is no English catalogue")
                .advice(format!("restore {folder}/en.ftl, which defines all keys"))
        })?;
        for (tag, locale) in &mut locales {
            // Translations may lag behind while someone writes texts, but not when they are committed.
            if mode == Mode::Write {
                for key in catalogue_json::borrow(&english, locale) {
                    println!("codegen: {folder}/{tag}.ftl does not have {key}; using the English text");
                }
            }
            plural_forms::check(locale, tag)?;
        }
        Ok(Self { english, locales })
    }

    fn tags(&self) -> impl Iterator<Item = &str> {
        self.locales.iter().map(|(tag, _)| tag.as_str())
    }

    /// Checks that both have the same languages. A person chooses one for the widget and for the pages around it.
    fn has_the_locales_of(&self, other: &Self) -> Outcome {
        if self.tags().eq(other.tags()) {
            return Ok(());
        }
        Err(Failure::new("www/hosted/locales and www/frame/locales have different languages")
            .advice("add each language to both folders"))
    }
}

fn write_or_check(mode: Mode, generated: &[Generated]) -> Outcome {
    let mut stale = Vec::new();
    for Generated { path, content } in generated {
        if std::fs::read_to_string(path).is_ok_and(|found| found == *content) {
            continue;
        }
        match mode {
            Mode::Write => {
                files::write(path, content)?;
                println!("codegen: wrote {}", path.display());
            }
            Mode::Check => stale.push(path.display().to_string()),
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(Failure::new("Generated files are stale").why(stale.join("\n")).advice(
        "run `cargo xtask codegen` and commit the result; edit the sources, never the generated files",
    ))
}

fn format_rust(env: &Env, source: &str) -> Outcome<String> {
    let scratch = env.cache.join("codegen").join(env.checkout()).join("scratch.rs");
    files::write(&scratch, source)?;
    env.program("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(env.at("rustfmt.toml"))
        .arg(&scratch)
        .output()?;
    files::read(&scratch)
}
