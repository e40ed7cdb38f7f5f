//! The requests of support's pages, and their responses.

use link_types::Mode;
use link_types::console::people::{FoundPerson, Person};
use link_types::id::InviteId;

use super::Removal;
use crate::core::request::Body;
use crate::core::sites::request::path_of;
use crate::core::webhook_key::PersonKey;

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
    /// Returns the method, the path below `/console/api`, and the body.
    pub fn parts(&self, mode: Mode) -> (&'static str, String, Body<'_>) {
        let (method, path, body) = match self {
            Self::Search(text) => ("POST", "people".to_owned(), Body::Search(text)),
            Self::Get(key) => ("GET", format!("people/{key}"), Body::None),
            Self::Mail(key, invite) => ("POST", format!("people/{key}/invites/{invite}/mail"), Body::None),
            Self::Remove(Removal::Invite(id)) => ("DELETE", format!("invites/{id}"), Body::None),
            Self::Remove(Removal::Account(id)) => ("DELETE", format!("accounts/{id}"), Body::None),
            Self::Remove(Removal::Archive(id)) => ("DELETE", format!("archives/{id}"), Body::None),
            Self::Remove(Removal::User(id)) => ("DELETE", format!("users/{id}"), Body::None),
        };
        (method, format!("/{}/{path}", path_of(mode)), body)
    }
}
