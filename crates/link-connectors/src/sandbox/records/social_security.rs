//! The sandbox authority's data about a person.

use link_types::record::{SocialSecurityRequest, SocialSecurityResult};
use link_types::{Date, Money};

use super::inputs::md5_of;
use super::worker::Worker;
use crate::sandbox::draw::Draw;

const EMPLOYERS: &[&str] = &[
    "Talleres Ejemplo SA de CV",
    "Comercial Muestra SA de CV",
    "Servicios Modelo SC",
    "Agrícola Ficticia SPR",
];
const STATES: &[&str] = &["Jalisco", "Nuevo León", "Puebla", "Yucatán", "Querétaro", "Ciudad de México"];

pub(super) fn result(request: &SocialSecurityRequest, today: Date) -> SocialSecurityResult {
    let number = md5_of(&request.mobile_number);
    let mut draw = Draw::new(&["social security", &number, &request.curp.to_ascii_uppercase()]);
    let days = Worker::for_number(&number, &request.curp, true, today).all_days();
    SocialSecurityResult {
        full_name: request.full_name.to_uppercase(),
        curp: request.curp.to_ascii_uppercase(),
        nss: format!("000000{:05}", draw.number(1, 99_999)),
        report_date: today,
        employer_name: draw.name(EMPLOYERS).to_owned(),
        employer_registration: format!("Y00{:05}10{}", draw.number(1, 99_999), draw.number(0, 9)),
        state: draw.name(STATES).to_owned(),
        contribution_days: u32::try_from(days).unwrap_or(0),
        contribution_base_amount: Money::from_hundredths(draw.number(31_500, 185_000)),
        currency: "MXN".to_owned(),
    }
}
