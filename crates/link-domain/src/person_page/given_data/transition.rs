//! Records which objects belong to a mailbox.

use link_types::Sensitive;

use super::GivenData;
use crate::change::{Change, Row};
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;

/// Records that an object was made by the person with a mailbox. Returns an empty change without a mailbox.
pub fn record_giver(scope: ErasureScope, owner: &Owner, mailbox: Option<Sensitive>) -> Change {
    let Some(mailbox) = mailbox else { return Change::default() };
    Change::row(Row::GivenData(GivenData { scope, owner: owner.clone(), mailbox }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn object_belongs_to_the_mailbox() {
        let scope = fixture::begin_account(&mut fixture::context()).0.scope();
        let change = record_giver(scope.clone(), &fixture::owner(), Some(Sensitive::new("ana@example.com")));
        let [Row::GivenData(given_data)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert_eq!((&given_data.scope, given_data.mailbox.expose()), (&scope, "ana@example.com"));
        assert!(!format!("{change:?}").contains("ana@"));
        assert_eq!(record_giver(scope, &fixture::owner(), None), Change::default());
    }
}
