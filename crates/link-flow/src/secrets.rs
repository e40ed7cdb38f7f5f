//! The text of secret inputs on its way from the DOM into an effect.

use link_types::Sensitive;

/// Passwords and codes by field id. The shell collects them when a form is submitted, and the flow moves them into the
/// effect. `Debug` shows only the ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets(Vec<(String, Sensitive)>);

impl Secrets {
    /// Creates an empty set, for a form without secret inputs.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds the text of an input.
    pub fn insert(&mut self, field: impl Into<String>, text: impl Into<String>) {
        self.0.push((field.into(), Sensitive::new(text)));
    }

    /// Returns the text of an input.
    pub fn get(&self, field: &str) -> Option<&Sensitive> {
        self.0.iter().find(|(id, _)| id == field).map(|(_, text)| text)
    }

    /// Removes and returns the text of an input.
    pub fn take(&mut self, field: &str) -> Option<Sensitive> {
        let at = self.0.iter().position(|(id, _)| id == field)?;
        Some(self.0.swap_remove(at).1)
    }
}
