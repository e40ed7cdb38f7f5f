//! Typing: what is checked when, and what is said at the field.

use link_types::provider::FieldSchema;

use super::{Login, form};
use crate::fault::Fault;
use crate::state::State;
use crate::view::Typed;

impl Login {
    pub(super) fn open_field(&self, name: &str) -> Option<&FieldSchema> {
        self.form.visible(&self.provider).into_iter().find(|field| field.name == name && !field.is_secret())
    }

    pub(super) fn edited(mut self: Box<Self>, name: &str, text: Typed) -> State {
        if self.open_field(name).is_none() {
            return State::Login(self);
        }
        self.form.set(name, text);
        self.stray_spaces.retain(|other| other != name);
        // A fault that is already shown goes as soon as it is mended; a new one is shown on leaving the field.
        if self.fault(name).is_some() {
            self.recheck(name);
        }
        State::Login(self)
    }

    pub(super) fn left(mut self: Box<Self>, name: &str) -> State {
        let Some(field) = self.open_field(name) else { return State::Login(self) };
        let text = self.form.value(name);
        let strays = form::has_stray_space(field, text);
        if !text.is_empty() {
            self.recheck(name);
        }
        self.stray_spaces.retain(|other| other != name);
        if strays {
            self.stray_spaces.push(name.to_owned());
        }
        State::Login(self)
    }

    pub(super) fn secret_left(mut self: Box<Self>, name: String, empty: bool, stray_space: bool) -> State {
        let is_secret = |field: &&FieldSchema| field.name == name && field.is_secret();
        if !self.form.visible(&self.provider).iter().any(is_secret) {
            return State::Login(self);
        }
        self.filled_secrets.retain(|other| *other != name);
        self.stray_spaces.retain(|other| *other != name);
        if stray_space {
            self.stray_spaces.push(name.clone());
        }
        if !empty {
            self.faults.retain(|(other, _)| *other != name);
            self.filled_secrets.push(name);
        }
        State::Login(self)
    }

    pub(super) fn fault(&self, name: &str) -> Option<Fault> {
        self.faults.iter().find(|(other, _)| other == name).map(|(_, fault)| *fault)
    }

    pub(super) fn recheck(&mut self, name: &str) {
        let fault = self.open_field(name).and_then(|field| self.form.check(field));
        self.faults.retain(|(other, _)| other != name);
        self.faults.extend(fault.map(|fault| (name.to_owned(), fault)));
    }
}
