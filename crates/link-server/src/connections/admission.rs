//! Decides which connections may stay. A pure table of the open connections.
//!
//! A connection either serves a request or waits for one: it is idle, or has an incomplete head. If a limit is reached,
//! the connection that has waited longest is evicted, because closing it loses nothing. A connection that serves a
//! request is never evicted.

use std::collections::{BTreeSet, HashMap};

use tokio::time::Instant;

use crate::http::limits::rate_limit::LimitKey;

/// A connection of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ConnectionId(u64);

/// Reason why a connection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// Its network has reached its limit, and all of the network's connections serve a request.
    Network,
    /// The total limit is reached, and all connections serve a request.
    Total,
}

/// An admitted connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Admitted {
    pub(super) id: ConnectionId,
    /// The connection that was evicted for it. The caller must close it.
    pub(super) evicted: Option<ConnectionId>,
}

/// The open connections.
#[derive(Debug)]
pub(super) struct Admission {
    total: usize,
    per_network: usize,
    next: u64,
    open: HashMap<ConnectionId, Entry>,
    networks: HashMap<LimitKey, Network>,
    /// Connections that wait for a request, the longest waiting first.
    waiting: Waiting,
}

type Waiting = BTreeSet<(Instant, ConnectionId)>;

#[derive(Debug)]
struct Entry {
    /// `None` if the connection is exempt from the limit for its network.
    network: Option<LimitKey>,
    /// `None` while it serves a request.
    waiting_since: Option<Instant>,
}

#[derive(Debug, Default)]
struct Network {
    open: usize,
    waiting: Waiting,
}

impl Admission {
    /// Creates an empty table with these limits.
    pub(super) fn new(total: usize, per_network: usize) -> Self {
        Self {
            total,
            per_network,
            next: 0,
            open: HashMap::new(),
            networks: HashMap::new(),
            waiting: BTreeSet::new(),
        }
    }

    /// Adds a new connection, which waits for its first request.
    ///
    /// # Errors
    /// [`Refused`] if a limit is reached and no connection can be evicted.
    pub(super) fn admit(&mut self, network: Option<LimitKey>, now: Instant) -> Result<Admitted, Refused> {
        let evicted = match network.and_then(|key| self.networks.get(&key)) {
            Some(network) if network.open >= self.per_network => {
                Some(network.waiting.first().ok_or(Refused::Network)?.1)
            }
            Some(_) | None if self.open.len() >= self.total => {
                Some(self.waiting.first().ok_or(Refused::Total)?.1)
            }
            Some(_) | None => None,
        };
        if let Some(evicted) = evicted {
            self.remove(evicted);
        }
        let id = ConnectionId(self.next);
        self.next += 1;
        self.open.insert(id, Entry { network, waiting_since: None });
        if let Some(key) = network {
            self.networks.entry(key).or_default().open += 1;
        }
        self.waits(id, now);
        Ok(Admitted { id, evicted })
    }

    /// Records that the connection serves a request. Returns false if it was evicted and must not serve the request.
    #[must_use]
    pub(super) fn serves(&mut self, id: ConnectionId) -> bool {
        let Some(entry) = self.open.get_mut(&id) else { return false };
        if let Some(since) = entry.waiting_since.take() {
            self.waiting.remove(&(since, id));
            if let Some(network) = entry.network.and_then(|key| self.networks.get_mut(&key)) {
                network.waiting.remove(&(since, id));
            }
        }
        true
    }

    /// Records that the connection waits for a request.
    pub(super) fn waits(&mut self, id: ConnectionId, now: Instant) {
        let Some(entry) = self.open.get_mut(&id) else { return };
        if entry.waiting_since.is_none() {
            entry.waiting_since = Some(now);
            self.waiting.insert((now, id));
            if let Some(network) = entry.network.and_then(|key| self.networks.get_mut(&key)) {
                network.waiting.insert((now, id));
            }
        }
    }

    /// Removes the connection that has waited longest for a request. Returns `None` if all connections serve one.
    pub(super) fn evict(&mut self) -> Option<ConnectionId> {
        let (_, id) = *self.waiting.first()?;
        self.remove(id);
        Some(id)
    }

    /// Removes a connection that has ended. Does nothing if it is not in the table.
    pub(super) fn remove(&mut self, id: ConnectionId) {
        if !self.serves(id) {
            return;
        }
        let Some(key) = self.open.remove(&id).and_then(|it| it.network) else { return };
        if let Some(network) = self.networks.get_mut(&key) {
            network.open -= 1;
            if network.open == 0 {
                self.networks.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const HOME: Option<LimitKey> = Some([1; 16]);
    const AWAY: Option<LimitKey> = Some([2; 16]);

    fn at(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    fn admit(table: &mut Admission, network: Option<LimitKey>, now: Instant) -> ConnectionId {
        let admitted = table.admit(network, now).unwrap();
        assert_eq!(admitted.evicted, None);
        admitted.id
    }

    #[test]
    fn busy_network_is_refused_but_others_are_not() {
        let (mut table, start) = (Admission::new(10, 2), Instant::now());
        for _ in 0..2 {
            let id = admit(&mut table, HOME, start);
            assert!(table.serves(id));
        }
        assert_eq!(table.admit(HOME, start), Err(Refused::Network));
        admit(&mut table, AWAY, start);
    }

    #[test]
    fn longest_waiting_of_network_is_evicted() {
        let (mut table, start) = (Admission::new(10, 3), Instant::now());
        let elsewhere = admit(&mut table, AWAY, start);
        let [first, second, third] = [1, 2, 3].map(|it| admit(&mut table, HOME, at(start, it)));
        // The first connection has completed a request, and the second serves one.
        assert!(table.serves(first) && table.serves(second));
        table.waits(first, at(start, 4));
        let new = table.admit(HOME, at(start, 5)).unwrap();
        assert_eq!(new.evicted, Some(third));
        assert!(!table.serves(third), "an evicted connection must not serve");
        assert_eq!(table.admit(HOME, at(start, 6)).unwrap().evicted, Some(first));
        assert!(table.serves(elsewhere), "another network's connections stay");
    }

    #[test]
    fn longest_waiting_of_all_is_evicted_at_total_limit() {
        let (mut table, start) = (Admission::new(3, 3), Instant::now());
        let [busy, idle, newer] = [1, 2, 3].map(|it| admit(&mut table, HOME, at(start, it)));
        assert!(table.serves(busy));
        let new = table.admit(AWAY, at(start, 4)).unwrap();
        assert_eq!(new.evicted, Some(idle));
        assert!(table.serves(newer) && table.serves(new.id));
        assert_eq!(table.admit(AWAY, at(start, 5)), Err(Refused::Total));
        table.remove(busy);
        admit(&mut table, AWAY, at(start, 6));
    }

    #[test]
    fn exempt_connections_count_only_in_total() {
        let (mut table, start) = (Admission::new(4, 1), Instant::now());
        for _ in 0..4 {
            let id = admit(&mut table, None, start);
            assert!(table.serves(id));
        }
        assert_eq!(table.admit(None, start), Err(Refused::Total));
    }

    #[test]
    fn ended_connections_leave_no_entries() {
        let (mut table, start) = (Admission::new(4, 2), Instant::now());
        let ids = [HOME, HOME, AWAY, None].map(|network| admit(&mut table, network, start));
        assert!(table.serves(ids[0]));
        for id in ids {
            table.remove(id);
            table.remove(id);
            table.waits(id, start);
        }
        assert!(table.open.is_empty() && table.networks.is_empty() && table.waiting.is_empty());
        assert_eq!(table.evict(), None);
    }
}
