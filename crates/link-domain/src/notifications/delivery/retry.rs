//! Schedule of a delivery's attempts: the first one immediately, then retries according to the retry profile.
//!
//! Our own: crates such as `backon` wait in memory. These waits last up to 36 hours and survive a restart.

use std::time::Duration;

use link_types::webhook::RetryProfile;

/// Time limit of one attempt, including the connection: 15 seconds.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(15);
/// Time limit for connecting: 5 seconds.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of bytes of a response body that are read and stored: 16 KiB.
pub const MAX_RESPONSE_BYTES: usize = 16 * 1024;

const STANDARD: [u64; 2] = [30, 60];
const EXTENDED: [u64; 8] = [30, 60, 600, 3_600, 14_400, 36_000, 86_400, 129_600];

/// Returns the wait before the next attempt after `made` failed attempts, or `None` if there are no attempts left.
/// `fraction` in `0.0..1.0` spreads each wait by ±20 %, so that a recovering receiver does not get all retries at once.
pub fn retry_delay(profile: RetryProfile, made: u32, fraction: f64) -> Option<Duration> {
    let waits: &[u64] = match profile {
        RetryProfile::Standard => &STANDARD,
        RetryProfile::Extended => &EXTENDED,
    };
    let wait = waits.get(usize::try_from(made.checked_sub(1)?).ok()?)?;
    let spread = 0.8 + 0.4 * fraction.clamp(0.0, 1.0);
    Some(Duration::from_secs(*wait).mul_f64(spread))
}

/// Returns the longest total duration of a profile's attempts if all of them fail.
pub fn retry_span(profile: RetryProfile) -> Duration {
    (1..)
        .map_while(|made| retry_delay(profile, made, 1.0))
        .map(|wait| wait + ATTEMPT_TIMEOUT)
        .sum::<Duration>()
        + ATTEMPT_TIMEOUT
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(RetryProfile::Standard, 1, 0.0, Some(24_000))]
    #[case(RetryProfile::Standard, 1, 0.5, Some(30_000))]
    #[case(RetryProfile::Standard, 1, 1.0, Some(36_000))]
    #[case(RetryProfile::Standard, 2, 0.0, Some(48_000))]
    #[case(RetryProfile::Standard, 2, 1.0, Some(72_000))]
    #[case(RetryProfile::Standard, 3, 0.5, None)]
    #[case(RetryProfile::Extended, 8, 0.5, Some(129_600_000))]
    #[case(RetryProfile::Extended, 9, 0.5, None)]
    fn retry_waits_follow_the_profile(
        #[case] profile: RetryProfile,
        #[case] made: u32,
        #[case] fraction: f64,
        #[case] millis: Option<u64>,
    ) {
        assert_eq!(retry_delay(profile, made, fraction), millis.map(Duration::from_millis));
    }

    #[test]
    fn extended_profile_lasts_two_to_four_days() {
        let all: Duration = (1..).map_while(|made| retry_delay(RetryProfile::Extended, made, 0.5)).sum();
        assert!(all > Duration::from_secs(2 * 86_400) && all <= Duration::from_secs(4 * 86_400));
    }
}
