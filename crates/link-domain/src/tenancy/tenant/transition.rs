//! Decisions about API keys.

use super::ApiKey;
use crate::change::{Change, Deletion, Row};
use crate::kernel::clock::TenantTime;

/// Number of revoked API keys per environment of a tenant that are kept: the newest ones.
const REVOKED_KEYS_LIMIT: usize = 20;

impl ApiKey {
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
