//! The step that the service stores for a reload: consent, provider, login option, document kind.
//!
//! Only one save is under way at a time, so that saves arrive in order. A failed save is retried after the next reply.

use link_types::archive::ArchiveType;
use link_types::id::ProviderId;
use link_types::uploading::{LinkedAccount, ResumePoint};

use crate::context::Context;
use crate::effect::Effect;
use crate::event::RequestId;

/// The resume point and which part of it the service knows.
#[derive(Debug, Default)]
pub(crate) struct ResumeState {
    pub(crate) at: ResumePoint,
    /// Whether the consent of the account to sign in to again covers the terms.
    pub(crate) is_covered: bool,
    saving: Option<RequestId>,
    is_unsaved: bool,
}

impl ResumeState {
    /// Wraps a resume point that the service returned. `is_covered` is whether its account has a consent to the terms.
    pub(crate) fn from_service(at: ResumePoint, is_covered: bool) -> Self {
        let is_covered = is_covered && at.account_id.is_some();
        Self { at, is_covered, saving: None, is_unsaved: false }
    }

    /// Returns whether that request saves the resume point.
    pub(crate) fn is_saved_by(&self, request: RequestId) -> bool {
        self.saving == Some(request)
    }
}

/// Saves the consent of the person or the tenant.
pub(crate) fn save_consent(context: &mut Context) {
    if context.resume_point.at.consent.as_ref() != context.consent.receipt() {
        save(context);
    }
}

/// Clears the resume point after success, so that the next opening starts from the beginning.
pub(crate) fn clear(context: &mut Context) {
    if context.resume_point.at != ResumePoint::default() {
        context.resume_point.at = ResumePoint::default();
        context.resume_point.is_covered = false;
        send_next(context);
    }
}

/// Saves the chosen provider and login option, or that there is none.
pub(crate) fn at_provider(provider: Option<&ProviderId>, option: Option<&str>, context: &mut Context) {
    let ResumeState { at, is_covered, .. } = &mut context.resume_point;
    let is_account_kept = provider.is_some() && at.provider_id.as_ref() == provider;
    if at.provider_id.as_ref() != provider
        || at.login_option.as_deref() != option
        || (at.account_id.is_some() && !is_account_kept)
        || (provider.is_some() && at.archive_type.is_some())
    {
        let was_at_account = !is_account_kept && at.account_id.take().is_some();
        if !is_account_kept {
            *is_covered = false;
        }
        at.provider_id = provider.cloned();
        at.login_option = option.map(str::to_owned);
        at.archive_type = None;
        if was_at_account {
            // The choice for another account is not preselected.
            context.chosen_data = Vec::new();
        }
        save(context);
    }
}

/// Saves that the person signs in to an account again.
pub(crate) fn at_account(account: &LinkedAccount, context: &mut Context) {
    context.resume_point.is_covered = !account.consent_needed;
    context.chosen_data.clone_from(&account.chosen_data);
    let at = &mut context.resume_point.at;
    at.provider_id = Some(account.provider_id.clone());
    at.account_id = Some(account.account_id.clone());
    at.login_option = None;
    at.archive_type = None;
    save(context);
}

/// Saves the chosen document kind, or that there is none.
pub(crate) fn at_documents(kind: Option<ArchiveType>, context: &mut Context) {
    if context.resume_point.at.archive_type != kind {
        context.resume_point.at.archive_type = kind;
        save(context);
    }
}

fn save(context: &mut Context) {
    context.resume_point.at.consent = context.consent.receipt().cloned();
    send_next(context);
}

fn send_next(context: &mut Context) {
    context.resume_point.is_unsaved = true;
    if context.resume_point.saving.is_none() {
        send(context);
    }
}

fn send(context: &mut Context) {
    if context.is_phone() {
        // The service stores what the computer chose.
        return;
    }
    let request = context.new_request();
    let body = Box::new(context.resume_point.at.clone());
    context.resume_point.saving = Some(request);
    context.resume_point.is_unsaved = false;
    context.effect(Effect::SaveResumePoint { request, body });
}

/// Handles the reply to a save. Sends the next one if there are changes.
pub(crate) fn handle_reply(is_settled: bool, context: &mut Context) {
    context.resume_point.saving = None;
    if !is_settled {
        context.resume_point.is_unsaved = true;
    } else if context.resume_point.is_unsaved {
        send(context);
    }
}

/// Sends unsaved changes, because the service can be reached again.
pub(crate) fn catch_up(context: &mut Context) {
    if context.resume_point.is_unsaved && context.resume_point.saving.is_none() {
        send(context);
    }
}

/// Saves again in a new session. A reply in the old one never arrives, and the service keeps no consent of it: this opening
/// of the widget knows that the person gave it here.
pub(crate) fn resume(stored: &ResumePoint, context: &mut Context) {
    let consent = context.consent.receipt().cloned();
    let state = &mut context.resume_point;
    if state.at.consent.is_some() {
        // The terms may have changed since it was saved.
        state.at.consent = consent;
    }
    state.is_unsaved |= state.saving.take().is_some() || stored.consent != state.at.consent;
    catch_up(context);
}
