//! A program's request for an API key, as in the device flow of OAuth 2 (RFC 8628): the program shows a code, and a member
//! types it where they create a key. The key exists from then on, and the program learns it by asking.
//!
//! The program gets its key and secret at once, as its device code. They are worth nothing until the request is granted, so
//! the store never has a secret.

use std::time::Duration;

use link_types::console::KeyDraft;
use link_types::{Mode, Sensitive};
use subtle::ConstantTimeEq;

use super::{ApiKey, IssuedKey, KeyDigests, KeyDraftError};
use crate::change::{Change, Row};
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;

/// How long a program waits for a member.
pub const REQUEST_LIFE: Duration = Duration::from_secs(10 * 60);
/// How long a program waits before it asks again.
pub const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Number of letters of a code. Only signed-in members can try codes, so 25 billion are enough.
const CODE_LETTERS: usize = 8;
/// Letters of a code: no vowels, so that it spells no word (RFC 8628, section 6.1).
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";

/// Maximum number of requests that wait. Anyone may begin one, and each is a row.
pub const MAX_WAITING: u32 = 10_000;

/// A program that waits for an API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRequest {
    /// The code that the program shows: 8 letters.
    pub code: String,
    /// The digests of the key that the program gets.
    pub digests: KeyDigests,
    /// The environment that the person named. `None` if they named none, and the member chooses.
    pub environment: Option<Mode>,
    /// Whether a member has created the key. The program then has until the end to learn it.
    pub is_granted: bool,
    /// When the program stops waiting.
    pub expires_at: Wall,
}

/// The state of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRequestState {
    /// The program waits for a member.
    Waiting,
    /// A member has created the key.
    Granted,
    /// The time is over.
    Expired,
}

impl KeyRequest {
    /// Returns the state at a time.
    pub fn state(&self, now: Wall) -> KeyRequestState {
        match self.is_granted {
            _ if now >= self.expires_at => KeyRequestState::Expired,
            true => KeyRequestState::Granted,
            false => KeyRequestState::Waiting,
        }
    }

    /// Begins a request. Returns it with the change, and what only the program knows.
    pub fn begin(environment: Option<Mode>, context: &mut Context) -> (Self, IssuedKey, Change) {
        // Its tenant is known when a member grants the request.
        let issued = IssuedKey::draw(None, context);
        let letters = context.secret().into_iter().zip(context.secret()).take(CODE_LETTERS).map(|(a, b)| {
            let drawn = usize::from(u16::from_be_bytes([a, b])) % LETTERS.len();
            char::from(LETTERS[drawn])
        });
        let request = Self {
            code: letters.collect(),
            digests: issued.digests(),
            environment,
            is_granted: false,
            expires_at: context.now().wall() + REQUEST_LIFE,
        };
        (request.clone(), issued, Change::row(Row::KeyRequest(request)))
    }

    /// Returns the code as the program shows it: `BCDF-GHJK`.
    pub fn show_code(&self) -> String {
        let (first, second) = self.code.split_at(CODE_LETTERS / 2);
        format!("{first}-{second}")
    }

    /// Returns whether a program with this secret made the request. Takes the same time for every wrong secret.
    pub fn accepts(&self, secret: &Sensitive) -> bool {
        let presented = Digest32::from_text(secret.expose());
        self.digests.secret_hash.as_bytes().ct_eq(presented.as_bytes()).into()
    }

    /// Creates the key that the program waits for. The code works once.
    ///
    /// # Errors
    ///
    /// [`KeyDraftError`] if a field is not valid, or the program no longer waits.
    pub fn grant(
        self,
        owner: Owner,
        draft: &KeyDraft,
        context: &Context,
    ) -> Result<(ApiKey, Change), KeyDraftError> {
        let now = context.now().wall();
        if self.state(now) != KeyRequestState::Waiting {
            return Err(KeyDraftError::Code);
        }
        if self.environment.is_some_and(|it| it != owner.mode) {
            return Err(KeyDraftError::Environment);
        }
        let key = ApiKey::new(owner, self.digests.clone(), context).apply_draft(draft, true, now)?;
        let change = Change {
            rows: vec![Row::ApiKey(key.clone()), Row::KeyRequest(Self { is_granted: true, ..self })],
            ..Change::default()
        };
        Ok((key, change))
    }
}

