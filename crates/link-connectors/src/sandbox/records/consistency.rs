//! Checks that no signal contradicts itself, another signal or the record of the same person: for many numbers, addresses
//! and days over ten years.

use std::collections::BTreeMap;
use std::time::Duration;

use link_types::record::{RecordConsent, SOCIAL_SECURITY_TEMPLATE, SocialSecurityRequest};
use link_types::signal::{
    FootprintsRequest, IncomeEstimatorRequest, ItemSpec, ItemValue, ItemValues, MobileSignalRequest,
    SignalConsent, SignalKind, SignalRequest, SocialSecuritySignalsRequest,
};
use link_types::{Date, Timestamp};

use super::borrower::{Borrower, Temper};
use super::inputs::{SandboxOutcome, TEST_INPUTS, md5_of};
use super::{items, social_security};

/// A signal's values by name. `get` returns flags as 0 and 1, numbers in hundredths, dates as days, lists as lengths.
struct Found {
    kind: SignalKind,
    values: BTreeMap<String, ItemValue>,
}

impl Found {
    fn for_request(request: &SignalRequest, outcome: SandboxOutcome, today: Date) -> Self {
        let found = items::find_items(request, outcome, Duration::from_secs(30), today);
        let kind = request.kind();
        assert_eq!(found.len(), kind.items().len());
        let values = found.into_iter().filter_map(|it| Some((it.name, it.value?))).collect();
        let found = Self { kind, values };
        kind.items().iter().for_each(|spec| found.check_bounds(spec, today));
        found
    }

    fn get(&self, name: &str) -> i64 {
        self.find(name).unwrap_or_else(|| panic!("{} has no {name}", self.kind))
    }

    fn find(&self, name: &str) -> Option<i64> {
        match self.values.get(name)? {
            ItemValue::Boolean(value) => Some(i64::from(*value)),
            ItemValue::Integer(value) => Some(*value),
            ItemValue::Number(value) => Some((value * 100.0).round() as i64),
            ItemValue::Dates(dates) => Some(dates.len() as i64),
            ItemValue::Text(text) => {
                text.parse().ok().map(|day: Date| day.start().as_micros() / 86_400_000_000)
            }
        }
    }

    fn word(&self, name: &str) -> &str {
        let ItemValue::Text(text) = &self.values[name] else { panic!("{name}: {:?}", self.values[name]) };
        text
    }

    fn check_bounds(&self, spec: &ItemSpec, today: Date) {
        let Some(value) = self.values.get(spec.name) else { return };
        let (name, kind) = (spec.name, self.kind);
        let fits = match (spec.values, value) {
            (ItemValues::Boolean, ItemValue::Boolean(_)) => true,
            (ItemValues::Integer(low, high), ItemValue::Integer(value)) => (low..=high).contains(value),
            (ItemValues::Hundredths(low, high), ItemValue::Number(_)) => {
                (low..=high).contains(&self.get(name))
            }
            (ItemValues::Word(words), ItemValue::Text(word)) => words.contains(&word.as_str()),
            (ItemValues::DaysAgo(_), ItemValue::Text(day)) => {
                day.parse::<Date>().is_ok_and(|day| day < today)
            }
            (ItemValues::DayList(most), ItemValue::Dates(days)) => {
                days.iter().all(|day| *day < today && today.days_since(*day) <= most)
                    && days.windows(2).all(|pair| pair[0] > pair[1])
            }
            _ => false,
        };
        assert!(fits, "{kind} {name} on {today}: {}", serde_json::to_string(value).unwrap());
        let low = spec.not_below.and_then(|other| self.find(other));
        assert!(low.is_none_or(|low| low <= self.get(name)), "{kind} {name}");
    }
}

fn days() -> impl Iterator<Item = Date> {
    let first: Date = "2026-11-20".parse().unwrap();
    (0..30).map(move |it| first.plus_days(it)).chain((1..40).map(move |it| first.plus_days(it * 92)))
}

