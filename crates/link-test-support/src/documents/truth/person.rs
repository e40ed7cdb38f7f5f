//! Fictional people.

use link_types::Date;

use super::content::Country;
use super::words;
use crate::documents::draw::Draw;

/// A fictional person.
pub(super) struct Person {
    pub(super) first: &'static str,
    pub(super) last: String,
    pub(super) middle: &'static str,
    pub(super) dob: Date,
    pub(super) female: bool,
}

impl Person {
    pub(super) fn invent(country: Country, draw: &mut Draw) -> Self {
        let given = words::given_names(country);
        let at = usize::try_from(draw.next() % given.len() as u64).unwrap();
        let family = words::family(country);
        let (one, two) = (*draw.pick(family), *draw.pick(family));
        let last = match country {
            Country::Mx => format!("{one} {two}"),
            Country::Ph => one.to_owned(),
        };
        let year = i32::try_from(draw.number(1960, 2004)).unwrap();
        let dob = Date::new(
            year,
            u8::try_from(draw.number(1, 12)).unwrap(),
            u8::try_from(draw.number(1, 28)).unwrap(),
        );
        Self { first: given[at], last, middle: two, dob: dob.unwrap(), female: at % 2 == 0 }
    }

    pub(super) fn full_name(&self, country: Country) -> String {
        match country {
            Country::Mx => format!("{} {}", self.first, self.last),
            Country::Ph => format!("{} {} {}", self.first, self.middle, self.last),
        }
    }
}