/// Returns the code that a person typed: in capitals, without the hyphen and blanks. `None` if it cannot be one.
pub fn typed_code(text: &str) -> Option<String> {
    let letters = text.chars().filter(|it| !it.is_whitespace() && *it != '-');
    let code: String = letters.map(|it| it.to_ascii_uppercase()).take(CODE_LETTERS + 1).collect();
    (code.len() == CODE_LETTERS && code.bytes().all(|it| LETTERS.contains(&it))).then_some(code)
}

/// Returns the device code of a program: its key and secret with a colon in between.
pub fn device_code(issued: &IssuedKey) -> Sensitive {
    Sensitive::new(format!("{}:{}", issued.key, issued.secret.expose()))
}

/// Reads a device code: the digest of its key, and its secret. `None` if the text has another form.
pub fn read_device_code(text: &str) -> Option<(Digest32, Sensitive)> {
    let (key, secret) = text.split_once(':')?;
    let secret = Sensitive::new(secret);
    (ApiKey::is_key(key) && ApiKey::is_secret(&secret)).then(|| (Digest32::from_text(key), secret))
}

#[cfg(test)]
mod tests {
    use link_types::console::full_access;

    use super::*;
    use crate::fixture;

    fn draft(name: &str) -> KeyDraft {
        KeyDraft { name: name.to_owned(), scopes: full_access(), expires_in_days: None, code: None }
    }

    #[test]
    fn granted_request_is_the_key_that_the_program_has() {
        let mut context = fixture::context();
        let (request, issued, change) = KeyRequest::begin(None, &mut context);
        assert_eq!(change.rows, [Row::KeyRequest(request.clone())]);
        let (hash, secret) = read_device_code(device_code(&issued).expose()).unwrap();
        let (key, change) = request.clone().grant(fixture::owner(), &draft("Laptop"), &context).unwrap();
        assert_eq!((key.key_hash, key.name.as_str()), (hash, "Laptop"));
        assert!(key.accepts(&secret) && request.accepts(&secret));
        let granted = KeyRequest { is_granted: true, ..request.clone() };
        assert_eq!(change.rows, [Row::ApiKey(key), Row::KeyRequest(granted.clone())]);
        let again = granted.grant(fixture::owner(), &draft("Laptop"), &context);
        assert_eq!(again.unwrap_err(), KeyDraftError::Code, "the code works once");
        let unnamed = request.clone().grant(fixture::owner(), &draft(""), &context);
        assert_eq!(unnamed.unwrap_err(), KeyDraftError::Name);
        let late = request.grant(fixture::owner(), &draft("Laptop"), &fixture::context_after(REQUEST_LIFE));
        assert_eq!(late.unwrap_err(), KeyDraftError::Code);
    }

    #[test]
    fn key_is_of_the_environment_that_the_person_named() {
        let mut context = fixture::context();
        let (request, issued, _) = KeyRequest::begin(Some(Mode::Production), &mut context);
        let sandbox = Owner { mode: Mode::Sandbox, ..fixture::owner() };
        let refused = request.clone().grant(sandbox, &draft("Laptop"), &context);
        assert_eq!(refused.unwrap_err(), KeyDraftError::Environment);
        let production = Owner { mode: Mode::Production, ..fixture::owner() };
        assert!(request.clone().grant(production, &draft("Laptop"), &context).is_ok());
        assert!(!request.accepts(&Sensitive::new(issued.key)));
    }

    #[test]
    fn code_is_accepted_as_people_type_it() {
        let (request, ..) = KeyRequest::begin(None, &mut fixture::context());
        assert_eq!(typed_code(&request.show_code()).as_ref(), Some(&request.code));
        assert_eq!(typed_code(" bcdf ghjk ").as_deref(), Some("BCDFGHJK"));
        for text in ["", "BCDF-GHJ", "BCDF-GHJKL", "BCDF-GHJA", "BCDF-GHJ1", "ＢCDFGHJK"] {
            assert_eq!(typed_code(text), None, "{text}");
        }
    }

    #[test]
    fn device_code_is_a_key_and_its_secret() {
        let (_, issued, _) = KeyRequest::begin(None, &mut fixture::context());
        let code = device_code(&issued);
        for text in ["", ":", "lpk_:lps_", &issued.key, &code.expose()[1..], &format!("{}0", code.expose())] {
            assert_eq!(read_device_code(text), None);
        }
    }
}