fn numbers() -> impl Iterator<Item = (String, SandboxOutcome)> {
    let published = TEST_INPUTS.iter().map(|it| (it.mobile_number.to_owned(), it.outcome));
    let outcomes = [
        SandboxOutcome::Success,
        SandboxOutcome::LateItems,
        SandboxOutcome::PartialMatch,
        SandboxOutcome::NoMatch,
    ];
    published.chain((0..12).map(move |it| (format!("5255{it:08}"), outcomes[it % 4])))
}

fn consent() -> SignalConsent {
    SignalConsent {
        consented_at: Timestamp::from_micros(0),
        consent_template_id: None,
        consent_type: None,
        version: None,
        consented_with: None,
    }
}

fn mobile(number: &str) -> MobileSignalRequest {
    MobileSignalRequest { mobile_number: number.to_owned(), consent: consent() }
}

#[test]
fn signals_about_a_borrower_agree() {
    for (number, outcome) in numbers() {
        for today in days() {
            let who = format!("{number} {today}");
            let found = |kind: fn(MobileSignalRequest) -> SignalRequest| {
                Found::for_request(&kind(mobile(&number)), outcome, today)
            };
            let behavior = found(SignalRequest::BorrowerBehavior);
            let lifecycle = found(SignalRequest::CreditLifecycle);
            check_behavior(&behavior, &who);
            check_lifecycle(&lifecycle, &behavior, &who);
            let blacklist = found(SignalRequest::Blacklist);
            assert_eq!(blacklist.get("hit") == 1, blacklist.get("dates") > 0, "{who}");
            assert_eq!(blacklist.get("hit") == 1, Temper::from_outcome(outcome) == Temper::Late, "{who}");
            assert!(blacklist.get("hit") == 0 || behavior.get("longestDelayDays") >= 60, "{who}");
            let screening = found(SignalRequest::BorrowerScreening);
            check_screening(&screening, &who);
            assert_eq!(screening.get("knownToLenders"), 1, "{who}: there are loans");
            let months = screening.get("numberAgeMonths");
            assert!(months * 31 >= lifecycle.get("daysSinceFirstLoan") - 31, "{who}: {months} months");
            assert!(blacklist.get("hit") == 0 || screening.word("riskLevel") == "HIGH", "{who}");
            let applications = found(SignalRequest::MultipleApplicationWarning);
            for (span, days) in [("7Days", 7), ("30Days", 30), ("90Days", 90)] {
                let of = |kind: &str| applications.get(&format!("{kind}pplications{span}"));
                let kinds = ["bankA", "onlineA", "microfinanceA", "retailA"];
                assert_eq!(of("a"), kinds.into_iter().map(of).sum::<i64>(), "{who}");
                assert!(lifecycle.get("daysSinceLastLoan") >= days || of("a") > 0, "{who}");
            }
        }
    }
}

fn is_good(found: &Found) -> bool {
    found.get("score") >= 60
}

fn check_behavior(found: &Found, who: &str) {
    let loans = found.get("openLoans") + found.get("repaidLoans");
    let (longest, lenders) = (found.get("longestDelayDays"), found.get("lenders"));
    assert!(loans >= lenders, "{who}");
    assert_eq!(longest == 0, found.get("onTimeShare") == 100, "{who}");
    assert!(found.get("latePayments90Days") == 0 || longest > 0, "{who}");
    assert_eq!(found.find("daysBetweenLoans").is_none(), loans == 1, "{who}");
    assert!(found.get("repaysEarly") == 0 || longest == 0, "{who}");
    match found.word("scoreReason") {
        "PAYS_ON_TIME" => assert!(longest == 0 && is_good(found), "{who}"),
        "PAYS_LATE" => assert!(longest > 0 && !is_good(found), "{who}"),
        "SHORT_HISTORY" => assert!(loans == 1 && !is_good(found), "{who}"),
        _ => assert!(lenders > 4 && !is_good(found), "{who}"),
    }
}

