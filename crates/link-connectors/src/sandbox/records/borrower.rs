//! A borrower of the sandbox: loans, applications and a mobile number. All signals about a number are computed from
//! them, so that no two items contradict each other, within a signal or between two.

use std::collections::BTreeSet;

use link_types::Date;

use super::inputs::SandboxOutcome;
use crate::sandbox::draw::{Draw, epoch};

/// How far back lenders report, in days.
const REPORTED: i64 = 3_600;
/// The delay after which a lender blacklists the number, in days.
const BLACKLISTED_AFTER: i64 = 60;
/// How long a blacklisting is shown, in days.
const BLACKLIST_SHOWN: i64 = 720;
const INSTALLMENT: i64 = 30;
/// Applications are this many days apart, and loans are a multiple of it.
const STEP: i64 = 6;

/// How a borrower behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Temper {
    /// Repays every loan in time.
    Steady,
    /// Pays late, and is blacklisted.
    Late,
    /// Takes a loan every second year. The number has few traces, and is not in use meanwhile.
    Seldom,
    /// Has the first loan and a new number, each month again.
    New,
}

impl Temper {
    pub(super) const fn from_outcome(outcome: SandboxOutcome) -> Self {
        match outcome {
            SandboxOutcome::Success => Self::Late,
            SandboxOutcome::PartialMatch => Self::Seldom,
            SandboxOutcome::NoMatch => Self::New,
            SandboxOutcome::LateItems
            | SandboxOutcome::NoData
            | SandboxOutcome::InvalidParameters
            | SandboxOutcome::ServiceUnavailable
            | SandboxOutcome::SystemError => Self::Steady,
        }
    }

    /// Returns bounds: days between two loans, days since the first one, installments of a loan, and lenders.
    const fn bounds(self) -> [(i64, i64); 4] {
        match self {
            Self::Steady => [(96, 180), (900, 2_400), (2, 5), (2, 4)],
            Self::Late => [(96, 150), (900, 2_400), (2, 4), (5, 8)],
            Self::Seldom => [(606, 840), (1_800, 3_000), (3, 6), (1, 2)],
            Self::New => [(840, 840), (60, 60), (3, 6), (1, 1)],
        }
    }
}

/// A late installment.
#[derive(Clone, Copy)]
pub(super) struct Delay {
    pub(super) due: Date,
    days: i64,
}

impl Delay {
    /// Returns the number of days that it was or is late.
    pub(super) fn days(&self, today: Date) -> i64 {
        today.days_since(self.due).clamp(0, self.days)
    }

    fn is_overdue(&self, today: Date) -> bool {
        self.is_known(today) && today.days_since(self.due) < self.days
    }

    fn is_known(&self, today: Date) -> bool {
        today > self.due
    }
}

/// A loan that was taken before now.
pub(super) struct Loan {
    pub(super) taken: Date,
    installments: i64,
    repaid: Date,
    is_early: bool,
    lender: i64,
    delay: Option<Delay>,
}

/// The borrower as seen on a day.
pub(super) struct Borrower {
    pub(super) today: Date,
    pub(super) temper: Temper,
    /// The day on which the number was first seen.
    pub(super) first_seen: Date,
    /// The loans, oldest first. There is at least one.
    pub(super) loans: Vec<Loan>,
    /// The days on which the person applied for a loan in the last 90 days, and the kind of lender, from 0 to 3.
    pub(super) applications: Vec<(Date, usize)>,
}

impl Borrower {
    /// Returns the borrower with this number, as its MD5.
    pub(super) fn for_number(number: &str, temper: Temper, today: Date) -> Self {
        let mut draw = Draw::new(&["borrower", number]);
        let [gap, history, installments, lenders] = temper.bounds();
        let gap = round_to_step(draw.number(gap.0, gap.1));
        let origin = match temper {
            Temper::New => today.month().first_day().unwrap_or(today),
            Temper::Steady | Temper::Late | Temper::Seldom => epoch().min(today),
        };
        let origin = epoch().plus_days(round_to_step(origin.days_since(epoch())));
        let start = origin.plus_days(-round_to_step(draw.number(history.0, history.1)));
        let first_seen = start.plus_days(-draw.number(60, if temper == Temper::New { 90 } else { 600 }));
        let lenders = draw.number(lenders.0, lenders.1);
        let is_early = temper == Temper::Steady && draw.number(0, 1) == 1;
        let taken = (0..).map(|count| (count, start.plus_days(count * gap)));
        let loans = taken
            .take_while(|(_, taken)| *taken <= today)
            .filter(|(_, taken)| today.days_since(*taken) <= REPORTED)
            .map(|(count, taken)| {
                let mut draw = Draw::new(&["loan", number, &count.to_string()]);
                let installments = draw.number(installments.0, installments.1);
                let delay = delay(temper, count, installments, taken, &mut draw);
                let last = taken.plus_days(INSTALLMENT * installments);
                let paid = delay.map_or(last, |it| it.due.plus_days(it.days).max(last));
                let repaid = if is_early { last.plus_days(-INSTALLMENT / 2) } else { paid };
                Loan { taken, installments, repaid, is_early, lender: draw.number(1, lenders), delay }
            })
            .collect();
        let mut borrower = Self { today, temper, first_seen, loans, applications: Vec::new() };
        borrower.applications = borrower.applications(number);
        borrower
    }

