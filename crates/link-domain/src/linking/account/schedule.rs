//! When an account in continuous sync is read next. Accounts are spread by a hash of their ids, so that accounts that
//! connected together are not read together.

use std::time::Duration;

use link_types::id::AccountId;
use link_types::template::SyncInterval;
use link_types::{Date, Month, Timestamp};

use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;

const DAY: i64 = 86_400_000_000;

/// Returns when the account is read next: at its first slot after `now` that is at least half an interval after it first
/// connected. Later logins and other readings, such as those that the tenant requests, do not move the slots. A daily or
/// weekly slot is at the same part of each day or week, chosen by the account's id. A monthly slot is on the day on which
/// the account first connected, at a time of day chosen by the id. In a month without that day, it is the last day.
pub(super) fn next_sync(
    interval: SyncInterval,
    account_id: &AccountId,
    first_connected_at: TenantTime,
    now: TenantTime,
) -> TenantTime {
    let earliest =
        TenantTime::from_micros(now.micros().saturating_add(1)).max(first_connected_at + half(interval));
    match interval {
        SyncInterval::Daily => periodic(DAY, account_id, earliest),
        SyncInterval::Weekly => periodic(7 * DAY, account_id, earliest),
        SyncInterval::Monthly => {
            let time_of_day = part_of(DAY, account_id);
            let day = Timestamp::from(first_connected_at).date().day();
            let this_month = Timestamp::from(earliest).date().month();
            let slots = (0..).filter_map(|ahead| {
                let date = day_of_month(this_month.plus_months(ahead), day)?;
                Some(TenantTime::from_micros(date.start().as_micros().saturating_add(time_of_day)))
            });
            // A month ahead is always later, so the search ends at the third month.
            slots.take(3).find(|slot| *slot >= earliest).unwrap_or(earliest)
        }
    }
}

const fn half(interval: SyncInterval) -> Duration {
    Duration::from_secs(match interval {
        SyncInterval::Daily => 43_200,
        SyncInterval::Weekly => 302_400,
        SyncInterval::Monthly => 14 * 86_400,
    })
}

/// Returns the account's first slot in periods of this length that is not before `earliest`.
fn periodic(period: i64, account_id: &AccountId, earliest: TenantTime) -> TenantTime {
    let phase = part_of(period, account_id);
    let since = earliest.micros().saturating_sub(phase).rem_euclid(period);
    let wait = if since == 0 { 0 } else { period - since };
    TenantTime::from_micros(earliest.micros().saturating_add(wait))
}

/// Returns the part of a period that the account's id stands for, evenly distributed over it.
fn part_of(period: i64, account_id: &AccountId) -> i64 {
    let [a, b, c, d, ..] = *Digest32::from_text(account_id.as_str()).as_bytes();
    let hash = i128::from(u32::from_be_bytes([a, b, c, d]));
    i64::try_from((hash * i128::from(period)) >> 32).unwrap_or(0)
}

fn day_of_month(month: Month, day: u8) -> Option<Date> {
    let last = month.plus_months(1).first_day()?.plus_days(-1);
    Some(month.first_day()?.plus_days(i64::from(day) - 1).min(last))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::fixture;

    fn at(text: &str) -> TenantTime {
        let timestamp: Timestamp = text.parse().unwrap();
        TenantTime::from_micros(timestamp.as_micros())
    }

    fn account(number: u32) -> AccountId {
        let mut bytes = [7; 16];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        AccountId::from_bytes(bytes)
    }

    fn day(slot: TenantTime) -> String {
        Timestamp::from(slot).date().to_string()
    }

    #[rstest]
    #[case::same_day_each_month("2026-01-15T10:00:00.000Z", "2026-02-15 2026-03-15 2026-04-15")]
    #[case::day_29("2026-01-29T10:00:00.000Z", "2026-02-28 2026-03-29 2026-04-29")]
    #[case::day_30("2026-12-30T10:00:00.000Z", "2027-01-30 2027-02-28 2027-03-30")]
    #[case::day_31("2028-01-31T10:00:00.000Z", "2028-02-29 2028-03-31 2028-04-30")]
    #[case::last_day_of_a_month("2026-02-28T10:00:00.000Z", "2026-03-28 2026-04-28 2026-05-28")]
    fn monthly_sync_is_on_the_day_of_the_connection(#[case] connected: &str, #[case] expected: &str) {
        let connected = at(connected);
        let mut last = connected;
        let slots = (0..3).map(|_| {
            last = next_sync(SyncInterval::Monthly, &account(1), connected, last);
            day(last)
        });
        assert_eq!(slots.collect::<Vec<_>>().join(" "), expected);
    }

    #[rstest]
    #[case(SyncInterval::Daily, DAY)]
    #[case(SyncInterval::Weekly, 7 * DAY)]
    fn sync_repeats_after_one_interval(#[case] interval: SyncInterval, #[case] period: i64) {
        let connected = fixture::context().now().tenant();
        for number in 0..100 {
            let first = next_sync(interval, &account(number), connected, connected);
            let wait = first.micros() - connected.micros();
            assert!(wait >= period / 2 && wait <= period * 3 / 2, "{wait}");
            let delayed = first + Duration::from_secs(3_600);
            let second = next_sync(interval, &account(number), connected, delayed);
            assert_eq!(second.micros() - first.micros(), period);
        }
    }

    #[rstest]
    #[case(SyncInterval::Daily)]
    #[case(SyncInterval::Weekly)]
    #[case(SyncInterval::Monthly)]
    fn other_readings_do_not_move_the_slots(#[case] interval: SyncInterval) {
        let connected = fixture::context().now().tenant();
        let first = next_sync(interval, &account(1), connected, connected);
        let second = next_sync(interval, &account(1), connected, first);
        let shortly_before = TenantTime::from_micros(second.micros() - 60_000_000);
        assert_eq!(next_sync(interval, &account(1), connected, shortly_before), second);
    }

    #[test]
    fn sync_after_a_long_pause_is_at_the_next_slot() {
        let connected = fixture::context().now().tenant();
        let now = connected + Duration::from_secs(40 * 86_400);
        let next = next_sync(SyncInterval::Weekly, &account(1), connected, now);
        assert!(next > now && next.micros() - now.micros() <= 7 * DAY);
        assert!(next_sync(SyncInterval::Weekly, &account(1), connected, next) > next);
    }

    #[rstest]
    #[case(SyncInterval::Daily, DAY)]
    #[case(SyncInterval::Weekly, 7 * DAY)]
    fn accounts_are_spread_evenly_over_the_interval(#[case] interval: SyncInterval, #[case] period: i64) {
        let connected = fixture::context().now().tenant();
        let mut parts = [0_u32; 20];
        for number in 0..100_000 {
            let slot = next_sync(interval, &account(number), connected, connected);
            let part = slot.micros().rem_euclid(period) * 20 / period;
            parts[usize::try_from(part).unwrap()] += 1;
        }
        let (least, most) = (parts.iter().min().unwrap(), parts.iter().max().unwrap());
        assert!(*least >= 4_750 && *most <= 5_250, "{parts:?}");
    }
}
