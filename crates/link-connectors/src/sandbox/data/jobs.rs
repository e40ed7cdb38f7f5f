//! The person's jobs: the previous ones and the current one.

use link_types::Month;
use link_types::data::Employment;
use link_types::id::EmploymentId;
use link_types::provider::ProviderType;

use super::person::Country;
use super::person::{PLACEHOLDER, Scene};

const BEFORE: &str = "Cumbre Logistics";

/// The employer of the next job.
const NEXT: &str = "Molinos del Alba";

/// Returns the name of the employer in a month.
pub(super) fn employer(scene: &Scene<'_>, month: Month) -> &'static str {
    if has_next_job(scene, month) {
        return NEXT;
    }
    match (scene.provider.provider_type, scene.person.country) {
        (ProviderType::Employer, _) => "Talleres Aurora",
        (ProviderType::Gig, _) => "Rápido Rides",
        (ProviderType::Government, Country::Mexico) => "Servicios Nopal Dorado",
        (ProviderType::Payroll, Country::Mexico) => "Bahía Azul Foods",
        (ProviderType::Government | ProviderType::Payroll, Country::Philippines) => "Bahía Azul Foods",
    }
}

/// Returns whether the person has the next job in a month. An employer's own portal and a platform know only one.
pub(super) fn has_next_job(scene: &Scene<'_>, month: Month) -> bool {
    let knows_others =
        matches!(scene.provider.provider_type, ProviderType::Government | ProviderType::Payroll);
    knows_others && month >= scene.person.next_job_from
}

/// Returns the jobs, oldest first.
pub(super) fn employments(scene: &Scene<'_>) -> Vec<Employment> {
    let person = &scene.person;
    let started = person.employed_since.first_day();
    let before_ended = started.map(|day| day.plus_days(-1));
    let before_started = person.first_job().first_day();
    let next_started = person.next_job_from.first_day();
    let has_left = has_next_job(scene, scene.today.month());
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
    let (status, ended) = match has_left {
        true => ("ENDED", next_started.map(|day| day.plus_days(-1))),
        false => ("ACTIVE", None),
    };
    let current = employer(scene, person.employed_since);
    let mut jobs = vec![
        Employment {
            start_date: before_started,
            end_date: before_ended,
            ..job(BEFORE, "Warehouse clerk", "Operations", "ENDED", "L-0417".to_owned())
        },
        Employment {
            start_date: started,
            end_date: ended,
            ..job(current, "Shift supervisor", "Production", status, number)
        },
    ];
    if has_left {
        let number = "M-2210".to_owned();
        jobs.push(Employment {
            start_date: next_started,
            ..job(NEXT, "Plant manager", "Management", "ACTIVE", number)
        });
    }
    jobs
}
