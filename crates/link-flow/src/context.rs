//! Context that all screens share: the session, the effects of the current step, and the counters of requests and
//! pages.

use link_types::Mode;
use link_types::data::DataPointKind;
use link_types::id::{AccountId, AttemptId, ProviderId, UserId};
use link_types::link::{
    AccountProgress, AttemptState, ConsentGivenBy, ConsentReceipt, DataChoice, LinkPhase, LinkSession,
    SessionTemplate,
};
use link_types::uploading::ResumePoint;
use link_types::{id::LinkTemplateId, sensitive::Sensitive};

use crate::closing_point::ClosingPoint;
use crate::consent_state::ConsentState;
use crate::effect::Effect;
use crate::event::{RequestId, TimerId};
use crate::preferences::Preferences;
use crate::provider_list::ProviderListState;
use crate::resume_point::ResumeState;
use crate::session::Session;
use crate::view::{Announcement, Focus, FocusTarget, Text};

/// Shared by all screens and owned by the flow.
#[derive(Debug)]
pub(crate) struct Context {
    /// Whether the deferred chunk is loaded.
    pub(crate) chunk_loaded: bool,
    /// The request that prefetches the deferred chunk.
    pub(crate) prefetching: Option<RequestId>,
    /// The options of the tenant's page.
    pub(crate) preferences: Preferences,
    /// The environment.
    pub(crate) mode: Mode,
    /// Whether the device is operated by touch, as phones are.
    pub(crate) is_touch: bool,
    /// A name that no other opening of the widget has.
    pub(crate) opening: String,
    /// Whether the program was restarted after a trap, and the person does not know yet.
    pub(crate) restarted: bool,
    /// The session, once a token was exchanged.
    pub(crate) session: Option<Session>,
    /// A token that the host page gave before it was needed. It is used when the session ends.
    pub(crate) spare_token: Option<Sensitive>,
    /// The version of the attempt's account that the service last reported.
    pub(crate) last_progress: Option<LastProgress>,
    /// The consent in this opening.
    pub(crate) consent: ConsentState,
    /// The optional kinds of data that the person chose to share, here or with their last consent.
    pub(crate) chosen_data: Vec<DataPointKind>,
    /// The step that the service stores, so that a reload can resume it.
    pub(crate) resume_point: ResumeState,
    /// The provider list as the person left it.
    pub(crate) provider_list: ProviderListState,
    /// Where the person is, for `onClose`.
    pub(crate) closing: ClosingPoint,
    /// How often `onTokenExpired` was emitted for this session.
    pub(crate) expiries: u32,
    effects: Vec<Effect>,
    last_number: u32,
    last_seq: u32,
    page: u32,
    announcement: Announcement,
    focus: Focus,
}

/// The person, template and environment of a session. A session with another identity never resumes its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) user: UserId,
    pub(crate) template: LinkTemplateId,
    pub(crate) mode: Mode,
}

impl Identity {
    /// Returns whether a session is for the same person, template and environment.
    pub(crate) fn is_of(&self, session: &LinkSession) -> bool {
        self.user == session.user_id && self.template == session.template.id && self.mode == session.mode
    }
}

/// The progress of an account in the last reply.
#[derive(Debug)]
pub(crate) struct LastProgress {
    account: AccountId,
    version: u32,
    is_connected: bool,
}

impl LastProgress {
    /// Extracts it from an account's progress.
    pub(crate) fn from_progress(progress: &AccountProgress) -> Self {
        let AccountProgress { account_id, version, .. } = progress;
        Self { account: account_id.clone(), version: *version, is_connected: is_connected(progress) }
    }
}

fn is_connected(progress: &AccountProgress) -> bool {
    matches!(progress.phase, LinkPhase::Connected {})
}

impl Context {
    pub(crate) fn new(preferences: Preferences) -> Self {
        Self {
            preferences,
            chunk_loaded: true,
            prefetching: None,
            mode: Mode::Production,
            is_touch: false,
            opening: String::new(),
            restarted: false,
            session: None,
            spare_token: None,
            last_progress: None,
            consent: ConsentState::Missing,
            chosen_data: Vec::new(),
            resume_point: ResumeState::default(),
            provider_list: ProviderListState::default(),
            closing: ClosingPoint::default(),
            expiries: 0,
            effects: Vec::new(),
            last_number: 0,
            last_seq: 0,
            page: 0,
            announcement: Announcement { turn: 0, text: None },
            focus: Focus { turn: 0, target: FocusTarget::Heading },
        }
    }

