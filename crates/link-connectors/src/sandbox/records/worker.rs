//! The working life of a person of the sandbox, from which social security records and signals are computed.

use link_types::Date;

use crate::sandbox::draw::{Draw, epoch};

/// The average length of a month, in hundredths of a day.
const MONTH: i64 = 3_044;
const FIVE_YEARS: i64 = 1_826;
/// The age at the first job: 18 years.
const ADULT: i64 = 18 * 365 + 5;
/// Contributions before the [`epoch`], in days.
const MAX_DAYS: i64 = 5_000;
const MAX_JOBS: usize = 8;

/// A job: its first day, and the day after its last. `None` for a job that the person has.
#[derive(Clone, Copy)]
struct Job(Date, Option<Date>);

/// A person's jobs with contributions, latest first.
pub(super) struct Worker {
    today: Date,
    jobs: Vec<Job>,
    rises: bool,
}

impl Worker {
    /// Returns the person with this number, as its MD5, and CURP. The first job begins at the age of 18 or later.
    pub(super) fn for_number(number: &str, curp: &str, is_employed: bool, today: Date) -> Self {
        let mut draw = Draw::new(&["worker", number, &curp.to_ascii_uppercase()]);
        let began_at = epoch().min(today);
        let adult_since = read_birthday(curp).map_or(began_at.plus_days(-40 * 365), |it| it.plus_days(ADULT));
        // A CURP of a child finds a record, too: with one short job.
        let earliest = adult_since.min(today.plus_days(-45));
        let mut end =
            (!is_employed).then(|| began_at.plus_days(-draw.number(30, 200)).max(earliest.plus_days(15)));
        let (mut jobs, mut days) = (Vec::new(), 0);
        while jobs.len() < MAX_JOBS && days < MAX_DAYS {
            let last = end.unwrap_or(began_at.max(earliest.plus_days(15)));
            let start = last.plus_days(-draw.number(150, 1_500)).max(earliest);
            if start >= last {
                break;
            }
            days += last.days_since(start);
            jobs.push(Job(start, end));
            end = Some(start.plus_days(-draw.number(0, 300)));
            if end <= Some(earliest) {
                break;
            }
        }
        Self { today, jobs, rises: draw.number(0, 1) == 1 }
    }

    /// Returns the number of days with contributions in the last days.
    pub(super) fn days(&self, last: i64) -> i64 {
        let since = self.today.plus_days(-last);
        self.jobs
            .iter()
            .map(|Job(start, end)| end.unwrap_or(self.today).days_since((*start).max(since)).max(0))
            .sum()
    }

    /// Returns all days with contributions.
    pub(super) fn all_days(&self) -> i64 {
        self.days(i64::from(u16::MAX))
    }

    /// Returns the months with the current or latest employer.
    pub(super) fn months_in_job(&self) -> i64 {
        let Some(Job(start, end)) = self.jobs.first() else { return 0 };
        end.unwrap_or(self.today).days_since(*start) * 100 / MONTH
    }

    pub(super) fn employers_of_five_years(&self) -> i64 {
        let since = self.today.plus_days(-FIVE_YEARS);
        let jobs = self.jobs.iter().filter(|Job(_, end)| end.is_none_or(|it| it > since));
        i64::try_from(jobs.count()).unwrap_or(0)
    }

    /// Returns the longest time without a job in the last five years, since the first job.
    pub(super) fn find_longest_gap(&self) -> i64 {
        let since = self.today.plus_days(-FIVE_YEARS);
        let mut later = self.today;
        let mut longest = 0;
        for Job(start, end) in &self.jobs {
            longest = longest.max(later.days_since(end.unwrap_or(later).max(since)));
            later = (*start).max(since);
        }
        longest
    }

    /// Returns whether the base salary rose in the last 12 months. It cannot without work in most of them.
    pub(super) fn base_amount_rises(&self) -> bool {
        self.rises && self.days(365) > 183
    }
}

/// Reads the date of birth in a CURP. A letter in position 17 means a birth since 2000.
fn read_birthday(curp: &str) -> Option<Date> {
    let number = |from: usize| curp.get(from..from + 2)?.parse::<u8>().ok();
    let century = if curp.as_bytes().get(16)?.is_ascii_digit() { 1900 } else { 2000 };
    Date::new(century + i32::from(number(4)?), number(6)?, number(8)?).ok()
}
