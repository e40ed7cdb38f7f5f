//! The items of the sandbox's signals. Those about one person are computed from one invented life.

use std::time::Duration;

use link_types::Date;
use link_types::signal::{
    FootprintsRequest, IdType, ItemValue, RequestMeta, SignalItem, SignalKind, SignalRequest,
    SocialSecuritySignalsRequest, VerificationRequest,
};

use super::borrower::{Borrower, Temper};
use super::inputs::{SandboxOutcome, md5_of};
use super::worker::Worker;
use crate::sandbox::draw::{Draw, epoch};

/// How long the late items take.
const LATE_AFTER: Duration = Duration::from_secs(5);
/// The age in months below which a number is new.
const NEW_NUMBER: i64 = 12;
const KINDS_OF_LENDER: [&str; 4] = ["bank", "online", "microfinance", "retail"];

pub(super) fn find_items(
    request: &SignalRequest,
    outcome: SandboxOutcome,
    timeout: Duration,
    today: Date,
) -> Vec<SignalItem> {
    let kind = request.kind();
    let number = request.mobile_number().map(md5_of).unwrap_or_default();
    let mut draw = Draw::new(&[kind.as_str(), &number]);
    let borrower = Borrower::for_number(&number, Temper::from_outcome(outcome), today);
    let mut items = Items::for_kind(kind);
    match request.meta() {
        RequestMeta::Mobile(_) => items.about(&borrower, &mut draw),
        RequestMeta::Footprints(asked) => {
            items.footprints(asked, &borrower, &mut draw);
            if outcome == SandboxOutcome::LateItems && timeout < LATE_AFTER {
                for late in items.0.iter_mut().rev().take(2) {
                    late.value = None;
                }
            }
        }
        RequestMeta::Verification(asked) => items.set_matches(asked, outcome),
        RequestMeta::SocialSecuritySignals(asked) => items.working_life(asked, outcome, today),
        RequestMeta::IncomeEstimator(asked) => items.estimate(&asked.email_address),
    }
    items.0
}

pub(super) struct Items(pub(super) Vec<SignalItem>);

impl Items {
    /// Returns the items of a kind, all unknown.
    pub(super) fn for_kind(kind: SignalKind) -> Self {
        let item = |name: &str, value_type| SignalItem { name: name.to_owned(), value: None, value_type };
        Self(kind.items().iter().map(|spec| item(spec.name, spec.values.value_type())).collect())
    }

    fn set(&mut self, name: &str, value: ItemValue) {
        if let Some(item) = self.0.iter_mut().find(|item| item.name == name) {
            item.value = Some(value);
        }
    }

    fn count(&mut self, name: &str, count: impl TryInto<i64>) {
        if let Ok(count) = count.try_into() {
            self.set(name, ItemValue::Integer(count));
        }
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.set(name, ItemValue::Boolean(value));
    }

    fn word(&mut self, name: &str, word: impl Into<String>) {
        self.set(name, ItemValue::Text(word.into()));
    }

    fn hundredths(&mut self, name: &str, value: i64) {
        self.set(name, ItemValue::Number(value as f64 / 100.0));
    }

    fn score(&mut self, reason: &str, (low, high): (i64, i64), draw: &mut Draw) -> i64 {
        let score = draw.number(low, high);
        self.count("score", score);
        self.word("scoreReason", reason);
        score
    }

    /// Sets the items of a signal that takes only a number. Items of other kinds are not in the table, so they stay out.
    pub(super) fn about(&mut self, borrower: &Borrower, draw: &mut Draw) {
        let has = |name: &str, items: &Self| items.0.iter().any(|item| item.name == name);
        if has("hit", self) {
            let dates = borrower.blacklisting_days();
            self.flag("hit", !dates.is_empty());
            self.set("dates", ItemValue::Dates(dates));
        } else if has("openLoans", self) {
            self.behavior(borrower, draw);
        } else if has("stage", self) {
            self.lifecycle(borrower, draw);
        } else if has("riskLevel", self) {
            self.screening(borrower, draw);
        } else {
            self.applications(borrower);
        }
    }

