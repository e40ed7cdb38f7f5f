//! How many first attempts to claim before there is a slot for them, so that no slot waits for a commit.

use std::collections::BTreeMap;

use link_types::id::WebhookId;

/// The number of deliveries to claim ahead for each webhook: twice as many as ended since the previous claim.
///
/// A webhook whose attempts do not end, because its receiver hangs, is not claimed ahead at all. So claiming ahead takes
/// nothing from others that the attempts themselves would not take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lookahead {
    webhooks: BTreeMap<WebhookId, Pace>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pace {
    ended: usize,
    ahead: usize,
}

impl Lookahead {
    /// Returns the number of deliveries to claim ahead for a webhook.
    pub fn for_webhook(&self, webhook: &WebhookId) -> usize {
        self.webhooks.get(webhook).map_or(0, |pace| pace.ahead)
    }

    /// Counts an attempt that ended.
    pub fn record_end(&mut self, webhook: &WebhookId) {
        match self.webhooks.get_mut(webhook) {
            Some(pace) => pace.ended += 1,
            None => drop(self.webhooks.insert(webhook.clone(), Pace { ended: 1, ahead: 0 })),
        }
    }

    /// Returns whether a webhook with this number of waiting deliveries should be claimed again.
    pub fn is_low(&self, webhook: &WebhookId, waiting: usize) -> bool {
        waiting * 2 <= self.for_webhook(webhook)
    }

    /// Sets the numbers for the next claim. They fall by at most half, because claims are not evenly spaced.
    pub fn next_claim(&mut self) {
        self.webhooks.retain(|_, pace| {
            *pace = Pace { ended: 0, ahead: (2 * pace.ended).max(pace.ahead / 2) };
            pace.ahead > 0
        });
    }

    /// Forgets a webhook whose deliveries must wait.
    pub fn forget(&mut self, webhook: &WebhookId) {
        self.webhooks.remove(webhook);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(ended: usize) -> (Lookahead, WebhookId) {
        let (mut lookahead, webhook) = (Lookahead::default(), WebhookId::from_bytes([1; 16]));
        (0..ended).for_each(|_| lookahead.record_end(&webhook));
        lookahead.next_claim();
        (lookahead, webhook)
    }

    #[test]
    fn lookahead_is_twice_the_ended_attempts() {
        let (lookahead, webhook) = after(16);
        assert_eq!(lookahead.for_webhook(&webhook), 32);
        assert!(lookahead.is_low(&webhook, 16) && !lookahead.is_low(&webhook, 17));
    }

    #[test]
    fn lookahead_of_a_webhook_that_hangs_ends() {
        let (mut lookahead, webhook) = after(16);
        (0..6).for_each(|_| lookahead.next_claim());
        assert_eq!((lookahead.for_webhook(&webhook), lookahead), (0, Lookahead::default()));
    }

    #[test]
    fn forgotten_webhook_is_not_claimed_ahead() {
        let (mut lookahead, webhook) = after(16);
        lookahead.forget(&webhook);
        assert_eq!(lookahead.for_webhook(&webhook), 0);
    }
}
