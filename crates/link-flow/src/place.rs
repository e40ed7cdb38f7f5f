//! Where the person is, as the service keeps it for a reload: consent, provider, login option, kind of document.
//!
//! One save is under way at a time, so that they arrive in order; one that failed goes out again after the next answer.

use link_types::archive::ArchiveType;
use link_types::id::ProviderId;
use link_types::uploading::AttemptPlace;

use crate::context::Context;
use crate::effect::Effect;
use crate::event::RequestId;

/// The place and how far the service knows it.
#[derive(Debug, Default)]
pub(crate) struct Place {
    pub(crate) at: AttemptPlace,
    saving: Option<RequestId>,
    is_unsaved: bool,
}

impl Place {
    /// A place that the service gave back.
    pub(crate) fn known(at: AttemptPlace) -> Self {
        Self { at, saving: None, is_unsaved: false }
    }

    /// Whether that request saves it.
    pub(crate) fn is_saved_by(&self, request: RequestId) -> bool {
        self.saving == Some(request)
    }
}

/// The person gave their consent, or the tenant vouched for it.
pub(crate) fn consented(context: &mut Context) {
    if context.place.at.consent != context.receipt() {
        save(context);
    }
}

/// All is done that was begun: whoever comes back begins anew.
pub(crate) fn done(context: &mut Context) {
    if context.place.at != AttemptPlace::default() {
        context.place.at = AttemptPlace::default();
        send_next(context);
    }
}

/// A provider was chosen, and a login option there; or none is any more.
pub(crate) fn at_provider(provider: Option<&ProviderId>, option: Option<&str>, context: &mut Context) {
    let at = &mut context.place.at;
    if at.provider_id.as_ref() != provider
        || at.login_option.as_deref() != option
        || (provider.is_some() && at.archive_type.is_some())
    {
        at.provider_id = provider.cloned();
        at.login_option = option.map(str::to_owned);
        at.archive_type = None;
        save(context);
    }
}

/// A kind of document was chosen, or none is any more.
pub(crate) fn at_documents(kind: Option<ArchiveType>, context: &mut Context) {
    if context.place.at.archive_type != kind {
        context.place.at.archive_type = kind;
        save(context);
    }
}

fn save(context: &mut Context) {
    context.place.at.consent = context.receipt();
    send_next(context);
}

fn send_next(context: &mut Context) {
    context.place.is_unsaved = true;
    if context.place.saving.is_none() {
        send(context);
    }
}

fn send(context: &mut Context) {
    let request = context.new_request();
    let body = Box::new(context.place.at.clone());
    context.place.saving = Some(request);
    context.place.is_unsaved = false;
    context.effect(Effect::SavePlace { request, body });
}

/// A save was answered.
pub(crate) fn answered(is_settled: bool, context: &mut Context) {
    context.place.saving = None;
    if !is_settled {
        context.place.is_unsaved = true;
    } else if context.place.is_unsaved {
        send(context);
    }
}

/// The service can be reached again: what it does not know goes out.
pub(crate) fn catch_up(context: &mut Context) {
    if context.place.is_unsaved && context.place.saving.is_none() {
        send(context);
    }
}

/// A new session goes on: an answer in the old one never comes.
pub(crate) fn resume(context: &mut Context) {
    context.place.is_unsaved |= context.place.saving.take().is_some();
    catch_up(context);
}