fn check_lifecycle(found: &Found, behavior: &Found, who: &str) {
    let loans = behavior.get("openLoans") + behavior.get("repaidLoans");
    let (overdue, taken) = (found.get("overdueLoans"), found.get("loans12Months"));
    let delay = found.get("longestDelayDays12Months");
    assert!(overdue <= behavior.get("openLoans") && taken <= loans, "{who}");
    assert!(delay <= behavior.get("longestDelayDays"), "{who}");
    assert!(overdue == 0 || delay > 0 && behavior.get("latePayments90Days") > 0, "{who}");
    assert_eq!(taken == 0, found.get("daysSinceLastLoan") >= 365, "{who}");
    assert_eq!(found.get("daysSinceFirstLoan") == found.get("daysSinceLastLoan"), loans == 1, "{who}");
    let stage = found.word("stage");
    assert_eq!(stage == "DELINQUENT", overdue > 0, "{who}");
    assert!(stage != "DORMANT" || taken == 0, "{who}");
    assert!(stage != "NEW" || loans == 1, "{who}");
    match found.word("scoreReason") {
        "STEADY_REPAYMENT" => {
            assert!(delay == 0 && taken > 0 && matches!(stage, "GROWING" | "MATURE"), "{who}");
            assert!(is_good(found), "{who}");
        }
        "RECENT_DELAY" => assert!(delay > 0 && !is_good(found), "{who}"),
        "NO_RECENT_LOAN" => assert!(taken == 0 && !is_good(found), "{who}"),
        _ => assert!(loans == 1 && !is_good(found), "{who}"),
    }
}

fn check_screening(found: &Found, who: &str) {
    let (score, months) = (found.get("score"), found.get("numberAgeMonths"));
    let level = match score {
        70.. => "LOW",
        40..70 => "MEDIUM",
        _ => "HIGH",
    };
    assert_eq!(found.word("riskLevel"), level, "{who}");
    assert!(found.get("numberActive") == 1 || level == "HIGH", "{who}");
    let reason = found.word("scoreReason");
    assert_eq!(reason == "CHANGED_SIM", found.get("simChanged30Days") == 1, "{who}");
    assert_eq!(reason == "LONG_HELD_NUMBER", score >= 60, "{who}");
    assert!(reason != "LONG_HELD_NUMBER" || months >= 12 && found.get("numberActive") == 1, "{who}");
    assert!(reason != "NEW_NUMBER" || months < 12, "{who}");
}

#[test]
fn footprints_agree_with_the_number_and_the_address() {
    for (number, outcome) in numbers() {
        for address in (0..4).map(|it| format!("person{it}@example.com")) {
            for today in days().step_by(9) {
                check_footprints(&number, &address, outcome, today);
            }
        }
    }
}

fn check_footprints(number: &str, address: &str, outcome: SandboxOutcome, today: Date) {
    let ask = |mobile_number: Option<&str>, email_address: Option<&str>| {
        let request = FootprintsRequest {
            mobile_number: mobile_number.map(str::to_owned),
            email_address: email_address.map(str::to_owned),
            timeout: None,
            consent: consent(),
        };
        Found::for_request(&SignalRequest::Footprints(request), outcome, today)
    };
    let services = |found: &Found| -> i64 {
        found.values.keys().filter(|it| it.ends_with("Services")).map(|it| found.get(it)).sum()
    };
    let both = ask(Some(number), Some(address));
    assert!(services(&both) >= both.get("breaches"));
    let by_number = ask(Some(number), None);
    assert_eq!((by_number.find("emailFirstSeen"), by_number.find("breaches")), (None, None));
    assert_eq!(by_number.get("mobileFirstSeen"), both.get("mobileFirstSeen"));
    let by_address = ask(None, Some(address));
    assert_eq!(by_address.find("mobileFirstSeen"), None);
    assert_eq!(by_address.get("emailFirstSeen"), both.get("emailFirstSeen"));
    assert!(services(&by_address) <= services(&both));
    assert!(services(&by_address) >= by_address.get("breaches"));
    let borrower = Borrower::for_number(&md5_of(number), Temper::from_outcome(outcome), today);
    assert_eq!(both.word("mobileFirstSeen"), borrower.first_seen.to_string());
}

