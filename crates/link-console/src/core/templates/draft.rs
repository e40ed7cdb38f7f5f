//! The draft of a template: the value of each field by its path, also those that the service would not accept.

use std::collections::BTreeMap;

use link_types::form_submission::LinkSiteForm;
use serde::{Deserialize, Serialize};

use super::wire::AnyTemplate;
use crate::core::edited::Draft;

/// The path of the languages of the translations, which the service does not have.
pub const LANGUAGES: &str = "languages";

/// A template as the editor has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateDraft {
    /// The values of the fields that are not empty, by path. Lists have one item in each line.
    values: BTreeMap<String, String>,
    /// The form of a link template. The editor passes it on as it is.
    pub form: Option<LinkSiteForm>,
}

impl TemplateDraft {
    /// Returns the value of a field, as typed.
    pub fn get(&self, path: &str) -> &str {
        self.values.get(path).map(String::as_str).unwrap_or_default()
    }

    /// Returns whether a field is on.
    pub fn is_on(&self, path: &str) -> bool {
        !self.get(path).is_empty()
    }

    /// Returns the items of a list that are not empty.
    pub fn items(&self, path: &str) -> impl Iterator<Item = &str> {
        self.get(path).lines().map(str::trim).filter(|it| !it.is_empty())
    }

    /// Returns the paths below a path, with what follows it.
    pub fn below<'d>(&'d self, path: &'d str) -> impl Iterator<Item = (&'d str, &'d str)> {
        self.values.iter().filter_map(move |(it, value)| Some((it.strip_prefix(path)?, value.as_str())))
    }

    /// Sets a field. An empty value removes it.
    pub fn set(&mut self, path: &str, value: &str) {
        if value.is_empty() {
            self.values.remove(path);
        } else {
            self.values.insert(path.to_owned(), value.to_owned());
        }
    }

    /// Keeps a field without a value, so that the editor shows it.
    pub(super) fn set_open(&mut self, path: &str) {
        self.values.entry(path.to_owned()).or_default();
    }

    pub(super) fn set_on(&mut self, path: &str, is_on: bool) {
        self.set(path, if is_on { "true" } else { "" });
    }

    pub(super) fn set_items(&mut self, path: &str, items: impl IntoIterator<Item = impl AsRef<str>>) {
        let items: Vec<String> = items.into_iter().map(|it| it.as_ref().to_owned()).collect();
        self.set(path, &items.join("\n"));
    }

    /// Adds an item to a list, or removes it.
    pub(super) fn tick(&mut self, path: &str, item: &str, is_in: bool) {
        let mut items: Vec<String> = self.items(path).filter(|it| *it != item).map(str::to_owned).collect();
        if is_in {
            items.push(item.to_owned());
        }
        self.set_items(path, items);
    }

    /// Moves an item of a list to a place. Returns the place that it got.
    pub(super) fn move_item(&mut self, path: &str, item: &str, to: usize) -> Option<usize> {
        let mut items: Vec<String> = self.items(path).map(str::to_owned).collect();
        let from = items.iter().position(|it| it == item)?;
        let moved = items.remove(from);
        let to = to.min(items.len());
        items.insert(to, moved);
        self.set_items(path, items);
        Some(to)
    }

    /// Removes a language with its translations.
    pub(super) fn remove_language(&mut self, language: &str) {
        self.tick(LANGUAGES, language, false);
        let prefix = format!("translations.{language}.");
        self.values.retain(|path, _| !path.starts_with(&prefix));
    }

    /// Returns the draft without its logos, which the service keeps only while a template uses them.
    pub(super) fn without_logos(mut self) -> Self {
        for path in super::fields::LOGOS {
            self.values.remove(path);
        }
        self
    }
}

impl Draft for TemplateDraft {
    type Saved = AnyTemplate;

    fn from_saved(saved: &AnyTemplate) -> Self {
        saved.draft()
    }

    fn revision_of(saved: &AnyTemplate) -> &str {
        saved.revision()
    }

    fn parts(&self) -> BTreeMap<String, String> {
        let mut parts: BTreeMap<String, String> = self.values.clone();
        if let Some(form) = &self.form {
            let names: Vec<&str> = form.fields.iter().map(|it| it.name.as_str()).collect();
            parts.insert("form".to_owned(), format!("{}: {}", form.reference, names.join(", ")));
        }
        for path in super::fields::LOGOS {
            if let Some(logo) = parts.get_mut(path).filter(|it| it.starts_with("data:")) {
                logo.truncate(logo.find(',').unwrap_or(5));
            }
        }
        parts
    }
}
