//! When retention pauses. What is kept too long can still be removed; what a wrong clock removed is lost.

use std::time::Duration;

use crate::clock::Wall;

/// The largest step between two looks at the clock that retention takes for granted. A service that runs looks every
/// minute; one that was switched off for longer cannot tell that from a clock that was set ahead.
pub const LARGEST_STEP: Duration = Duration::from_secs(86_400);

/// A clock that is further ahead of the last look than time may have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockJump {
    /// What the clock showed at the last look.
    pub from: Wall,
    /// What it shows now.
    pub to: Wall,
}

/// The jump of a clock since it was last looked at, if it is one. While there is one, nothing that is removed because of
/// its age is removed, and the last look stays as it is: until an operator confirms the clock, or the clock is put right.
///
/// A clock that goes back endangers nothing that is kept.
pub fn clock_jump(last_seen: Option<Wall>, now: Wall) -> Option<ClockJump> {
    last_seen.filter(|from| now.since(*from) > LARGEST_STEP).map(|from| ClockJump { from, to: now })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Wall = Wall::from_micros(1_760_000_000_000_000);

    #[test]
    fn clock_may_move_a_day_at_most_between_two_looks() {
        assert_eq!(clock_jump(Some(SEEN), SEEN + LARGEST_STEP), None);
        let to = SEEN + LARGEST_STEP + Duration::from_micros(1);
        assert_eq!(clock_jump(Some(SEEN), to), Some(ClockJump { from: SEEN, to }));
    }

    #[test]
    fn clock_that_goes_back_or_was_never_seen_is_no_jump() {
        assert_eq!(clock_jump(Some(SEEN), SEEN - LARGEST_STEP * 100), None);
        assert_eq!(clock_jump(None, SEEN), None);
    }
}