#[test]
fn working_life_agrees_with_the_record_and_the_age() {
    for (number, outcome) in numbers() {
        for year in (1940..2026).step_by(5) {
            let century = if year < 2000 { '0' } else { 'A' };
            let curp = format!("HEGG{:02}0427MVZRRL{century}4", year % 100);
            for today in days().step_by(7) {
                let (mobile_number, curp) = (number.clone(), curp.clone());
                let asked =
                    SocialSecuritySignalsRequest { mobile_number, curp: curp.clone(), consent: consent() };
                let found = Found::for_request(&SignalRequest::SocialSecuritySignals(asked), outcome, today);
                let who = format!("{number} {curp} {today}");
                check_working_life(&found, &who);
                if outcome != SandboxOutcome::Success {
                    assert_eq!(found.get("employed"), 0, "the record has no employer");
                    continue;
                }
                let record = social_security::result(&record_request(&number, &curp), today);
                assert_eq!(i64::from(record.contribution_days) / 7, found.get("contributionWeeks"), "{who}");
                assert_eq!((found.get("registered"), found.get("employed")), (1, 1), "{who}");
                let adult_since: Date = format!("{}-04-27", year + 18).parse().unwrap();
                let can_work = today.days_since(adult_since).max(60);
                assert!(i64::from(record.contribution_days) <= can_work, "{who}");
            }
        }
    }
}

fn check_working_life(found: &Found, who: &str) {
    let (months, employers) = (found.get("monthsInJob"), found.get("employers60Months"));
    let (year, all) = (found.get("contributionWeeks12Months"), found.get("contributionWeeks"));
    if found.get("registered") == 0 {
        assert_eq!((found.get("employed"), months, employers, year, all), (0, 0, 0, 0, 0), "{who}");
        assert!(found.find("longestGapDays60Months").is_none() && found.find("baseAmountRising").is_none());
        return;
    }
    let gap = found.get("longestGapDays60Months");
    assert!(all >= year && all + 1 >= months * 4, "{who}: {all} weeks, {months} months");
    assert_eq!(employers == 0, gap >= 1_826, "{who}: {employers} employers, {gap} days");
    assert!(found.get("baseAmountRising") == 0 || year > 0, "{who}");
    if found.get("employed") == 1 {
        assert!(employers >= 1 && year >= (months * 4).min(48), "{who}");
        assert!(months < 61 || (employers == 1 && gap == 0), "{who}: {months} months, {employers} employers");
    }
    assert!(year >= 52 || gap > 0 || all <= 53, "{who}: {year} weeks without a gap");
}

fn record_request(number: &str, curp: &str) -> SocialSecurityRequest {
    SocialSecurityRequest {
        template_id: SOCIAL_SECURITY_TEMPLATE.to_owned(),
        consent: RecordConsent {
            consented_at: Timestamp::from_micros(0),
            consent_template_id: None,
            consent_type: None,
            version: None,
            consented_with: "I agree".to_owned(),
        },
        mobile_number: number.to_owned(),
        full_name: "Valeria Montelongo Olmedal".to_owned(),
        curp: curp.to_owned(),
        email_address: "valeria@example.com".to_owned(),
        user_id: None,
    }
}

#[test]
fn certain_estimates_have_close_bounds() {
    let today = days().next().unwrap();
    for email_address in (0..200).map(|it| format!("person{it}@example.com")) {
        let request = IncomeEstimatorRequest { email_address, consent: consent() };
        let found =
            Found::for_request(&SignalRequest::IncomeEstimator(request), SandboxOutcome::Success, today);
        let (low, amount, high) = (found.get("low"), found.get("amount"), found.get("high"));
        assert!(low < amount && amount < high);
        let spread = (high - low) * 100 / amount;
        assert!((spread - (100 - found.get("confidence"))).abs() <= 1, "{spread}");
    }
}
