//! The person's jobs: the current and the previous one.

use link_types::data::Employment;
use link_types::id::EmploymentId;
use link_types::provider::ProviderType;

use super::person::Country;
use super::scene::{PLACEHOLDER, Scene};

const BEFORE: &str = "Cumbre Logistics";

/// Returns the current employer's name.
pub(super) fn employer(scene: &Scene<'_>) -> &'static str {
    match (scene.provider.provider_type, scene.person.country) {
        (ProviderType::Employer, _) => "Talleres Aurora",
        (ProviderType::Gig, _) => "Rápido Rides",
        (ProviderType::Government, Country::Mexico) => "Servicios Nopal Dorado",
        (ProviderType::Payroll, Country::Mexico) => "Bahía Azul Foods",
        (ProviderType::Government | ProviderType::Payroll, Country::Philippines) => "Bahía Azul Foods",
    }
}

/// Returns the jobs, oldest first.
pub(super) fn employments(scene: &Scene<'_>) -> Vec<Employment> {
    let person = &scene.person;
    let this_month = scene.today.month();
    let started = this_month.plus_months(-person.months_employed).first_day();
    let before_ended = started.map(|day| day.plus_days(-1));
    let before_started = this_month.plus_months(-person.months_employed - 26).first_day();
    let job = |employer: &str, title: &str, department: &str, status: &str, number: String| Employment {
        id: EmploymentId::from_bytes(PLACEHOLDER),
        name: Some(format!("{title}, {employer}")),
        description: None,
        job_title: Some(title.to_owned()),
        department: Some(department.to_owned()),
        employee_number: Some(number),
        employer: Some(employer.to_owned()),
        status: Some(status.to_owned()),
        start_date: None,
        end_date: None,
    };
    let number = person.employee_number.clone();
    vec![
        Employment {
            start_date: before_started,
            end_date: before_ended,
            ..job(BEFORE, "Warehouse clerk", "Operations", "ENDED", "L-0417".to_owned())
        },
        Employment {
            start_date: started,
            ..job(employer(scene), "Shift supervisor", "Production", "ACTIVE", number)
        },
    ]
}
