//! The items of each kind of signal. `docs/reference/signals.md` has the same tables.

use super::item::{ItemSpec, ItemValues};

pub(super) const BLACKLIST: &[ItemSpec] = &[
    ItemSpec::new("hit", ItemValues::Boolean, "whether a lender has blacklisted the number"),
    ItemSpec::new(
        "dates",
        ItemValues::DayList(720),
        "dates on which it was blacklisted; empty without a hit",
    ),
];

const BORROWER_BEHAVIOR_REASONS: &[&str] = &["PAYS_ON_TIME", "PAYS_LATE", "MANY_LENDERS", "SHORT_HISTORY"];

pub(super) const BORROWER_BEHAVIOR: &[ItemSpec] = &[
    ItemSpec::new("score", ItemValues::Integer(0, 100), "how well the person handles loans; 100 is best"),
    ItemSpec::new("scoreReason", ItemValues::Word(BORROWER_BEHAVIOR_REASONS), "main reason for the score"),
    ItemSpec::new("openLoans", ItemValues::Integer(0, 6), "loans not yet repaid"),
    ItemSpec::new("repaidLoans", ItemValues::Integer(0, 40), "repaid loans"),
    ItemSpec::new("onTimeShare", ItemValues::Hundredths(0, 100), "share of installments paid on time"),
    ItemSpec::new("latePayments90Days", ItemValues::Integer(0, 9), "late installments in the last 90 days"),
    ItemSpec::new("longestDelayDays", ItemValues::Integer(0, 120), "longest delay in days"),
    ItemSpec::new(
        "daysBetweenLoans",
        ItemValues::Integer(1, 900),
        "days between two loans; null after the first",
    ),
    ItemSpec::new("lenders", ItemValues::Integer(1, 12), "total number of lenders"),
    ItemSpec::new("repaysEarly", ItemValues::Boolean, "whether most loans were repaid early"),
];

const BORROWER_SCREENING_REASONS: &[&str] = &["LONG_HELD_NUMBER", "NEW_NUMBER", "CHANGED_SIM", "FEW_TRACES"];
const LEVELS: &[&str] = &["LOW", "MEDIUM", "HIGH"];

pub(super) const BORROWER_SCREENING: &[ItemSpec] = &[
    ItemSpec::new("score", ItemValues::Integer(0, 100), "how trustworthy the number looks; 100 is best"),
    ItemSpec::new("scoreReason", ItemValues::Word(BORROWER_SCREENING_REASONS), "main reason for the score"),
    ItemSpec::new(
        "riskLevel",
        ItemValues::Word(LEVELS),
        "risk by score: LOW from 70, MEDIUM from 40, HIGH below 40",
    ),
    ItemSpec::new("numberActive", ItemValues::Boolean, "whether the number is in use"),
    ItemSpec::new("numberAgeMonths", ItemValues::Integer(0, 360), "months since the number was first seen"),
    ItemSpec::new("numberPorted", ItemValues::Boolean, "whether it was ported to another carrier"),
    ItemSpec::new("simChanged30Days", ItemValues::Boolean, "whether its SIM changed in the last 30 days"),
    ItemSpec::new("knownToLenders", ItemValues::Boolean, "whether a lender has seen it before"),
];

const CREDIT_LIFECYCLE_REASONS: &[&str] =
    &["STEADY_REPAYMENT", "RECENT_DELAY", "NO_RECENT_LOAN", "FIRST_LOAN"];
const STAGES: &[&str] = &["NEW", "GROWING", "MATURE", "DORMANT", "DELINQUENT"];

