//! Decisions about API keys.

use std::time::Duration;

use link_types::console::{KeyDraft, KeyRotation, KeyScope, KeyState};

use super::{ApiKey, IssuedKey, KEY_DAYS_LIMIT, KeyError, ROTATION_HOURS_LIMIT};
use crate::change::{Change, Deletion, Row};
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::display_name::check_name;
use crate::kernel::owner::Owner;

/// Number of revoked API keys per environment of a tenant that are kept: the newest ones.
const REVOKED_KEYS_LIMIT: usize = 20;

const DAY: Duration = Duration::from_secs(86_400);
const HOUR: Duration = Duration::from_secs(3_600);

/// Reason why a draft of a key, or its rotation, is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyDraftError {
    /// The name is empty, too long, or contains control characters.
    #[error("the name must have 1 to 80 characters")]
    Name,
    /// The draft has no scope.
    #[error("a key needs at least one scope")]
    Scopes,
    /// The number of days is out of range.
    #[error("a key expires after 1 to {KEY_DAYS_LIMIT} days")]
    Days,
    /// No program waits with the code, or it has waited for too long.
    #[error("no program waits with this code. Start it again, and type the code that it shows")]
    Code,
    /// The person who started the program named the other environment.
    #[error("the program asked for a key of the other environment")]
    Environment,
    /// The number of hours is out of range.
    #[error("the old key works for 0 to {ROTATION_HOURS_LIMIT} more hours")]
    Hours,
    /// The key does not work, so it cannot be rotated.
    #[error(transparent)]
    State(#[from] KeyError),
}

impl ApiKey {
    /// Creates a key from a draft. The name may be empty only if `is_named` is false.
    ///
    /// # Errors
    ///
    /// [`KeyDraftError`] if a field is not valid.
    pub fn create(
        owner: Owner,
        draft: &KeyDraft,
        is_named: bool,
        context: &mut Context,
    ) -> Result<(Self, IssuedKey), KeyDraftError> {
        let now = context.now().wall();
        let (key, issued) = Self::issue(owner, context);
        Ok((key.apply_draft(draft, is_named, now)?, issued))
    }

    /// Returns a new key with the name, scopes and life of a draft.
    pub(super) fn apply_draft(
        self,
        draft: &KeyDraft,
        is_named: bool,
        now: Wall,
    ) -> Result<Self, KeyDraftError> {
        let name = match draft.name.as_str() {
            "" if !is_named => String::new(),
            name => check_name(name).ok_or(KeyDraftError::Name)?,
        };
        if draft.scopes.is_empty() {
            return Err(KeyDraftError::Scopes);
        }
        let days = draft.expires_in_days;
        if days.is_some_and(|days| !(1..=KEY_DAYS_LIMIT).contains(&days)) {
            return Err(KeyDraftError::Days);
        }
        let expires_at = days.map(|days| now + DAY * days);
        let scopes = KeyScope::ALL.iter().copied().filter(|it| draft.scopes.contains(it)).collect();
        Ok(Self { name, scopes, expires_at, ..self })
    }

    /// Creates the successor of a key, with the same name, scopes and life. The key itself works for some more hours.
    /// Returns the key with its end, and the successor.
    ///
    /// # Errors
    ///
    /// [`KeyDraftError`] if the key does not work, or the number of hours is out of range.
    pub fn succeed(
        self,
        rotation: KeyRotation,
        context: &mut Context,
    ) -> Result<(Self, Self, IssuedKey), KeyDraftError> {
        if rotation.hours > ROTATION_HOURS_LIMIT {
            return Err(KeyDraftError::Hours);
        }
        let now = context.now().wall();
        match self.state(now) {
            KeyState::Revoked => return Err(KeyError::Revoked.into()),
            KeyState::Expired => return Err(KeyError::Expired.into()),
            KeyState::Active => {}
        }
        let life = self.expires_at.map(|end| end.since(Wall::from_micros(self.created_at.micros())));
        let (new, issued) = Self::issue(self.owner.clone(), context);
        let successor = Self {
            name: self.name.clone(),
            scopes: self.scopes.clone(),
            expires_at: life.map(|life| now + life),
            ..new
        };
        let end = now + HOUR * rotation.hours;
        let expires_at = Some(self.expires_at.map_or(end, |earlier| earlier.min(end)));
        Ok((Self { expires_at, ..self }, successor, issued))
    }

