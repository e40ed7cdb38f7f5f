//! When a delivery is attempted: at once, then twice more a few dozen seconds apart.

use std::time::Duration;

use link_types::webhook::RetryProfile;

/// How long one attempt may take in all, its connection included.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(15);
/// How long the connection of an attempt may take.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How much of a receiver's answer is read and kept.
pub const ANSWER_LIMIT: usize = 16 * 1024;

const STANDARD: [u64; 2] = [30, 60];
const EXTENDED: [u64; 8] = [30, 60, 600, 3_600, 14_400, 36_000, 86_400, 129_600];

/// The wait before the next attempt when `made` attempts have failed, or `None` when there is no next one.
/// `fraction` in `0.0..1.0` spreads each wait over +-20 %, so that a receiver coming back is not hit at once.
pub fn retry_delay(profile: RetryProfile, made: u32, fraction: f64) -> Option<Duration> {
    let waits: &[u64] = match profile {
        RetryProfile::Standard => &STANDARD,
        RetryProfile::Extended => &EXTENDED,
    };
    let wait = waits.get(usize::try_from(made.checked_sub(1)?).ok()?)?;
    let spread = 0.8 + 0.4 * fraction.clamp(0.0, 1.0);
    Some(Duration::from_secs(*wait).mul_f64(spread))
}

/// How long a profile's attempts take altogether when all fail, at the longest.
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
    fn waits_follow_the_profile(
        #[case] profile: RetryProfile,
        #[case] made: u32,
        #[case] fraction: f64,
        #[case] millis: Option<u64>,
    ) {
        assert_eq!(retry_delay(profile, made, fraction), millis.map(Duration::from_millis));
    }

    #[test]
    fn the_extended_profile_ends_within_three_days_and_a_bit() {
        let all: Duration = (1..).map_while(|made| retry_delay(RetryProfile::Extended, made, 0.5)).sum();
        assert!(all > Duration::from_secs(2 * 86_400) && all <= Duration::from_secs(4 * 86_400));
    }
}
