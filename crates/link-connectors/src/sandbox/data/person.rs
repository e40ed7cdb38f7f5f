//! The invented person to whom all of an account's data belongs.

use link_types::{Date, Money, Month};

use crate::sandbox::draw::Draw;

/// Facts that several data points repeat and that must agree.
pub(super) struct Person {
    pub(super) country: Country,
    pub(super) first_name: &'static str,
    pub(super) middle_name: &'static str,
    pub(super) last_name: String,
    pub(super) gender: &'static str,
    pub(super) dob: Date,
    pub(super) reference_id: String,
    pub(super) email: String,
    pub(super) phone: String,
    pub(super) monthly_salary: Money,
    pub(super) employee_number: String,
    /// The first month of the job that the person has at the [`epoch`].
    pub(super) employed_since: Month,
    /// The first month of the next job.
    pub(super) next_job_from: Month,
    /// Whether the first employer books the pay of the next job, too.
    pub(super) keeps_payer: bool,
    /// The month of the year of the yearly raise, from 0.
    pub(super) raise_month: i32,
}

/// Returns the day relative to which people are drawn, so that they stay the same as time passes.
pub(super) fn epoch() -> Date {
    // 20,454 days after 1970-01-01.
    link_types::Timestamp::from_micros(0).date().plus_days(20_454)
}

/// The person's country, on which some values depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Country {
    Mexico,
    Philippines,
}

const MX_WOMEN: &[&str] = &["Valeria", "Renata", "Jimena", "Citlali", "Paola"];
const MX_MEN: &[&str] = &["Mateo", "Emiliano", "Rodrigo", "Iker", "Andrés"];
const MX_SURNAMES: &[&str] =
    &["Montelongo", "Zaragüeta", "Villaseca", "Quintarrosa", "Olmedal", "Bracamonte"];
const PH_WOMEN: &[&str] = &["Ligaya", "Marisol", "Tala", "Corazon", "Amihan"];
const PH_MEN: &[&str] = &["Bayani", "Crisanto", "Jericho", "Dakila", "Ramil"];
const PH_SURNAMES: &[&str] =
    &["Dimasupil", "Katigbakan", "Lualhatian", "Magsayo", "Panganibanon", "Silangan"];

impl Person {
    pub(super) fn draw(country: &str, draw: &mut Draw) -> Self {
        let this_month = epoch().month();
        let country = if country == "PH" { Country::Philippines } else { Country::Mexico };
        let (women, men, surnames) = match country {
            Country::Mexico => (MX_WOMEN, MX_MEN, MX_SURNAMES),
            Country::Philippines => (PH_WOMEN, PH_MEN, PH_SURNAMES),
        };
        let (gender, given) = if draw.number(0, 1) == 0 { ("FEMALE", women) } else { ("MALE", men) };
        let first_name = draw.name(given);
        let others: Vec<&'static str> = given.iter().copied().filter(|name| *name != first_name).collect();
        let middle_name = draw.name(&others);
        let last_name = match country {
            Country::Mexico => format!("{} {}", draw.name(surnames), draw.name(surnames)),
            Country::Philippines => draw.name(surnames).to_owned(),
        };
        let line = draw.number(0, 99);
        let handle = first_name.replace('é', "e").to_lowercase();
        Self {
            country,
            first_name,
            middle_name,
            last_name,
            gender,
            dob: epoch().plus_days(-draw.number(23 * 365, 55 * 365)),
            reference_id: format!("000000{:05}", draw.number(1, 99_999)),
            email: format!("{handle}.{line:02}@example.com"),
            phone: match country {
                Country::Mexico => format!("+52 55 0000 01{line:02}"),
                Country::Philippines => format!("+63 900 000 01{line:02}"),
            },
            monthly_salary: match country {
                Country::Mexico => Money::from_hundredths(draw.number(112, 420) * 10_000),
                Country::Philippines => Money::from_hundredths(draw.number(180, 650) * 10_000),
            },
            employee_number: format!("E-{:05}", draw.number(1_000, 99_999)),
            employed_since: this_month.plus_months(-months(draw, 15, 70)),
            next_job_from: this_month.plus_months(months(draw, 14, 40)),
            keeps_payer: false,
            raise_month: months(draw, 0, 11),
        }
    }

    /// Makes the person change jobs at the [`epoch`]. The payer stays, so that pay that was read before is corrected, and
    /// not booked a second time.
    pub(super) fn changes_job_at_once(&mut self) {
        self.next_job_from = epoch().month();
        self.keeps_payer = true;
    }

    pub(super) fn full_name(&self) -> String {
        format!("{} {} {}", self.first_name, self.middle_name, self.last_name)
    }

    pub(super) const fn currency(&self) -> &'static str {
        match self.country {
            Country::Mexico => "MXN",
            Country::Philippines => "PHP",
        }
    }

    pub(super) const fn country_code(&self) -> &'static str {
        match self.country {
            Country::Mexico => "MX",
            Country::Philippines => "PH",
        }
    }
}

fn months(draw: &mut Draw, low: i64, high: i64) -> i32 {
    i32::try_from(draw.number(low, high)).unwrap_or(0)
}
