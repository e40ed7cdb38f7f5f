//! The person's identity, and their rating on a platform.

use link_types::data::{Address, EmailAddress, Identity, PhoneNumber, Rating};
use link_types::id::{IdentityId, RatingId};

use super::jobs::employer;
use super::person::Country;
use super::person::{PLACEHOLDER, Scene};
use super::portrait;
use crate::sandbox::draw::{Draw, epoch};

/// Returns the person's identity at the provider.
pub(super) fn identity(scene: &Scene<'_>) -> Identity {
    let person = &scene.person;
    let text = |text: &str| Some(text.to_owned());
    Identity {
        id: IdentityId::from_bytes(PLACEHOLDER),
        full_name: Some(person.full_name()),
        first_name: text(person.first_name),
        middle_name: text(person.middle_name),
        last_name: text(&person.last_name),
        suffix: None,
        gender: text(person.gender),
        dob: Some(person.dob),
        marital_status: None,
        country_residence: text(person.country_code()),
        citizenship: text(person.country_code()),
        photo_url: portrait::draw(scene),
        reference_id: text(&person.reference_id),
        profile_url: None,
        latest_employer_name: text(employer(scene, scene.today.month())),
        emails: vec![EmailAddress { address: person.email.clone(), email_type: text("PRIMARY") }],
        phones: vec![PhoneNumber { number: person.phone.clone(), phone_type: text("MOBILE") }],
        social_profiles: Vec::new(),
        addresses: vec![address(person.country)],
    }
}

fn address(country: Country) -> Address {
    let (line1, city, region, zip, code) = match country {
        Country::Mexico => ("Calle Sin Nombre 100", "Ciudad Ejemplo", "Jalisco", "00000", "MX"),
        Country::Philippines => ("100 Halimbawa Street", "Bayan ng Halimbawa", "Laguna", "0000", "PH"),
    };
    Address {
        full_address: Some(format!("{line1}, {zip} {city}, {region}, {code}")),
        line1: Some(line1.to_owned()),
        line2: None,
        city: Some(city.to_owned()),
        region: Some(region.to_owned()),
        zip: Some(zip.to_owned()),
        country: Some(code.to_owned()),
        latitude: None,
        longitude: None,
        address_type: Some("HOME".to_owned()),
    }
}

/// Returns a driver's rating on a platform with five stars. It has 12 more jobs each week.
pub(super) fn rating(scene: &Scene<'_>, draw: &mut Draw) -> Rating {
    let tenths = i32::try_from(draw.number(41, 50)).unwrap_or(50);
    let count = |number: i64| Some(f64::from(i32::try_from(number).unwrap_or(0)));
    let weeks = scene.today.days_since(epoch()).div_euclid(7);
    let jobs = draw.number(900, 4_200) + 12 * weeks.max(0);
    Rating {
        id: RatingId::from_bytes(PLACEHOLDER),
        current_rating: Some(f64::from(tenths) / 10.0),
        max_rating: Some(5.0),
        calculated_percentage: Some(f64::from(tenths * 2)),
        reviews_received: count(jobs * 3 / 5),
        likes_received: None,
        jobs_completed: count(jobs),
    }
}
