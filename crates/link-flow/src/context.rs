//! What every screen shares: the session, the effects of this step, the numbers that make replies and turns unique.

use link_types::Mode;
use link_types::id::{AccountId, AttemptId, ProviderId, UserId};
use link_types::link::{AccountProgress, ConsentGivenBy, ConsentReceipt, LinkPhase, LinkSession};
use link_types::uploading::AttemptPlace;
use link_types::{id::LinkTemplateId, sensitive::Sensitive};

use crate::effect::Effect;
use crate::event::{RequestId, TimerId};
use crate::place::Place;
use crate::preferences::Preferences;
use crate::screen::providers::Shelf;
use crate::session::Session;
use crate::view::{Announcement, Focus, FocusTarget, Text};

/// Shared by all screens; owned by the flow.
#[derive(Debug)]
pub(crate) struct Context {
    /// Whether the rest of the program is loaded.
    pub(crate) has_rest: bool,
    /// The request that loads it before it is needed.
    pub(crate) prefetching: Option<RequestId>,
    /// What the tenant's page asked for.
    pub(crate) preferences: Preferences,
    /// The environment.
    pub(crate) mode: Mode,
    /// What no other opening of the widget is called.
    pub(crate) opening: String,
    /// The session, once a token was exchanged.
    pub(crate) session: Option<Session>,
    /// A token to use when the session ends, given before it was needed.
    pub(crate) spare_token: Option<Sensitive>,
    /// What the service last told of the attempt's account.
    pub(crate) last_seen: Option<Seen>,
    /// Who vouched for the consent in this opening.
    pub(crate) consent: Option<ConsentGivenBy>,
    /// Where the person is, as the service keeps it.
    pub(crate) place: Place,
    /// The provider list as it was left.
    pub(crate) shelf: Shelf,
    /// How often `onTokenExpired` was told for this session.
    pub(crate) expiries: u32,
    effects: Vec<Effect>,
    last_number: u32,
    last_seq: u32,
    page: u32,
    announcement: Announcement,
    focus: Focus,
}

/// Whom and what a session is for. Another one never continues what this one began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) user: UserId,
    pub(crate) template: LinkTemplateId,
    pub(crate) mode: Mode,
}

impl Identity {
    /// Whether a session is for the same person, template and environment.
    pub(crate) fn is_of(&self, session: &LinkSession) -> bool {
        self.user == session.user_id && self.template == session.template.id && self.mode == session.mode
    }
}

/// How far an account had come.
#[derive(Debug)]
pub(crate) struct Seen {
    account: AccountId,
    version: u32,
    is_connected: bool,
}

impl Seen {
    /// What progress tells.
    pub(crate) fn of(progress: &AccountProgress) -> Self {
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
            has_rest: true,
            prefetching: None,
            mode: Mode::Production,
            opening: String::new(),
            session: None,
            spare_token: None,
            last_seen: None,
            consent: None,
            place: Place::default(),
            shelf: Shelf::default(),
            expiries: 0,
            effects: Vec::new(),
            last_number: 0,
            last_seq: 0,
            page: 0,
            announcement: Announcement { turn: 0, text: None },
            focus: Focus { turn: 0, target: FocusTarget::Heading },
        }
    }

    /// Adds an effect to this step's.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// This step's effects, in order.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        core::mem::take(&mut self.effects)
    }

    /// A number no request had before.
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

    /// The next page: its blocks are built from nothing and its heading takes the focus.
    pub(crate) fn turn_page(&mut self) {
        self.page += 1;
        self.focus(FocusTarget::Heading);
    }

    /// Moves the focus.
    pub(crate) fn focus(&mut self, target: FocusTarget) {
        self.focus = Focus { turn: self.focus.turn + 1, target };
    }

    /// Has the live region say something.
    pub(crate) fn announce(&mut self, text: impl Into<Text>) {
        self.announcement = Announcement { turn: self.announcement.turn + 1, text: Some(text.into()) };
    }

    /// The key of the page now shown.
    pub(crate) fn page_key(&self) -> u32 {
        self.page
    }

    /// What the live region says now.
    pub(crate) fn announcement(&self) -> Announcement {
        self.announcement.clone()
    }

    /// What has the focus now.
    pub(crate) fn focused(&self) -> Focus {
        self.focus.clone()
    }

    /// The next number of a UI event.
    pub(crate) fn next_seq(&mut self) -> u32 {
        self.last_seq += 1;
        self.last_seq
    }

    /// The number of the last UI event.
    pub(crate) fn last_seq(&self) -> u32 {
        self.last_seq
    }

    /// Goes on counting UI events where a program before this one stopped.
    pub(crate) fn resume_seq(&mut self, last_seq: u32) {
        self.last_seq = last_seq;
    }

    /// The tenant's name; empty before there is a session.
    pub(crate) fn company(&self) -> &str {
        let template = self.session.as_ref().map_or("", |session| &session.template.company_name);
        self.preferences.company_name.as_deref().unwrap_or(template)
    }

    /// The attempt under way.
    pub(crate) fn attempt(&self) -> Option<&AttemptId> {
        self.session.as_ref().map(|session| &session.attempt)
    }

    /// Whether progress tells more than the service has told before, of whichever account.
    pub(crate) fn is_news(&self, progress: &AccountProgress) -> bool {
        self.last_seen.as_ref().is_none_or(|seen| {
            // The version of a linked account goes on counting while the service reads its data.
            let still_linked = seen.is_connected && is_connected(progress);
            seen.account != progress.account_id || (seen.version < progress.version && !still_linked)
        })
    }

    /// Takes over where the person was. Consent to another text than the one now shown is none.
    pub(crate) fn adopt(&mut self, place: AttemptPlace) {
        self.consent = place.consent.as_ref().map(|receipt| receipt.given_by);
        if self.receipt() != place.consent {
            self.consent = None;
        }
        self.place = Place::known(place);
    }

    /// Drops all that belongs to the person: the new session turned out to be somebody else's.
    pub(crate) fn forget(&mut self) {
        self.session = None;
        self.spare_token = None;
        self.last_seen = None;
        self.consent = None;
        self.place = Place::default();
        self.shelf = Shelf::default();
    }

    /// The receipt for what was consented to; `None` before the consent.
    pub(crate) fn receipt(&self) -> Option<ConsentReceipt> {
        let consent = &self.session.as_ref()?.template.consent;
        Some(ConsentReceipt {
            consent_template_id: consent.consent_template_id.clone(),
            version: consent.version.clone(),
            locale: consent.locale.clone(),
            given_by: self.consent?,
        })
    }

    /// Whether the person has linked something already.
    pub(crate) fn has_linked(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.has_linked)
    }

    /// Notes whether anything is linked now.
    pub(crate) fn note_linked(&mut self, has_linked: bool) {
        if let Some(session) = &mut self.session {
            session.has_linked = has_linked;
        }
    }

    /// Whether documents may be uploaded instead: the page's option only narrows what the link template says.
    pub(crate) fn may_upload(&self) -> bool {
        self.preferences.upload && self.session.as_ref().is_some_and(|it| it.template.uploads_enabled)
    }

    /// The providers to show first.
    pub(crate) fn top_providers(&self) -> &[ProviderId] {
        let template = self.session.as_ref().map_or(&[][..], |session| &session.template.top_providers);
        self.preferences.top_providers.as_deref().unwrap_or(template)
    }
}