    /// Adds an effect to the current step.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Removes and returns the effects of the current step, in order.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        core::mem::take(&mut self.effects)
    }

    /// Returns a request number that was not used before.
    pub(crate) fn new_request(&mut self) -> RequestId {
        self.last_number += 1;
        RequestId(self.last_number)
    }

    /// Starts a timer.
    pub(crate) fn start_timer(&mut self, after_ms: u32) -> TimerId {
        self.last_number += 1;
        let timer = TimerId(self.last_number);
        self.effect(Effect::StartTimer { timer, after_ms });
        timer
    }

    /// Starts a new page: its blocks are rebuilt and its heading takes the focus.
    pub(crate) fn turn_page(&mut self) {
        self.page += 1;
        self.focus(FocusTarget::Heading);
    }

    /// Moves the focus.
    pub(crate) fn focus(&mut self, target: FocusTarget) {
        self.focus = Focus { turn: self.focus.turn + 1, target };
    }

    /// Announces a text in the live region.
    pub(crate) fn announce(&mut self, text: impl Into<Text>) {
        self.announcement = Announcement { turn: self.announcement.turn + 1, text: Some(text.into()) };
    }

    /// Returns the key of the current page.
    pub(crate) fn page_key(&self) -> u32 {
        self.page
    }

    /// Returns the current announcement.
    pub(crate) fn announcement(&self) -> Announcement {
        self.announcement.clone()
    }

    /// Returns the current focus.
    pub(crate) fn current_focus(&self) -> Focus {
        self.focus.clone()
    }

    /// Returns the next UI event number.
    pub(crate) fn next_seq(&mut self) -> u32 {
        self.last_seq += 1;
        self.last_seq
    }

    /// Returns the number of the last UI event.
    pub(crate) fn last_seq(&self) -> u32 {
        self.last_seq
    }

    /// Continues the UI event numbers of a program that ended before this one.
    pub(crate) fn resume_seq(&mut self, last_seq: u32) {
        self.last_seq = last_seq;
    }

    /// Returns the tenant's name; empty before there is a session.
    pub(crate) fn company(&self) -> &str {
        let template = self.session.as_ref().map_or("", |session| &session.template.company_name);
        self.preferences.company_name.as_deref().unwrap_or(template)
    }

    /// Returns the attempt under way.
    pub(crate) fn attempt(&self) -> Option<&AttemptId> {
        self.session.as_ref().map(|session| &session.attempt)
    }

    /// Returns whether the progress is newer than what the service reported before, or about another account.
    pub(crate) fn is_newer(&self, progress: &AccountProgress) -> bool {
        self.last_progress.as_ref().is_none_or(|last| {
            // The version of a linked account still grows while the service reads its data.
            let still_linked = last.is_connected && is_connected(progress);
            last.account != progress.account_id || (last.version < progress.version && !still_linked)
        })
    }

    /// Adopts the resume point of a session. Its consent was given in this session: the service returns no other. Drops it
    /// if the terms have changed since. `is_covered` is whether
    /// the account of the resume point has a consent to the terms, and `chosen_data` what the person chose with it.
    pub(crate) fn adopt(&mut self, place: ResumePoint, is_covered: bool, chosen_data: Vec<DataPointKind>) {
        let last = place.consent.as_ref().and_then(|it| it.data_choice.as_ref());
        self.chosen_data = last.map_or(chosen_data, DataChoice::chosen_kinds);
        let receipt = place.consent.clone().filter(|receipt| self.is_current(receipt));
        self.consent = receipt.map_or(ConsentState::Missing, ConsentState::Given);
        self.resume_point = ResumeState::from_service(place, is_covered);
    }

    /// Drops all data of the person, because the new session belongs to someone else.
    pub(crate) fn forget(&mut self) {
        self.session = None;
        self.spare_token = None;
        self.last_progress = None;
        self.consent = ConsentState::Missing;
        self.chosen_data = Vec::new();
        self.closing = ClosingPoint::default();
        self.resume_point = ResumeState::default();
        self.provider_list = ProviderListState::default();
    }

    /// Returns whether the person signs in again to an account whose consent covers the terms.
    pub(crate) fn is_covered(&self) -> bool {
        self.resume_point.is_covered
    }

    /// Returns whether the person must consent before a login.
    pub(crate) fn needs_consent(&self) -> bool {
        self.consent.receipt().is_none() && !self.is_covered()
    }

    /// Records a consent to the terms of the session, with the choice of the person if there is one.
    pub(crate) fn give_consent(&mut self, given_by: ConsentGivenBy, data_choice: Option<DataChoice>) {
        let Some(session) = &self.session else { return };
        let SessionTemplate { consent, sync_interval, retention, .. } = &session.template;
        self.consent = ConsentState::Given(ConsentReceipt {
            consent_template_id: consent.consent_template_id.clone(),
            version: consent.version.clone(),
            locale: consent.locale.clone(),
            given_by,
            sync_interval: *sync_interval,
            retention: *retention,
            data_choice,
        });
    }

    /// Drops the consent, because the terms have changed.
    pub(crate) fn drop_consent(&mut self) {
        let has_consented = match &self.consent {
            ConsentState::Missing => false,
            ConsentState::Given(receipt) => receipt.given_by == ConsentGivenBy::Person,
            ConsentState::Outdated => true,
        };
        let is_outdated = has_consented || self.is_covered();
        self.consent = if is_outdated { ConsentState::Outdated } else { ConsentState::Missing };
        self.resume_point.is_covered = false;
    }

    /// Drops the consent if a new session of the attempt has other terms, unless the tenant also vouches for these.
    pub(crate) fn recheck_consent(&mut self, attempt: &AttemptState) {
        let is_uncovered = self.is_covered()
            && attempt.consent_needed
            && attempt.place.account_id == self.resume_point.at.account_id;
        match self.consent.receipt() {
            Some(receipt) if receipt.given_by == ConsentGivenBy::Tenant && self.may_skip_consent() => {
                self.give_consent(ConsentGivenBy::Tenant, None);
            }
            Some(receipt) if !self.is_current(receipt) => self.drop_consent(),
            Some(_) | None if is_uncovered => self.drop_consent(),
            Some(_) | None => {}
        }
    }

    /// Returns whether the link template lets the tenant vouch for the consent.
    pub(crate) fn may_skip_consent(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.template.allow_consent_skip)
    }

    /// Returns whether a receipt is for the terms of the session. The language is not compared: the person consented to
    /// the text that they saw. Neither is what they chose.
    fn is_current(&self, receipt: &ConsentReceipt) -> bool {
        let may_vouch = receipt.given_by == ConsentGivenBy::Person || self.may_skip_consent();
        self.session.as_ref().is_some_and(|session| {
            let SessionTemplate { consent, sync_interval, retention, optional_data, .. } = &session.template;
            may_vouch
                && receipt.consent_template_id == consent.consent_template_id
                && receipt.version == consent.version
                && receipt.sync_interval == *sync_interval
                && receipt.retention == *retention
                && receipt.optional_data() == optional_data
        })
    }

    /// Returns the address of the tenant's help. The service accepts only https, and so does this.
    pub(crate) fn help_url(&self) -> Option<&str> {
        let url = self.session.as_ref()?.template.help_url.as_deref();
        url.filter(|url| url.starts_with("https://"))
    }

    /// Returns the kinds of data that the person can decline.
    pub(crate) fn optional_data(&self) -> &[DataPointKind] {
        self.session.as_ref().map_or(&[], |session| &session.template.optional_data)
    }

    /// Returns whether the person chooses what to share.
    pub(crate) fn has_choice(&self) -> bool {
        !self.optional_data().is_empty()
    }

    /// Returns whether this is the phone of a hand-off.
    pub(crate) fn is_phone(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.is_handoff)
    }

    /// Returns whether the person may continue a step on their phone.
    pub(crate) fn may_hand_off(&self) -> bool {
        !self.is_touch && self.session.as_ref().is_some_and(|session| session.may_hand_off)
    }

    /// Records that the service refused to hand a step off.
    pub(crate) fn stop_handing_off(&mut self) {
        if let Some(session) = &mut self.session {
            session.may_hand_off = false;
        }
    }

    /// Ends the session, unless it is over.
    pub(crate) fn end_session(&mut self) {
        if self.session.as_ref().is_some_and(|session| !session.is_over) {
            self.effect(Effect::EndSession);
            self.lose_session();
        }
    }

    /// Records that the session is over.
    pub(crate) fn lose_session(&mut self) {
        if let Some(session) = &mut self.session {
            session.is_over = true;
        }
    }

    /// Returns whether the person has linked anything.
    pub(crate) fn has_linked(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.has_linked)
    }

    /// Records whether anything is linked.
    pub(crate) fn note_linked(&mut self, has_linked: bool) {
        if let Some(session) = &mut self.session {
            session.has_linked = has_linked;
        }
    }

    /// Returns whether the person may upload documents. The page's option can only narrow what the link template
    /// allows.
    pub(crate) fn may_upload(&self) -> bool {
        self.preferences.upload && self.session.as_ref().is_some_and(|it| it.template.uploads_enabled)
    }

    /// Returns the providers to list first.
    pub(crate) fn top_providers(&self) -> &[ProviderId] {
        let template = self.session.as_ref().map_or(&[][..], |session| &session.template.top_providers);
        self.preferences.top_providers.as_deref().unwrap_or(template)
    }
}
