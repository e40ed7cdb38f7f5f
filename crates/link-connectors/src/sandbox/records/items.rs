//! The items of the sandbox's signals: drawn from the input within the table's bounds, then made consistent.

use std::time::Duration;

use link_types::Date;
use link_types::signal::{
    IdType, ItemSpec, ItemValue, ItemValues, RequestMeta, SignalItem, SignalKind, SignalRequest,
    VerificationRequest,
};

use super::inputs::{SandboxOutcome, md5_of};
use crate::sandbox::draw::Draw;

/// How long the late items take.
const LATE_AFTER: Duration = Duration::from_secs(5);
/// The first reason is used from this score on.
const GOOD_SCORE: i64 = 60;

pub(super) fn found(
    request: &SignalRequest,
    outcome: SandboxOutcome,
    patience: Duration,
    today: Date,
) -> Vec<SignalItem> {
    let kind = request.kind();
    let number = request.mobile_number().map(md5_of).unwrap_or_default();
    let email = request.email_address().map(str::to_lowercase).unwrap_or_default();
    let mut draw = Draw::new(&[kind.as_str(), &number, &email]);
    let mut items = Items(Vec::new());
    for spec in kind.items() {
        let value = items.draw(spec, &mut draw, today);
        items.0.push(SignalItem {
            name: spec.name.to_owned(),
            value: Some(value),
            value_type: spec.values.value_type(),
        });
    }
    match kind {
        SignalKind::Blacklist => items.listed(outcome == SandboxOutcome::Success),
        SignalKind::Footprints if outcome == SandboxOutcome::LateItems && patience < LATE_AFTER => {
            for late in items.0.iter_mut().rev().take(2) {
                late.value = None;
            }
        }
        SignalKind::MultipleApplicationWarning => items.sum_applications(),
        SignalKind::BorrowerScreening => items.level_of_score(),
        SignalKind::Verification => {
            if let RequestMeta::Verification(asked) = request.meta() {
                items.matched(asked, outcome);
            }
        }
        SignalKind::Footprints
        | SignalKind::BorrowerBehavior
        | SignalKind::CreditLifecycle
        | SignalKind::SocialSecuritySignals
        | SignalKind::IncomeEstimator => {}
    }
    items.0
}

struct Items(Vec<SignalItem>);

impl Items {
    fn get(&self, name: &str) -> Option<&ItemValue> {
        self.0.iter().find(|item| item.name == name).and_then(|item| item.value.as_ref())
    }

    fn set(&mut self, name: &str, value: Option<ItemValue>) {
        if let Some(item) = self.0.iter_mut().find(|item| item.name == name) {
            item.value = value;
        }
    }

    fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(ItemValue::Integer(value)) => *value,
            Some(ItemValue::Number(value)) => (value * 100.0).round() as i64,
            Some(ItemValue::Boolean(_) | ItemValue::Dates(_) | ItemValue::Text(_)) | None => 0,
        }
    }

    fn draw(&self, spec: &ItemSpec, draw: &mut Draw, today: Date) -> ItemValue {
        let bounds = |low: i64, high: i64| {
            let floor = spec.not_below.map_or(low, |other| self.integer(other)).max(low);
            (floor, high.max(floor))
        };
        match spec.values {
            ItemValues::Boolean => ItemValue::Boolean(draw.number(0, 1) == 1),
            ItemValues::Integer(low, high) => {
                let (low, high) = bounds(low, high);
                ItemValue::Integer(draw.number(low, high))
            }
            ItemValues::Hundredths(low, high) => {
                let (low, high) = bounds(low, high);
                ItemValue::Number(draw.number(low, high) as f64 / 100.0)
            }
            ItemValues::Word([first, others @ ..]) if spec.name == "scoreReason" => {
                let good = self.integer("score") >= GOOD_SCORE;
                ItemValue::Text(if good { *first } else { draw.name(others) }.to_owned())
            }
            ItemValues::Word(words) => ItemValue::Text(draw.name(words).to_owned()),
            ItemValues::DaysAgo(most) => ItemValue::Text(today.plus_days(-draw.number(30, most)).to_string()),
            ItemValues::DayList(most) => {
                let count = draw.number(1, 3);
                let mut days: Vec<Date> =
                    (0..count).map(|_| today.plus_days(-draw.number(1, most))).collect();
                days.sort_unstable_by(|one, other| other.cmp(one));
                ItemValue::Dates(days)
            }
        }
    }

    /// Adds the result of a list. Only the first published number is on one.
    fn listed(&mut self, hit: bool) {
        self.set("hit", Some(ItemValue::Boolean(hit)));
        if !hit {
            self.set("dates", Some(ItemValue::Dates(Vec::new())));
        }
    }

    fn sum_applications(&mut self) {
        for span in ["7Days", "30Days", "90Days"] {
            let kinds = ["bank", "online", "microfinance", "retail"];
            let sum = kinds.iter().map(|kind| self.integer(&format!("{kind}Applications{span}"))).sum();
            self.set(&format!("applications{span}"), Some(ItemValue::Integer(sum)));
        }
    }

    fn level_of_score(&mut self) {
        let level = match self.integer("score") {
            70.. => "LOW",
            40..70 => "MEDIUM",
            _ => "HIGH",
        };
        self.set("riskLevel", Some(ItemValue::Text(level.to_owned())));
    }

    /// Sets items that were not sent to `None`. The others match as the number requires.
    fn matched(&mut self, asked: &VerificationRequest, outcome: SandboxOutcome) {
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
            ("mobileNumber", true, rest),
            ("emailAddress", asked.email_address.is_some(), rest),
            ("employerName", asked.employer_name.is_some(), rest),
            ("finalMatch", true, names),
        ] {
            self.set(name, sent.then(|| ItemValue::Text(word.to_owned())));
        }
    }
}
