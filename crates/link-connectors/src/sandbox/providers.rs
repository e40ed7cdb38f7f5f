//! The sandbox's providers: the interface's four kinds in Mexico and the Philippines, and one of every other type.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_types::format::FieldFormat;
use link_types::id::ProviderId;
use link_types::provider::{
    Choice, FieldSchema, FieldType, LoginOption, Provider, ProviderType, VisibleWhen,
};

use crate::sandbox::data::{GIG, HEALTH, HOUSING, PAYROLL, PENSION, REGISTRY, SOCIAL_SECURITY};

/// Returns every provider, in alphabetical order within a country.
pub fn all() -> Vec<Provider> {
    use ProviderType::{Employer, Gig, Government, Payroll};
    let seed = [
        (
            "mx_employment_registry",
            "Employment Registry",
            "Registro Nacional de Empleo de México",
            "MX",
            Government,
            "EMPLOYMENT_REGISTRY",
            REGISTRY,
        ),
        (
            "mx_health_insurance",
            "Health Insurance Mexico",
            "Seguro Nacional de Salud de México",
            "MX",
            Government,
            "HEALTH_INSURANCE",
            HEALTH,
        ),
        (
            "mx_housing_fund",
            "Housing Fund Mexico",
            "Fondo Nacional de Vivienda de México",
            "MX",
            Government,
            "HOUSING_FUND",
            HOUSING,
        ),
        (
            "mx_government_pension",
            "Government Pension Mexico",
            "Seguro y Pensión de Empleados Públicos de México",
            "MX",
            Government,
            "GOVERNMENT_PENSION",
            PENSION,
        ),
        ("mx_rapido_rides", "Rápido Rides", "Rápido Rides para conductores", "MX", Gig, "RIDE_HAILING", GIG),
        (
            "mx_social_security",
            "Social Security Mexico",
            "Seguridad Social de México",
            "MX",
            Government,
            "SOCIAL_SECURITY",
            SOCIAL_SECURITY,
        ),
        (
            "mx_talleres_aurora",
            "Talleres Aurora",
            "Talleres Aurora, portal del empleado",
            "MX",
            Employer,
            "EMPLOYEE_PORTAL",
            PAYROLL,
        ),
        (
            "ph_barangay_payroll",
            "Barangay Payroll",
            "Barangay Payroll Services",
            "PH",
            Payroll,
            "PAYROLL",
            PAYROLL,
        ),
        (
            "ph_health_insurance",
            "Health Insurance Philippines",
            "National Health Insurance of the Philippines",
            "PH",
            Government,
            "HEALTH_INSURANCE",
            HEALTH,
        ),
        (
            "ph_housing_fund",
            "Housing Fund Philippines",
            "National Housing Provident Fund of the Philippines",
            "PH",
            Government,
            "HOUSING_FUND",
            HOUSING,
        ),
        (
            "ph_government_pension",
            "Government Pension Philippines",
            "Government Employee Insurance and Pension of the Philippines",
            "PH",
            Government,
            "GOVERNMENT_PENSION",
            PENSION,
        ),
        (
            "ph_sahod_payroll",
            "Sahod Payroll",
            "Sahod Payroll for employees",
            "PH",
            Payroll,
            "PAYROLL",
            PAYROLL,
        ),
        (
            "ph_social_security",
            "Social Security Philippines",
            "Social Security of the Philippines",
            "PH",
            Government,
            "SOCIAL_SECURITY",
            SOCIAL_SECURITY,
        ),
    ];
    seed.into_iter()
        .filter_map(|(id, name, long_name, country, provider_type, sub_type, supported)| {
            Some(Provider {
                id: id.parse::<ProviderId>().ok()?,
                name: name.to_owned(),
                long_name: long_name.to_owned(),
                logo_url: logo_of(id),
                provider_type,
                sub_type: sub_type.to_owned(),
                country: country.to_owned(),
                enabled: id != "ph_barangay_payroll",
                login_required: sub_type != "EMPLOYMENT_REGISTRY",
                mfa: sub_type != "EMPLOYMENT_REGISTRY",
                monitor_supported: matches!(provider_type, ProviderType::Government)
                    && sub_type != "EMPLOYMENT_REGISTRY",
                supported: supported.to_vec(),
                login_options: login_options(sub_type, country),
            })
        })
        .collect()
}

