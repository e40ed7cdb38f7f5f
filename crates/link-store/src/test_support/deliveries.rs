//! Claims deliveries and loads them in the same unit.

use link_domain::notifications::delivery::{AttemptShares, DeliveryQueue, Lookahead};

use crate::{Claim, DueDelivery, Leased, StoreError, Tx};

/// Claims due deliveries without a lookahead, loads them, and releases those that must not be sent.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be written.
pub fn claim_due(
    tx: &mut Tx<'_>,
    queue: DeliveryQueue,
    claim: Claim<'_>,
    shares: &AttemptShares,
) -> Result<Vec<Leased<DueDelivery>>, StoreError> {
    let claimed = tx.deliveries().claim(queue, claim, shares, &Lookahead::default())?;
    let loaded = tx.deliveries().load(claimed.deliveries)?;
    tx.deliveries().give_back(&loaded.returned, claim.now)?;
    Ok(loaded.due)
}
