//! The start and the end of a member's session in the state.

use link_types::console::SignedIn;

use super::Effect;
use super::sites::drafts_of;
use super::state::{Form, State, Visitor};
use super::templates;

impl State {
    /// Starts the session of a member. Another member sees nothing of the last one.
    pub(super) fn welcome(&mut self, signed_in: Box<SignedIn>) {
        let id = signed_in.member.id.clone();
        if self.last_member.as_ref().is_some_and(|last| *last != id) {
            *self = Self { page: self.page, has_code: self.has_code, ..Self::new() };
        }
        (self.visitor, self.last_member) = (Visitor::SignedIn(signed_in), Some(id));
        self.has_kept_draft = false;
    }

    /// Forgets everything, so that the next person sees nothing of this one.
    pub(super) fn sign_out(&mut self) -> Vec<Effect> {
        let member = self.last_member.as_ref();
        let names = member.map(|it| [drafts_of(it.as_str()), templates::drafts_of(it.as_str())]);
        let forgotten: Vec<Effect> = names.into_iter().flatten().map(Effect::ForgetDrafts).collect();
        *self = Self { page: self.page, ..Self::new() };
        forgotten.into_iter().chain(self.show_signed_out()).collect()
    }

    /// Forgets everything except what was typed, which the same member finds after the next sign-in.
    pub(super) fn end(&mut self) -> Vec<Effect> {
        let ended = std::mem::take(self);
        *self = Self {
            page: ended.page,
            last_member: ended.last_member,
            sandbox_form: Form::new(ended.sandbox_form.draft),
            production_form: Form::new(ended.production_form.draft),
            member_form: Form::new(ended.member_form.draft),
            has_kept_draft: ended.has_kept_draft
                || ended.sites.has_changes()
                || ended.templates.has_changes(),
            developer: ended.developer.drafts(),
            sign_on: ended.sign_on.drafts(),
            ..Self::new()
        };
        self.show_signed_out()
    }
}
