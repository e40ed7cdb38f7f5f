//! Chargeable events: one row for each (kind, subject), the first.

use link_domain::billing::BillingRecord;

use crate::sql::{params, statements};
use crate::{StoreError, Tx};

statements! {
    KEEP_FIRST = "INSERT INTO billing_records (kind, subject, tenant_id, mode, user_id, at) \
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (kind, subject) DO NOTHING";
}

impl Tx<'_> {
    pub(crate) fn put_billing(&mut self, record: &BillingRecord) -> Result<(), StoreError> {
        let BillingRecord { owner, kind, subject, user_id, at } = record;
        self.session
            .execute(
                &KEEP_FIRST,
                params![
                    kind.as_str(),
                    subject,
                    owner.tenant.as_str(),
                    owner.mode.as_str(),
                    user_id.as_str(),
                    at.micros(),
                ],
            )
            .map(drop)
    }
}
