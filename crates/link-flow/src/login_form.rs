//! The open part of a login form: the visible fields, their text and its checks.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::provider::{FieldSchema, Provider};

use crate::fault::FieldError;
use crate::submission::Secrets;
use crate::view::Typed;

/// Longest chain of fields that depend on one another. The limit ends a cyclic schema.
const MAX_DEPTH: u8 = 4;

/// The chosen login option and the text of its open fields. Never contains secrets.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoginForm {
    option: usize,
    values: Vec<(String, Typed)>,
}

impl LoginForm {
    /// Creates an empty form for the login option with this index.
    pub(crate) fn of_option(option: usize) -> Self {
        Self { option, values: Vec::new() }
    }

    /// Returns the id of the login option; `None` for a provider without a login.
    pub(crate) fn option_id(&self, provider: &Provider) -> Option<String> {
        provider.login_options.get(self.option).map(|option| option.id.clone())
    }

    /// Returns the text of the first field that is not secret, as it is sent.
    pub(crate) fn login_name(&self, provider: &Provider) -> Option<Sensitive> {
        let field = self.visible(provider).into_iter().find(|field| !field.is_secret())?;
        Some(Sensitive::new(field.format.normalize(self.value(&field.name))))
    }

    /// Returns the visible fields, in order.
    pub(crate) fn visible<'a>(&self, provider: &'a Provider) -> Vec<&'a FieldSchema> {
        let fields = provider.login_options.get(self.option).map_or(&[][..], |option| &option.fields);
        fields.iter().filter(|field| self.is_visible(field, fields, MAX_DEPTH)).collect()
    }

    fn is_visible(&self, field: &FieldSchema, fields: &[FieldSchema], depth: u8) -> bool {
        let Some(condition) = &field.visible_when else { return true };
        let Some(other) = fields.iter().find(|other| other.name == condition.field) else { return false };
        depth > 0 && self.value(&other.name) == condition.equals && self.is_visible(other, fields, depth - 1)
    }

    /// Returns the text of an open field.
    pub(crate) fn value(&self, field: &str) -> &str {
        self.values.iter().find(|(name, _)| name == field).map_or("", |(_, text)| text.as_str())
    }

    /// Stores the text of an open field.
    pub(crate) fn set(&mut self, field: &str, text: Typed) {
        match self.values.iter_mut().find(|(name, _)| name == field) {
            Some((_, value)) => *value = text,
            None => self.values.push((field.to_owned(), text)),
        }
    }

    /// Returns whether nothing was typed.
    pub(crate) fn is_blank(&self) -> bool {
        self.values.iter().all(|(_, text)| text.is_blank())
    }

    /// Returns the fault of an open field.
    pub(crate) fn check(&self, field: &FieldSchema) -> Option<FieldError> {
        check(field, &field.format.normalize(self.value(&field.name)))
    }

    /// Returns the values to send.
    ///
    /// # Errors
    ///
    /// All faults, in the order of the fields.
    pub(crate) fn collect(
        &self,
        provider: &Provider,
        secrets: &mut Secrets,
    ) -> Result<BTreeMap<String, Sensitive>, Vec<(String, FieldError)>> {
        let mut faults = Vec::new();
        let mut credentials = BTreeMap::new();
        for field in self.visible(provider) {
            let secret = field.is_secret().then(|| secrets.take(&field.name).unwrap_or_default());
            let typed = secret.as_ref().map_or_else(|| self.value(&field.name), Sensitive::expose);
            let text = Sensitive::new(field.format.normalize(typed));
            match check(field, text.expose()) {
                Some(fault) => faults.push((field.name.clone(), fault)),
                None if text.is_empty() => {}
                None => {
                    credentials.insert(field.name.clone(), text);
                }
            }
        }
        if faults.is_empty() { Ok(credentials) } else { Err(faults) }
    }
}

/// Returns whether a text that is sent unchanged begins or ends with a space.
pub(crate) fn has_stray_space(field: &FieldSchema, text: &str) -> bool {
    text.trim() != text && field.format.normalize(text) == text
}

fn check(field: &FieldSchema, text: &str) -> Option<FieldError> {
    if text.is_empty() && !field.required {
        return None;
    }
    field.format.check(text).err().map(FieldError::Format)
}
