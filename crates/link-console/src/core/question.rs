//! A destructive act that the member must confirm, and the request of each.

use link_types::Mode;
use link_types::console::{ConsoleKey, ConsoleSession, KeyRotation, Member, Passkey};
use link_types::link_site::{LinkSite, LinkSiteStatus};
use link_types::webhook::Webhook;

use super::ceremony::PasskeyRequest;
use super::failure::Failure;
use super::people::Removal;
use super::request::Request;
use super::rest::{Activity, Login, Rest};
use super::single_sign_on::request::SignOnRequest;
use super::sites::request::{SiteClosing, SiteRequest};
use super::templates::kind::TemplateKey;
use super::templates::request::TemplateRequest;
use super::webhook_key::{SiteKey, WebhookKey};

/// A destructive act that the member must confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The act.
    pub act: Act,
    /// For how many hours a key still works that gets a successor.
    pub hours: u32,
    /// The word that the member typed to confirm it.
    pub typed: String,
    /// Whether the act is under way.
    pub is_sending: bool,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// A destructive act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Create the successor of an API key.
    RotateKey(Mode, ConsoleKey),
    /// Revoke an API key of an environment.
    RevokeKey(Mode, ConsoleKey),
    /// Remove a member.
    RemoveMember(Member),
    /// End a session.
    EndSession(ConsoleSession),
    /// Pause a webhook of an environment.
    PauseWebhook(Mode, Webhook),
    /// Delete a webhook of an environment.
    DeleteWebhook(Mode, Webhook),
    /// Delete a login of the sandbox.
    DeleteLogin(Login),
    /// Remove a passkey.
    RemovePasskey(Passkey),
    /// Close a link site of an environment.
    CloseSite(Mode, Box<LinkSite>),
    /// Delete a link site of an environment.
    DeleteSite(Mode, Box<LinkSite>),
    /// Delete a template of an environment, which has a name.
    DeleteTemplate(Mode, TemplateKey, String),
    /// Revoke what a person has, or erase the person.
    Remove(Mode, Removal),
    /// Remove something of single sign-on.
    SignOn(SignOnRequest),
}

impl Question {
    /// Returns the request of the act.
    pub fn request(&self) -> Request {
        match &self.act {
            Act::RotateKey(mode, key) => {
                Request::RotateKey(*mode, key.id.clone(), KeyRotation { hours: self.hours })
            }
            Act::RevokeKey(mode, key) => Request::RevokeKey(*mode, key.id.clone()),
            Act::RemoveMember(member) => Request::RemoveMember(member.id.clone()),
            Act::EndSession(session) => Request::EndSession(session.id.clone()),
            Act::PauseWebhook(mode, webhook) => {
                let paused = Activity { active: false };
                Request::Rest(*mode, Rest::SetActive(WebhookKey::new(&webhook.id), paused))
            }
            Act::DeleteWebhook(mode, webhook) => {
                Request::Rest(*mode, Rest::DeleteWebhook(WebhookKey::new(&webhook.id)))
            }
            Act::DeleteLogin(login) => Request::Rest(Mode::Sandbox, Rest::DeleteLogin(login.id.clone())),
            Act::RemovePasskey(passkey) => Request::Passkey(PasskeyRequest::Remove(passkey.id.clone())),
            Act::CloseSite(mode, site) => {
                let closing = SiteClosing { status: LinkSiteStatus::Closed, revision: site.revision.clone() };
                Request::Site(*mode, SiteRequest::Close(SiteKey::new(&site.id), closing))
            }
            Act::Remove(mode, removal) => Request::People(*mode, removal.request()),
            Act::SignOn(request) => Request::SignOn(request.clone()),
            Act::DeleteTemplate(mode, key, _) => Request::Template(*mode, TemplateRequest::Delete(*key)),
            Act::DeleteSite(mode, site) => Request::Site(*mode, SiteRequest::Delete(SiteKey::new(&site.id))),
        }
    }

    /// Returns the word to type before the act, if it needs one: in production, the name of what it ends, or the last characters of a
    /// key without a name.
    pub fn word(&self) -> Option<&str> {
        match &self.act {
            Act::RevokeKey(Mode::Production, key) if key.name.is_empty() => Some(&key.last_four),
            Act::RevokeKey(Mode::Production, key) => Some(&key.name),
            Act::PauseWebhook(Mode::Production, webhook) | Act::DeleteWebhook(Mode::Production, webhook) => {
                Some(&webhook.name)
            }
            Act::CloseSite(Mode::Production, site) | Act::DeleteSite(Mode::Production, site) => {
                Some(&site.slug)
            }
            Act::Remove(Mode::Production, removal) => Some(removal.word()),
            Act::DeleteTemplate(Mode::Production, _, name) => Some(name),
            Act::RevokeKey(Mode::Sandbox, _)
            | Act::RotateKey(..)
            | Act::RemoveMember(_)
            | Act::EndSession(_)
            | Act::PauseWebhook(Mode::Sandbox, _)
            | Act::DeleteWebhook(Mode::Sandbox, _)
            | Act::DeleteLogin(_)
            | Act::RemovePasskey(_)
            | Act::CloseSite(Mode::Sandbox, _)
            | Act::DeleteSite(Mode::Sandbox, _)
            | Act::DeleteTemplate(Mode::Sandbox, ..)
            | Act::Remove(Mode::Sandbox, _)
            | Act::SignOn(_) => None,
        }
    }

    /// Returns whether the member may confirm.
    pub fn is_ready(&self) -> bool {
        !self.is_sending && self.word().is_none_or(|word| word == self.typed.trim())
    }
}
