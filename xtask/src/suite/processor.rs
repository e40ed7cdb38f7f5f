//! The processor time of the programs that a stage runs.

use std::time::Duration;

/// `USER_HZ`, the unit of the kernel's times, is 100 on every Linux.
const MS_PER_TICK: u64 = 10;

/// Returns the processor time of all child processes that have ended and were waited for, with their descendants, or
/// `None` on a system without `/proc`.
pub fn of_children() -> Option<Duration> {
    parse(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Parses `1 (name) S ...`, whose fields 16 and 17 are the times in user and kernel mode. The name can contain spaces.
fn parse(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut ticks = fields.split(' ').skip(13).map(str::parse);
    let (user, kernel): (u64, u64) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some(Duration::from_millis((user + kernel) * MS_PER_TICK))
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::time::Duration;

    #[test]
    fn times_of_children_are_fields_16_and_17() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 900 80 0 0 11 12 250 50 20 0 1 0 5 8 9\n";
        assert_eq!(parse(stat), Some(Duration::from_secs(3)));
        assert_eq!(parse("7 (name) S 1"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn system_reports_the_times_of_children() {
        assert!(super::of_children().is_some());
    }
}
