//! The invented person to whom all of an account's data belongs.

use link_types::provider::Provider;
use link_types::{Date, Money, Month};

use crate::sandbox::draw::{Draw, epoch};

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
    /// The month of the year of the yearly raise, from 0.
    pub(super) raise_month: i32,
}

/// The number of months that the person worked for the employer before.
pub(super) const MONTHS_BEFORE: i32 = 26;
/// The youngest age at the first job, in years.
const ADULT: i32 = 18;
/// How long ago a person with long lists began the current job, in months. Their lists begin after that.
const LONG_EMPLOYED: (i64, i64) = (362, 380);

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
    pub(super) fn draw(country: &str, many: bool, draw: &mut Draw) -> Self {
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
        let (low, high) = if many { LONG_EMPLOYED } else { (15, 70) };
        let employed_since = this_month.plus_months(-months(draw, low, high));
        let first_job = employed_since.plus_months(-MONTHS_BEFORE);
        let handle = first_name.replace('é', "e").to_lowercase();
        Self {
            country,
            first_name,
            middle_name,
            last_name,
            gender,
            dob: draw_birthday(first_job, draw),
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
            employed_since,
            next_job_from: this_month.plus_months(months(draw, 14, 40)),
            raise_month: months(draw, 0, 11),
        }
    }

    /// Returns the first month of the job before.
    pub(super) fn first_job(&self) -> Month {
        self.employed_since.plus_months(-MONTHS_BEFORE)
    }

    /// Makes the person begin the next job in the month before this one.
    pub(super) fn changes_job_before(&mut self, month: Month) {
        self.next_job_from = month.plus_months(-1);
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

/// Draws the day of birth of a person who is an adult at the first job, and at most 42 then.
fn draw_birthday(first_job: Month, draw: &mut Draw) -> Date {
    let adult_since = first_job.plus_months(-12 * ADULT).first_day().unwrap_or_else(epoch);
    adult_since.plus_days(-draw.number(1, 24 * 365))
}

fn months(draw: &mut Draw, low: i64, high: i64) -> i32 {
    i32::try_from(draw.number(low, high)).unwrap_or(0)
}

/// The context in which all data is drawn.
pub(super) struct Scene<'a> {
    pub(super) provider: &'a Provider,
    pub(super) login: &'a str,
    pub(super) person: Person,
    pub(super) today: Date,
    /// Whether the provider's longest list exceeds the limit of a webhook payload.
    pub(super) many: bool,
}

impl Scene<'_> {
    /// Returns numbers for one thing of the person, such as the payslip of one month. They do not depend on the others.
    pub(super) fn draw(&self, thing: &str) -> Draw {
        Draw::new(&[self.provider.id.as_str(), self.login, thing])
    }
}

/// The id of a body before the domain assigns one.
pub(super) const PLACEHOLDER: [u8; 16] = [0; 16];
