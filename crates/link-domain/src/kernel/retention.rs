//! Pauses of retention. Data that is kept too long can still be deleted; data that a wrong clock deleted is lost.

use std::time::Duration;

use crate::kernel::clock::Wall;

/// Largest step between two readings of the clock that retention accepts: 1 day. A running service reads the clock
/// every minute. After a longer downtime, it cannot distinguish that downtime from a clock that was set ahead.
pub const MAX_STEP: Duration = Duration::from_secs(86_400);

/// A jump of the clock that is larger than [`MAX_STEP`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockJump {
    /// Time at the last reading of the clock.
    pub from: Wall,
    /// Time now.
    pub to: Wall,
}

/// Returns the jump of the clock since its last reading, if there is one. During a jump, nothing is deleted because of
/// its age, and the last reading is not updated. This lasts until an operator confirms the clock, or the clock is
/// corrected.
///
/// A clock that is set back is not a jump, because it does not cause early deletion.
pub fn clock_jump(last_seen: Option<Wall>, now: Wall) -> Option<ClockJump> {
    last_seen.filter(|from| now.since(*from) > MAX_STEP).map(|from| ClockJump { from, to: now })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Wall = Wall::from_micros(1_760_000_000_000_000);

    #[test]
    fn clock_step_of_more_than_a_day_is_a_jump() {
        assert_eq!(clock_jump(Some(SEEN), SEEN + MAX_STEP), None);
        let to = SEEN + MAX_STEP + Duration::from_micros(1);
        assert_eq!(clock_jump(Some(SEEN), to), Some(ClockJump { from: SEEN, to }));
    }

    #[test]
    fn clock_going_back_or_first_reading_is_not_a_jump() {
        assert_eq!(clock_jump(Some(SEEN), SEEN - MAX_STEP * 100), None);
        assert_eq!(clock_jump(None, SEEN), None);
    }
}
