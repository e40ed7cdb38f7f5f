//! Gives claimed deliveries back that are not sent.

use link_store::{ClaimedDelivery, GiveBack, Leased, StoreError};

use crate::app::App;

/// Ends the leases of deliveries that are not sent.
pub(super) async fn give_back(app: &App, mut returned: Vec<(Leased<ClaimedDelivery>, GiveBack)>) {
    if returned.is_empty() {
        return;
    }
    // Units that renew leases lock rows in this order too.
    returned.sort_by(|(one, _), (other, _)| one.item.id.cmp(&other.item.id));
    let now = app.wall();
    let ended: Result<(), StoreError> =
        app.store().write(move |tx| tx.deliveries().give_back(&returned, now)).await;
    if let Err(error) = ended {
        // The leases are no longer renewed. Once they expire, the deliveries are claimed again.
        tracing::error!(%error, "Releasing claimed deliveries failed");
    }
}
