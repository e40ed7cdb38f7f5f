//! What a person typed into secret inputs, on its one way from the DOM into an effect.

use link_types::Sensitive;

/// Passwords and codes by field id. The body gathers them when a form is submitted; the flow moves them into the
/// effect and keeps none. `Debug` shows the ids only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets(Vec<(String, Sensitive)>);

impl Secrets {
    /// No secrets: the form has no such input.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds what an input holds.
    pub fn insert(&mut self, field: impl Into<String>, text: impl Into<String>) {
        self.0.push((field.into(), Sensitive::new(text)));
    }

    /// What the input of that id holds.
    pub fn get(&self, field: &str) -> Option<&Sensitive> {
        self.0.iter().find(|(id, _)| id == field).map(|(_, text)| text)
    }

    /// Takes what the input of that id holds out of here.
    pub fn take(&mut self, field: &str) -> Option<Sensitive> {
        let at = self.0.iter().position(|(id, _)| id == field)?;
        Some(self.0.swap_remove(at).1)
    }
}
