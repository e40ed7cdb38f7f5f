//! A login that is being typed, without its secrets. It outlives the login page while the person gives consent.

use link_types::id::AccountId;
use link_types::provider::{FieldSchema, Provider};

use crate::call::Trouble;
use crate::fault::FieldError;
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::login_form::{self, LoginForm};
use crate::view::Typed;
use crate::wait::Wait;

/// Everything that the login page shows.
#[derive(Debug)]
pub(crate) struct LoginDraft {
    pub(crate) provider: Provider,
    pub(crate) form: LoginForm,
    pub(crate) faults: Vec<(String, FieldError)>,
    pub(crate) stray_spaces: Vec<String>,
    pub(crate) filled_secrets: Vec<String>,
    /// The account of an earlier attempt at this provider.
    pub(crate) known: Option<AccountId>,
    pub(crate) notice: Option<Notice>,
    /// Runs until the service accepts another attempt.
    pub(crate) wait: Option<Wait>,
}

/// The notice above the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The password must be typed again, because it was not stored.
    Again,
    /// The program was restarted after a trap. What was typed is still there, except secrets.
    Restarted,
    /// The login did not reach the service.
    NotSent,
    /// The session ended and was renewed before the login reached the service.
    Renewed,
    /// The login is for another account than the one to sign in to again.
    OtherAccount,
    /// Too many logins failed.
    TooManyTries,
    /// The service did not accept the request.
    Trouble(Trouble),
}

impl LoginDraft {
    /// Creates an empty form.
    pub(crate) fn new(provider: Provider, form: LoginForm) -> Self {
        Self {
            provider,
            form,
            faults: Vec::new(),
            stray_spaces: Vec::new(),
            filled_secrets: Vec::new(),
            known: None,
            notice: None,
            wait: None,
        }
    }

    /// Creates the form after a failed login: open fields are filled in, secret fields are empty.
    pub(crate) fn again(linking: Linking) -> Self {
        let Linking { provider, account, form, .. } = linking;
        Self { known: Some(account), ..Self::new(provider, form) }.without_secrets()
    }

    /// Says that the secrets must be typed again, because they are not stored.
    pub(crate) fn without_secrets(mut self) -> Self {
        let asks_secret = self.form.visible(&self.provider).iter().any(|field| field.is_secret());
        self.notice = asks_secret.then_some(Notice::Again);
        self.filled_secrets.clear();
        self
    }

    /// Returns whether nothing was typed.
    pub(crate) fn is_blank(&self) -> bool {
        self.form.is_blank() && self.filled_secrets.is_empty()
    }

    /// Returns the text about the data that leaving would lose.
    #[inline(never)] // the first part calls it, too
    pub(crate) fn loss(&self) -> Option<Message> {
        (!self.is_blank()).then_some(Message::LeaveTyped)
    }

    fn open_field(&self, name: &str) -> Option<&FieldSchema> {
        self.form.visible(&self.provider).into_iter().find(|field| field.name == name && !field.is_secret())
    }

    /// Stores the text of an open field.
    pub(crate) fn edit(&mut self, name: &str, text: Typed) {
        // The shell reports every field when the form is submitted, because a password manager may have filled it.
        if self.open_field(name).is_none() || self.form.value(name) == text.as_str() {
            return;
        }
        self.form.set(name, text);
        self.stray_spaces.retain(|other| other != name);
        // A visible fault disappears as soon as it is corrected. A new one appears when the person leaves the field.
        if self.fault(name).is_some() {
            self.recheck(name);
        }
    }

    /// Checks an open field that lost the focus.
    pub(crate) fn check_left(&mut self, name: &str) {
        let Some(field) = self.open_field(name) else { return };
        let text = self.form.value(name);
        let strays = login_form::has_stray_space(field, text);
        if !text.is_empty() {
            self.recheck(name);
        }
        self.stray_spaces.retain(|other| other != name);
        if strays {
            self.stray_spaces.push(name.to_owned());
        }
    }

    /// Records what is known about a secret field that lost the focus.
    pub(crate) fn secret_left(&mut self, name: String, empty: bool, stray_space: bool) {
        let is_secret = |field: &&FieldSchema| field.name == name && field.is_secret();
        if !self.form.visible(&self.provider).iter().any(is_secret) {
            return;
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
    }

    /// Returns the fault of a field.
    pub(crate) fn fault(&self, name: &str) -> Option<FieldError> {
        self.faults.iter().find(|(other, _)| other == name).map(|(_, fault)| *fault)
    }

    fn recheck(&mut self, name: &str) {
        let fault = self.open_field(name).and_then(|field| self.form.check(field));
        self.faults.retain(|(other, _)| other != name);
        self.faults.extend(fault.map(|fault| (name.to_owned(), fault)));
    }
}