    fn behavior(&mut self, borrower: &Borrower, draw: &mut Draw) {
        let (loans, open, lenders) = (borrower.loans.len(), borrower.open_loans(), borrower.lenders());
        let longest = borrower.find_longest_delay(i64::MAX);
        let (reason, bounds) = match (longest, loans, lenders) {
            (1.., ..) => ("PAYS_LATE", (10, 45)),
            (_, ..=1, _) => ("SHORT_HISTORY", (40, 59)),
            (_, _, 5..) => ("MANY_LENDERS", (45, 59)),
            _ => ("PAYS_ON_TIME", (60, 100)),
        };
        self.score(reason, bounds, draw);
        self.count("openLoans", open);
        self.count("repaidLoans", loans - open);
        self.hundredths("onTimeShare", borrower.on_time_share());
        self.count("latePayments90Days", borrower.delays(90).count());
        self.count("longestDelayDays", longest);
        if let Some(days) = borrower.days_between_loans() {
            self.count("daysBetweenLoans", days);
        }
        self.count("lenders", lenders);
        self.flag("repaysEarly", borrower.repays_early());
    }

    fn lifecycle(&mut self, borrower: &Borrower, draw: &mut Draw) {
        let (loans, overdue) = (borrower.loans.len(), borrower.overdue_loans());
        let (taken, repaid) = borrower.loans_of_a_year();
        let delay = borrower.find_longest_delay(365);
        let history = if loans < 5 { "GROWING" } else { "MATURE" };
        let (stage, reason, bounds) = match (overdue, delay, taken, loans) {
            (1.., ..) => ("DELINQUENT", "RECENT_DELAY", (5, 30)),
            (_, 1.., ..) => (history, "RECENT_DELAY", (31, 55)),
            (_, _, 0, _) => ("DORMANT", "NO_RECENT_LOAN", (40, 59)),
            (.., ..=1) => ("NEW", "FIRST_LOAN", (40, 59)),
            _ => (history, "STEADY_REPAYMENT", (60, 100)),
        };
        self.score(reason, bounds, draw);
        self.word("stage", stage);
        self.count("daysSinceLastLoan", borrower.days_since_last_loan());
        self.count("daysSinceFirstLoan", borrower.days_since_first_loan());
        self.count("repaidLoans12Months", repaid);
        self.count("loans12Months", taken);
        self.count("overdueLoans", overdue);
        self.count("longestDelayDays12Months", delay);
    }

    fn screening(&mut self, borrower: &Borrower, draw: &mut Draw) {
        let months = borrower.today.days_since(borrower.first_seen) * 100 / 3_044;
        let is_changed = borrower.temper == Temper::Late;
        let (reason, bounds) = match borrower.temper {
            Temper::Late => ("CHANGED_SIM", (10, 39)),
            Temper::Seldom => ("FEW_TRACES", if borrower.is_number_active() { (30, 59) } else { (5, 30) }),
            Temper::New | Temper::Steady if months < NEW_NUMBER => ("NEW_NUMBER", (25, 59)),
            Temper::New | Temper::Steady => ("LONG_HELD_NUMBER", (60, 100)),
        };
        let level = match self.score(reason, bounds, draw) {
            70.. => "LOW",
            40..70 => "MEDIUM",
            _ => "HIGH",
        };
        self.word("riskLevel", level);
        self.flag("numberActive", borrower.is_number_active());
        self.count("numberAgeMonths", months);
        self.flag("numberPorted", draw.number(0, 1) == 1);
        self.flag("simChanged30Days", is_changed);
        self.flag("knownToLenders", !borrower.loans.is_empty());
    }

    fn applications(&mut self, borrower: &Borrower) {
        for (span, days) in [("7Days", 7), ("30Days", 30), ("90Days", 90)] {
            let within =
                || borrower.applications.iter().filter(|(day, _)| borrower.today.days_since(*day) < days);
            self.count(&format!("applications{span}"), within().count());
            for (at, kind) in KINDS_OF_LENDER.iter().enumerate() {
                self.count(
                    &format!("{kind}Applications{span}"),
                    within().filter(|(_, it)| *it == at).count(),
                );
            }
        }
    }