    fn applications(&self, number: &str) -> Vec<(Date, usize)> {
        let is_keen = self.temper == Temper::Late;
        let days = (0..90).map(|back| self.today.plus_days(-back));
        days.filter_map(|day| {
            if let Some(loan) = self.loans.iter().find(|it| it.taken == day) {
                return Some((day, usize::try_from(loan.lender % 4).unwrap_or(0)));
            }
            let mut draw = Draw::new(&["application", number, &day.to_string()]);
            let applies =
                day.days_since(epoch()) % STEP == 0 && draw.number(1, 8) <= if is_keen { 4 } else { 1 };
            applies.then(|| (day, usize::try_from(draw.number(0, 3)).unwrap_or(0)))
        })
        .collect()
    }

    pub(super) fn open_loans(&self) -> usize {
        self.loans.iter().filter(|it| it.repaid > self.today).count()
    }

    pub(super) fn overdue_loans(&self) -> usize {
        self.loans.iter().filter_map(|it| it.delay).filter(|it| it.is_overdue(self.today)).count()
    }

    /// Returns the loans of the last 12 months, and how many of them are repaid.
    pub(super) fn loans_of_a_year(&self) -> (usize, usize) {
        let taken = self.loans.iter().filter(|it| self.today.days_since(it.taken) < 365);
        taken.fold((0, 0), |(all, repaid), it| (all + 1, repaid + usize::from(it.repaid <= self.today)))
    }

    pub(super) fn lenders(&self) -> usize {
        self.loans.iter().map(|it| it.lender).collect::<BTreeSet<_>>().len()
    }

    /// Returns the late installments that were due in the last days.
    pub(super) fn delays(&self, days: i64) -> impl Iterator<Item = Delay> {
        let late = self.loans.iter().filter_map(|it| it.delay);
        late.filter(move |it| it.is_known(self.today) && self.today.days_since(it.due) < days)
    }

    pub(super) fn find_longest_delay(&self, days: i64) -> i64 {
        self.delays(days).map(|it| it.days(self.today)).max().unwrap_or(0)
    }

    /// Returns the hundredths of the due installments that were paid in time, rounded down.
    pub(super) fn on_time_share(&self) -> i64 {
        let due = |loan: &Loan| (self.today.days_since(loan.taken) / INSTALLMENT).clamp(0, loan.installments);
        let due: i64 = self.loans.iter().map(due).sum();
        let late = i64::try_from(self.delays(REPORTED).count()).unwrap_or(due);
        if due == 0 { 100 } else { (due - late).max(0) * 100 / due }
    }

    /// Returns whether most repaid loans were repaid early.
    pub(super) fn repays_early(&self) -> bool {
        let repaid = || self.loans.iter().filter(|it| it.repaid <= self.today);
        repaid().filter(|it| it.is_early).count() * 2 > repaid().count()
    }

    /// Returns the days between two loans, unless there is only one.
    pub(super) fn days_between_loans(&self) -> Option<i64> {
        let [.., before, last] = self.loans.as_slice() else { return None };
        Some(last.taken.days_since(before.taken))
    }

    pub(super) fn days_since_last_loan(&self) -> i64 {
        self.loans.last().map_or(0, |it| self.today.days_since(it.taken))
    }

    pub(super) fn days_since_first_loan(&self) -> i64 {
        self.loans.first().map_or(0, |it| self.today.days_since(it.taken))
    }

    /// Returns the days on which a lender blacklisted the number, latest first.
    pub(super) fn blacklisting_days(&self) -> Vec<Date> {
        let delays = self.loans.iter().rev().filter_map(|it| it.delay);
        let days =
            delays.filter(|it| it.days >= BLACKLISTED_AFTER).map(|it| it.due.plus_days(BLACKLISTED_AFTER));
        days.filter(|day| *day < self.today && self.today.days_since(*day) <= BLACKLIST_SHOWN).collect()
    }

    /// Returns whether the number is in use.
    pub(super) fn is_number_active(&self) -> bool {
        self.temper != Temper::Seldom || self.days_since_last_loan() <= 365
    }
}

/// Draws the late installment of a loan. Each third loan of a late payer is late enough for a blacklist.
fn delay(temper: Temper, count: i64, installments: i64, taken: Date, draw: &mut Draw) -> Option<Delay> {
    if temper != Temper::Late {
        return None;
    }
    let (installment, days) = match count % 3 {
        0 => (1, draw.number(BLACKLISTED_AFTER + 5, 90)),
        1 => (draw.number(1, installments), draw.number(3, 40)),
        _ => return None,
    };
    Some(Delay { due: taken.plus_days(INSTALLMENT * installment), days })
}

const fn round_to_step(days: i64) -> i64 {
    days.div_euclid(STEP) * STEP
}