    /// Revokes the key, and deletes the keys that were revoked long ago. `all` are the keys of its environment.
    pub fn revoke_of(self, all: &[Self], at: TenantTime) -> (Self, Change) {
        let key = self.revoke(at);
        let others = all.iter().filter(|it| it.key_hash != key.key_hash);
        let mut revoked: Vec<_> =
            others.filter_map(|it| Some((it.revoked_at?, it.created_at, it.key_hash))).collect();
        revoked.sort_unstable_by(|one, other| other.cmp(one));
        let oldest = revoked.into_iter().skip(REVOKED_KEYS_LIMIT - 1);
        let deletions = oldest.map(|(.., hash)| Deletion::ApiKey(hash)).collect();
        (key.clone(), Change { deletions, ..Change::row(Row::ApiKey(key)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn draft(name: &str) -> KeyDraft {
        KeyDraft {
            name: name.to_owned(),
            scopes: vec![KeyScope::Read],
            expires_in_days: Some(30),
            code: None,
        }
    }

    #[test]
    fn key_expires_at_the_end_of_its_last_day() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let (key, _) = ApiKey::create(fixture::owner(), &draft(" Payroll "), true, &mut context).unwrap();
        assert_eq!((key.name.as_str(), key.scopes.as_slice()), ("Payroll", [KeyScope::Read].as_slice()));
        assert_eq!(key.state(now + DAY * 30 - Duration::from_secs(1)), KeyState::Active);
        assert_eq!(key.state(now + DAY * 30), KeyState::Expired);
    }

    #[test]
    fn draft_of_a_key_is_checked() {
        let create = |draft: &KeyDraft, is_named| {
            ApiKey::create(fixture::owner(), draft, is_named, &mut fixture::context()).err()
        };
        assert_eq!(create(&draft(""), true), Some(KeyDraftError::Name));
        assert_eq!(create(&draft(""), false), None);
        assert_eq!(create(&KeyDraft { scopes: Vec::new(), ..draft("a") }, true), Some(KeyDraftError::Scopes));
        for days in [0, KEY_DAYS_LIMIT + 1] {
            let draft = KeyDraft { expires_in_days: Some(days), ..draft("a") };
            assert_eq!(create(&draft, true), Some(KeyDraftError::Days), "{days}");
        }
    }

    #[test]
    fn successor_has_the_scopes_and_life_of_its_key() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let (key, issued) = ApiKey::create(fixture::owner(), &draft("a"), true, &mut context).unwrap();
        let mut succeed = |key: &ApiKey, hours| key.clone().succeed(KeyRotation { hours }, &mut context);
        let (old, new, _) = succeed(&key, 24).unwrap();
        assert_eq!((old.expires_at, old.accepts(&issued.secret)), (Some(now + DAY), true));
        assert_eq!((&new.name, &new.scopes, new.expires_at), (&key.name, &key.scopes, Some(now + DAY * 30)));
        assert_ne!(new.key_hash, key.key_hash);
        let (ended, ..) = succeed(&key, 0).unwrap();
        assert_eq!(ended.state(now), KeyState::Expired);
        assert_eq!(succeed(&ended, 1).unwrap_err(), KeyDraftError::State(KeyError::Expired));
        let soon = ApiKey { expires_at: Some(now + HOUR), ..key.clone() };
        assert_eq!(succeed(&soon, 24).unwrap().0.expires_at, soon.expires_at, "never later than before");
        assert_eq!(succeed(&key, ROTATION_HOURS_LIMIT + 1).unwrap_err(), KeyDraftError::Hours);
    }

    #[test]
    fn only_the_newest_revoked_keys_are_kept() {
        let mut context = fixture::context();
        let mut key = || ApiKey::issue(fixture::owner(), &mut context).0;
        let at = |number: usize| TenantTime::from_micros(i64::try_from(number).unwrap());
        let mut all: Vec<_> = (0..REVOKED_KEYS_LIMIT + 2).map(|number| key().revoke(at(number))).collect();
        let live = key();
        all.push(live.clone());
        let (revoked, change) = live.revoke_of(&all, at(1_000));
        assert_eq!(change.rows, [Row::ApiKey(revoked)]);
        let oldest = [2, 1, 0].map(|number| Deletion::ApiKey(all[number].key_hash));
        assert_eq!(change.deletions, oldest);
    }
}