    /// Sets what is known about the number and the address. What needs the one that was not sent stays unknown.
    fn footprints(&mut self, asked: &FootprintsRequest, borrower: &Borrower, draw: &mut Draw) {
        let least = i64::from(borrower.temper != Temper::Seldom);
        let most = |most: i64| if least == 0 { 1 } else { most };
        let (mut messaging, mut finance) = (0, 0);
        if asked.mobile_number.is_some() {
            self.word("mobileFirstSeen", borrower.first_seen.to_string());
            (messaging, finance) = (draw.number(least, most(6)), draw.number(least, most(5)));
        }
        let mut services = messaging + finance;
        let address = asked.email_address.as_deref().map(str::to_lowercase);
        let mut of_address = Draw::new(&["address", address.as_deref().unwrap_or_default()]);
        let others = [
            ("socialServices", 9),
            ("professionalServices", 4),
            ("shoppingServices", 8),
            ("entertainmentServices", 8),
            ("travelServices", 5),
        ];
        for (name, high) in others {
            let count = match address {
                Some(_) => of_address.number(0, high),
                None => draw.number(0, most(high)),
            };
            services += count;
            self.count(name, count);
        }
        if address.is_some() {
            let (of_messaging, of_finance) = (of_address.number(0, 6), of_address.number(0, 5));
            services += (of_messaging - messaging).max(0) + (of_finance - finance).max(0);
            (messaging, finance) = (messaging.max(of_messaging), finance.max(of_finance));
            let seen = epoch().min(borrower.today).plus_days(-of_address.number(30, 3_000));
            self.word("emailFirstSeen", seen.to_string());
            self.count("breaches", of_address.number(0, services.min(7)));
        }
        self.count("messagingServices", messaging);
        self.count("financeServices", finance);
    }

    /// Sets a working life. The numbers without a record have none, or one without a current employer.
    fn working_life(&mut self, asked: &SocialSecuritySignalsRequest, outcome: SandboxOutcome, today: Date) {
        let (is_registered, is_employed) =
            (outcome != SandboxOutcome::NoMatch, outcome == SandboxOutcome::Success);
        self.flag("registered", is_registered);
        self.flag("employed", is_employed);
        if !is_registered {
            let none = ["monthsInJob", "employers60Months", "contributionWeeks12Months", "contributionWeeks"];
            none.into_iter().for_each(|name| self.count(name, 0));
            return;
        }
        let worker = Worker::for_number(&md5_of(&asked.mobile_number), &asked.curp, is_employed, today);
        self.count("monthsInJob", worker.months_in_job());
        self.count("employers60Months", worker.employers_of_five_years());
        self.count("contributionWeeks12Months", worker.days(364) / 7);
        self.count("contributionWeeks", worker.all_days() / 7);
        self.count("longestGapDays60Months", worker.find_longest_gap());
        self.flag("baseAmountRising", worker.base_amount_rises());
    }

    /// Sets an estimate. The more certain it is, the closer are its bounds.
    fn estimate(&mut self, address: &str) {
        let mut draw = Draw::new(&["income", &address.to_lowercase()]);
        let (amount, confidence) = (draw.number(1_200_000, 2_800_000), draw.number(30, 95));
        let spread = amount * (100 - confidence) / 200;
        self.hundredths("low", amount - spread);
        self.hundredths("amount", amount);
        self.hundredths("high", amount + spread);
        self.word("currency", "MXN");
        self.hundredths("confidence", confidence);
    }

    /// Sets the items that were sent. They match as the number requires.
    fn set_matches(&mut self, asked: &VerificationRequest, outcome: SandboxOutcome) {
        let (names, rest) = match outcome {
            SandboxOutcome::PartialMatch => ("PARTIAL_MATCH", "FULL_MATCH"),
            SandboxOutcome::NoMatch => ("NO_MATCH", "NO_MATCH"),
            SandboxOutcome::Success
            | SandboxOutcome::LateItems
            | SandboxOutcome::NoData
            | SandboxOutcome::InvalidParameters
            | SandboxOutcome::ServiceUnavailable
            | SandboxOutcome::SystemError => ("FULL_MATCH", "FULL_MATCH"),
        };
        let has = |id_type| asked.ids.iter().any(|id| id.id_type == id_type);
        for (name, sent, word) in [
            ("firstName", true, names),
            ("middleName", asked.middle_name.is_some(), names),
            ("lastName", true, names),
            ("dob", true, rest),
            ("curp", has(IdType::Curp), rest),
            ("rfc", has(IdType::Rfc), rest),
            ("nss", has(IdType::Nss), rest),
            ("voterId", has(IdType::VoterId), rest),
            ("passport", has(IdType::Passport), rest),
            ("mobileNumber", asked.mobile_number.is_some(), rest),
            ("emailAddress", asked.email_address.is_some(), rest),
            ("employerName", asked.employer_name.is_some(), rest),
            ("finalMatch", true, names),
        ] {
            if sent {
                self.word(name, word);
            }
        }
    }
}
