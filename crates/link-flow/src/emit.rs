//! Emits callbacks to the host page. Each has a key, and the bridge calls a callback once per key while the page lives.
//!
//! The key of an account event contains the attempt, because a later opening may emit it again. The key of a UI event
//! contains the opening.

use link_types::ErrorCode;
use link_types::host::{
    AccountErrorSubject, AccountSubject, Callback, LinkFailure, LinkMistake, UiEvent, UiEventAccount,
    UiEventArchive, UiEventName, Upload, UploadedFile, UploadsSubject,
};
use link_types::id::{AccountId, ArchiveId, ProviderId};
use link_types::uploading::ArchiveProgress;

use crate::context::Context;
use crate::effect::Effect;

/// An account and its provider, as callbacks name them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) account: &'a AccountId,
    pub(crate) provider: &'a ProviderId,
}

/// Emits that linking began. It does so again when an attempt is resumed; the key prevents a second call.
pub(crate) fn account_created(subject: Subject<'_>, context: &mut Context) {
    let Some(argument) = account_subject(subject, context) else { return };
    emit(
        "accountCreated",
        argument.account_id.as_str().to_owned(),
        Callback::AccountCreated(argument),
        context,
    );
}

/// Emits that linking succeeded.
pub(crate) fn account_connected(subject: Subject<'_>, context: &mut Context) {
    let Some(argument) = account_subject(subject, context) else { return };
    context.closing.set_error(None);
    emit(
        "accountConnected",
        argument.account_id.as_str().to_owned(),
        Callback::AccountConnected(argument),
        context,
    );
}

/// Emits that the person disconnected an account.
pub(crate) fn account_removed(subject: Subject<'_>, context: &mut Context) {
    let Some(argument) = account_subject(subject, context) else { return };
    emit(
        "accountRemoved",
        argument.account_id.as_str().to_owned(),
        Callback::AccountRemoved(argument),
        context,
    );
}

/// Emits that a login failed. Each failure has its own version.
pub(crate) fn account_error(
    subject: Subject<'_>,
    version: u32,
    error_code: ErrorCode,
    context: &mut Context,
) {
    let Some(AccountSubject { account_id, user_id, provider_id }) = account_subject(subject, context) else {
        return;
    };
    context.closing.set_error(Some(error_code.clone()));
    let key = format!("{}/{version}", account_id.as_str());
    let argument = AccountErrorSubject { account_id, user_id, provider_id, error_code };
    emit("accountError", key, Callback::AccountError(argument), context);
}

/// Documents were uploaded. Emitted again when an attempt is resumed; the key prevents a second call.
pub(crate) fn uploads_created(archive: &ArchiveProgress, context: &mut Context) {
    if let Some(argument) = uploads_subject(archive, context) {
        let key = archive.archive_id.as_str().to_owned();
        emit("uploadsCreated", key, Callback::UploadsCreated(argument), context);
    }
}

/// Emits that the person removed documents.
pub(crate) fn uploads_removed(archive: &ArchiveProgress, context: &mut Context) {
    if let Some(argument) = uploads_subject(archive, context) {
        let key = archive.archive_id.as_str().to_owned();
        emit("uploadsRemoved", key, Callback::UploadsRemoved(argument), context);
    }
}

fn uploads_subject(archive: &ArchiveProgress, context: &Context) -> Option<UploadsSubject> {
    let file = |file: &link_types::uploading::UploadFile| UploadedFile {
        id: file.file_id.as_str().to_owned(),
        name: file.name.clone(),
    };
    let upload = Upload {
        archive_id: archive.archive_id.clone(),
        upload_type: archive.archive_type.as_str().to_owned(),
        files: archive.files.iter().map(file).collect(),
    };
    Some(UploadsSubject { uploads: vec![upload], user_id: context.session.as_ref()?.user.clone() })
}

/// Emits that the token or session has expired.
pub(crate) fn token_expired(context: &mut Context) {
    context.expiries += 1;
    // The UI event of the page follows each of them, so that the numbers differ.
    let number = context.last_seq();
    emit_of_opening("tokenExpired", number, Callback::TokenExpired {}, context);
}

/// Emits that the tenant's page made a mistake.
pub(crate) fn error(cause: LinkMistake, context: &mut Context) {
    let number = context.last_seq();
    emit_of_opening(cause.as_str(), number, Callback::Error(LinkFailure { cause }), context);
}

/// Emits a UI event.
pub(crate) fn ui_event(event_name: UiEventName, subject: Option<Subject<'_>>, context: &mut Context) {
    let account =
        subject.map(|it| UiEventAccount { account_id: it.account.clone(), provider_id: it.provider.clone() });
    event(event_name, account, None, context);
}

/// Emits a UI event about an upload.
pub(crate) fn archive_event(event_name: UiEventName, archive: &ArchiveId, context: &mut Context) {
    event(event_name, None, Some(UiEventArchive { archive_id: archive.clone() }), context);
}

fn event(
    event_name: UiEventName,
    account: Option<UiEventAccount>,
    archive: Option<UiEventArchive>,
    context: &mut Context,
) {
    context.closing.record_event(event_name);
    if let Some(account) = &account {
        context.closing.set_provider(&account.provider_id);
    }
    let seq = context.next_seq();
    let event = UiEvent {
        event_name,
        event_time: String::new(),
        mode: context.mode,
        user_id: context.session.as_ref().map(|session| session.user.clone()),
        account,
        archive,
        seq,
    };
    emit_of_opening("uiEvent", seq, Callback::UiEvent(event), context);
}

fn account_subject(subject: Subject<'_>, context: &Context) -> Option<AccountSubject> {
    Some(AccountSubject {
        account_id: subject.account.clone(),
        user_id: context.session.as_ref()?.user.clone(),
        provider_id: subject.provider.clone(),
    })
}

fn emit(kind: &str, subject: String, callback: Callback, context: &mut Context) {
    let attempt = context.attempt().map_or("", |attempt| attempt.as_str());
    let key = format!("{attempt}/{kind}/{subject}");
    context.effect(Effect::Emit { key, callback });
}

fn emit_of_opening(kind: &str, number: u32, callback: Callback, context: &mut Context) {
    let key = format!("{}/{kind}/{number}", context.opening);
    context.effect(Effect::Emit { key, callback });
}