pub(super) const CREDIT_LIFECYCLE: &[ItemSpec] = &[
    ItemSpec::new("score", ItemValues::Integer(0, 100), "how sound the person's credit is; 100 is best"),
    ItemSpec::new("scoreReason", ItemValues::Word(CREDIT_LIFECYCLE_REASONS), "main reason for the score"),
    ItemSpec::new("stage", ItemValues::Word(STAGES), "stage of the person's credit history"),
    ItemSpec::new("daysSinceLastLoan", ItemValues::Integer(0, 900), "days since the latest loan"),
    ItemSpec::new("daysSinceFirstLoan", ItemValues::Integer(0, 3_600), "days since the first loan")
        .not_below("daysSinceLastLoan"),
    ItemSpec::new("repaidLoans12Months", ItemValues::Integer(0, 10), "repaid loans among `loans12Months`"),
    ItemSpec::new("loans12Months", ItemValues::Integer(0, 14), "loans in the last 12 months")
        .not_below("repaidLoans12Months"),
    ItemSpec::new("overdueLoans", ItemValues::Integer(0, 3), "loans with an overdue installment"),
    ItemSpec::new(
        "longestDelayDays12Months",
        ItemValues::Integer(0, 90),
        "longest delay in days in the last 12 months",
    ),
];

pub(super) const FOOTPRINTS: &[ItemSpec] = &[
    ItemSpec::new("mobileFirstSeen", ItemValues::DaysAgo(3_600), "date on which the number was first seen"),
    ItemSpec::new(
        "emailFirstSeen",
        ItemValues::DaysAgo(3_600),
        "date on which the email address was first seen",
    ),
    ItemSpec::new("messagingServices", ItemValues::Integer(0, 6), "messaging services with an account"),
    ItemSpec::new("socialServices", ItemValues::Integer(0, 9), "social networks with an account"),
    ItemSpec::new("professionalServices", ItemValues::Integer(0, 4), "professional networks with an account"),
    ItemSpec::new("shoppingServices", ItemValues::Integer(0, 8), "online shops with an account"),
    ItemSpec::new(
        "entertainmentServices",
        ItemValues::Integer(0, 8),
        "music, film and game services with an account",
    ),
    ItemSpec::new("travelServices", ItemValues::Integer(0, 5), "travel and ride services with an account"),
    ItemSpec::new("financeServices", ItemValues::Integer(0, 5), "wallets and banks with an account"),
    ItemSpec::new(
        "breaches",
        ItemValues::Integer(0, 7),
        "known data breaches that include the email address",
    ),
];

pub(super) const INCOME_ESTIMATOR: &[ItemSpec] = &[
    ItemSpec::new(
        "low",
        ItemValues::Hundredths(700_000, 3_000_000),
        "lower bound of the likely monthly income",
    ),
    ItemSpec::new("amount", ItemValues::Hundredths(700_000, 3_000_000), "most likely monthly income")
        .not_below("low"),
    ItemSpec::new(
        "high",
        ItemValues::Hundredths(700_000, 4_500_000),
        "upper bound of the likely monthly income",
    )
    .not_below("amount"),
    ItemSpec::new("currency", ItemValues::Word(&["MXN"]), "ISO 4217 currency of the three amounts"),
    ItemSpec::new("confidence", ItemValues::Hundredths(30, 95), "confidence in the estimate, up to 1"),
];

