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
    let write = |returned: Vec<(Leased<ClaimedDelivery>, GiveBack)>| {
        app.store().write(move |tx| tx.deliveries().give_back(&returned, now))
    };
    let Err(error): Result<(), StoreError> = write(returned.clone()).await else { return };
    tracing::error!(%error, "Releasing claimed deliveries failed");
    // One damaged row must not keep the others. The leases of those that fail are no longer renewed. Once they expire, the
    // deliveries are claimed again.
    if returned.len() > 1 && !error.is_away() {
        for one in returned {
            let ended: Result<(), StoreError> = write(vec![one]).await;
            if let Err(error) = ended {
                tracing::error!(%error, "Releasing a claimed delivery failed");
            }
        }
    }
}
