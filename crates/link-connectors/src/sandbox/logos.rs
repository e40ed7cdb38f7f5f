//! Logos of some of the sandbox's providers: pictures of 120 by 120 pixels on a transparent ground.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The providers with a logo, and its file.
const LOGOS: [(&str, &[u8]); 3] = [
    ("mx_rapido_rides", include_bytes!("logos/mx_rapido_rides.png")),
    ("mx_talleres_aurora", include_bytes!("logos/mx_talleres_aurora.png")),
    ("ph_sahod_payroll", include_bytes!("logos/ph_sahod_payroll.png")),
];

/// Returns a provider's logo as a `data:` URL. Most providers have none.
pub(super) fn of(id: &str) -> Option<String> {
    let (_, file) = LOGOS.iter().find(|(known, _)| *known == id)?;
    Some(format!("data:image/png;base64,{}", STANDARD.encode(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_providers_have_a_small_logo() {
        for (id, _) in LOGOS {
            let url = of(id).unwrap();
            assert!(url.len() < 8_000, "{id}: {}", url.len());
        }
        assert_eq!(of("mx_social_security"), None);
    }
}