pub(super) const MULTIPLE_APPLICATION_WARNING: &[ItemSpec] = &[
    ItemSpec::new(
        "applications7Days",
        ItemValues::Integer(0, 12),
        "loan applications in 7 days, at all kinds of lenders",
    ),
    ItemSpec::new(
        "applications30Days",
        ItemValues::Integer(0, 32),
        "loan applications in 30 days, at all kinds of lenders",
    ),
    ItemSpec::new(
        "applications90Days",
        ItemValues::Integer(0, 64),
        "loan applications in 90 days, at all kinds of lenders",
    ),
    ItemSpec::new("bankApplications7Days", ItemValues::Integer(0, 3), "applications at banks in 7 days"),
    ItemSpec::new("bankApplications30Days", ItemValues::Integer(0, 8), "applications at banks in 30 days")
        .not_below("bankApplications7Days"),
    ItemSpec::new("bankApplications90Days", ItemValues::Integer(0, 16), "applications at banks in 90 days")
        .not_below("bankApplications30Days"),
    ItemSpec::new(
        "onlineApplications7Days",
        ItemValues::Integer(0, 3),
        "applications at online lenders in 7 days",
    ),
    ItemSpec::new(
        "onlineApplications30Days",
        ItemValues::Integer(0, 8),
        "applications at online lenders in 30 days",
    )
    .not_below("onlineApplications7Days"),
    ItemSpec::new(
        "onlineApplications90Days",
        ItemValues::Integer(0, 16),
        "applications at online lenders in 90 days",
    )
    .not_below("onlineApplications30Days"),
    ItemSpec::new(
        "microfinanceApplications7Days",
        ItemValues::Integer(0, 3),
        "applications at microlenders in 7 days",
    ),
    ItemSpec::new(
        "microfinanceApplications30Days",
        ItemValues::Integer(0, 8),
        "applications at microlenders in 30 days",
    )
    .not_below("microfinanceApplications7Days"),
    ItemSpec::new(
        "microfinanceApplications90Days",
        ItemValues::Integer(0, 16),
        "applications at microlenders in 90 days",
    )
    .not_below("microfinanceApplications30Days"),
    ItemSpec::new("retailApplications7Days", ItemValues::Integer(0, 3), "applications at shops in 7 days"),
    ItemSpec::new("retailApplications30Days", ItemValues::Integer(0, 8), "applications at shops in 30 days")
        .not_below("retailApplications7Days"),
    ItemSpec::new("retailApplications90Days", ItemValues::Integer(0, 16), "applications at shops in 90 days")
        .not_below("retailApplications30Days"),
];

pub(super) const SOCIAL_SECURITY_SIGNALS: &[ItemSpec] = &[
    ItemSpec::new("registered", ItemValues::Boolean, "whether the person is registered with social security"),
    ItemSpec::new("employed", ItemValues::Boolean, "whether an employer currently contributes"),
    ItemSpec::new("monthsInJob", ItemValues::Integer(0, 240), "months with the current or latest employer"),
    ItemSpec::new("employers60Months", ItemValues::Integer(0, 8), "employers in the last 5 years"),
    ItemSpec::new(
        "contributionWeeks12Months",
        ItemValues::Integer(0, 52),
        "weeks with contributions in the last 12 months",
    ),
    ItemSpec::new("contributionWeeks", ItemValues::Integer(0, 1_600), "total weeks with contributions")
        .not_below("contributionWeeks12Months"),
    ItemSpec::new(
        "longestGapDays60Months",
        ItemValues::Integer(0, 1_826),
        "longest gap in days in the last 5 years; null without a job",
    ),
    ItemSpec::new(
        "baseAmountRising",
        ItemValues::Boolean,
        "whether the base salary rose in the last 12 months",
    ),
];

const MATCHES: ItemValues = ItemValues::Word(&["FULL_MATCH", "PARTIAL_MATCH", "NO_MATCH"]);

pub(super) const VERIFICATION: &[ItemSpec] = &[
    ItemSpec::new("firstName", MATCHES, "the given name"),
    ItemSpec::new("middleName", MATCHES, "the other given names"),
    ItemSpec::new("lastName", MATCHES, "the family names"),
    ItemSpec::new("dob", MATCHES, "the date of birth"),
    ItemSpec::new("curp", MATCHES, "the identification number of type CURP"),
    ItemSpec::new("rfc", MATCHES, "the identification number of type RFC"),
    ItemSpec::new("nss", MATCHES, "the identification number of type NSS"),
    ItemSpec::new("voterId", MATCHES, "the identification number of type VOTER_ID"),
    ItemSpec::new("passport", MATCHES, "the identification number of type PASSPORT"),
    ItemSpec::new("mobileNumber", MATCHES, "the mobile number"),
    ItemSpec::new("emailAddress", MATCHES, "the email address"),
    ItemSpec::new("employerName", MATCHES, "the employer"),
    ItemSpec::new("finalMatch", MATCHES, "overall result"),
];