fn login_options(sub_type: &str, country: &str) -> Vec<LoginOption> {
    match sub_type {
        "EMPLOYMENT_REGISTRY" => Vec::new(),
        "HOUSING_FUND" => vec![by_user_name(vec![]), by_email()],
        "RIDE_HAILING" => vec![by_email()],
        "EMPLOYEE_PORTAL" | "PAYROLL" => vec![by_user_name(vec![company_code()])],
        "GOVERNMENT_PENSION" => vec![by_user_name(membership(country))],
        _ => vec![by_user_name(vec![])],
    }
}

fn by_user_name(more: Vec<FieldSchema>) -> LoginOption {
    let user_name = FieldSchema {
        autocomplete: Some("username".to_owned()),
        help: Some("In the sandbox: good, slow, mfa-otp, mfa-many, error-<CODE> and so on.".to_owned()),
        ..FieldSchema::new("username", "User name", FieldType::Text, FieldFormat::Text { min: 3, max: 64 })
    };
    let mut fields = vec![user_name, password()];
    fields.extend(more);
    LoginOption { id: "username".to_owned(), label: "User name and password".to_owned(), fields }
}

fn by_email() -> LoginOption {
    let email = FieldSchema {
        autocomplete: Some("username".to_owned()),
        help: Some("In the sandbox: good@example.com, mfa-otp@example.com and so on.".to_owned()),
        ..FieldSchema::new("email", "E-mail address", FieldType::Email, FieldFormat::Email {})
    };
    LoginOption {
        id: "email".to_owned(),
        label: "E-mail address and password".to_owned(),
        fields: vec![email, password()],
    }
}

fn password() -> FieldSchema {
    FieldSchema {
        autocomplete: Some("current-password".to_owned()),
        help: Some("In the sandbox: pass.".to_owned()),
        ..FieldSchema::new(
            "password",
            "Password",
            FieldType::Password,
            FieldFormat::Text { min: 1, max: 128 },
        )
    }
}

fn company_code() -> FieldSchema {
    FieldSchema {
        required: false,
        help: Some("On your payslip, top right. Leave it empty if you have none.".to_owned()),
        ..FieldSchema::new(
            "companyCode",
            "Company code",
            FieldType::Text,
            FieldFormat::Alphanumeric { min: 2, max: 12 },
        )
    }
}

/// Returns a select field, and a field that is shown for only one of its choices.
fn membership(country: &str) -> Vec<FieldSchema> {
    let choices = [("active", "I work there now"), ("retired", "I am retired")];
    let values = choices.iter().map(|(value, _)| (*value).to_owned()).collect();
    let prefix = if country == "MX" { "MX-" } else { "PH-" };
    vec![
        FieldSchema {
            required: false,
            choices: choices
                .map(|(value, label)| Choice { value: value.to_owned(), label: label.to_owned() })
                .to_vec(),
            ..FieldSchema::new("membership", "Membership", FieldType::Select, FieldFormat::OneOf { values })
        },
        FieldSchema {
            required: false,
            prefix: Some(prefix.to_owned()),
            help: Some("Six digits, on your pension card.".to_owned()),
            visible_when: Some(VisibleWhen { field: "membership".to_owned(), equals: "retired".to_owned() }),
            ..FieldSchema::new(
                "pensionNumber",
                "Pension number",
                FieldType::Text,
                FieldFormat::Digits { min: 6, max: 6 },
            )
        },
    ]
}

/// The providers with a logo, and its file.
const LOGOS: [(&str, &[u8]); 3] = [
    ("mx_rapido_rides", include_bytes!("logos/mx_rapido_rides.png")),
    ("mx_talleres_aurora", include_bytes!("logos/mx_talleres_aurora.png")),
    ("ph_sahod_payroll", include_bytes!("logos/ph_sahod_payroll.png")),
];

/// Returns a provider's logo as a `data:` URL. Most providers have none.
pub(super) fn logo_of(id: &str) -> Option<String> {
    let (_, file) = LOGOS.iter().find(|(known, _)| *known == id)?;
    Some(format!("data:image/png;base64,{}", STANDARD.encode(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_providers_have_a_small_logo() {
        for (id, _) in LOGOS {
            let url = logo_of(id).unwrap();
            assert!(url.len() < 8_000, "{id}: {}", url.len());
        }
        assert_eq!(logo_of("mx_social_security"), None);
    }
}
