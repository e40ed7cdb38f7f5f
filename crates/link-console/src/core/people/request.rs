//! The requests of support's pages, and their responses.

use link_types::Mode;
use link_types::console::people::{FoundPerson, Person};
use link_types::id::{AccountId, ArchiveId, InviteId, UserId};

use crate::core::webhook_key::{PersonKey, path_of};

/// An act that the member must confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Revoke an invitation.
    Invite(InviteId),
    /// Revoke an account.
    Account(AccountId),
    /// Revoke an archive.
    Archive(ArchiveId),
    /// Erase a user.
    User(UserId),
}

impl Removal {
    /// Returns the request of the act.
    pub fn request(&self) -> PeopleRequest {
        PeopleRequest::Remove(self.clone())
    }

    /// Returns the word that confirms the act in production: the last six characters of the id.
    pub fn word(&self) -> &str {
        let id = match self {
            Self::Invite(id) => id.as_str(),
            Self::Account(id) => id.as_str(),
            Self::Archive(id) => id.as_str(),
            Self::User(id) => id.as_str(),
        };
        id.get(id.len().saturating_sub(6)..).unwrap_or(id)
    }
}

/// A request of support's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeopleRequest {
    /// Find people.
    Search(String),
    /// Read a person.
    Get(PersonKey),
    /// Send the mail of a person's invitation again.
    Mail(PersonKey, InviteId),
    /// Revoke or erase.
    Remove(Removal),
}

/// The successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeopleResponse {
    /// People that were found.
    Found(Vec<FoundPerson>),
    /// A person.
    Person(Box<Person>),
    /// Done.
    Done,
}

impl PeopleRequest {
    /// Returns the method, the path below `/console/api`, and the text to find.
    pub fn parts(&self, mode: Mode) -> (&'static str, String, Option<&str>) {
        let (method, path, text) = match self {
            Self::Search(text) => ("POST", "people".to_owned(), Some(text.as_str())),
            Self::Get(key) => ("GET", format!("people/{key}"), None),
            Self::Mail(key, invite) => ("POST", format!("people/{key}/invites/{invite}/mail"), None),
            Self::Remove(Removal::Invite(id)) => ("DELETE", format!("invites/{id}"), None),
            Self::Remove(Removal::Account(id)) => ("DELETE", format!("accounts/{id}"), None),
            Self::Remove(Removal::Archive(id)) => ("DELETE", format!("archives/{id}"), None),
            Self::Remove(Removal::User(id)) => ("DELETE", format!("users/{id}"), None),
        };
        (method, format!("/{}/{path}", path_of(mode)), text)
    }
}
