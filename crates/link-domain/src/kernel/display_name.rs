//! Names that people give to something in the portal.

/// Maximum length of a name, in characters.
const NAME_LIMIT: usize = 80;

/// Trims a name. Returns `None` if it is empty, too long, or contains control characters.
pub fn check_name(name: &str) -> Option<String> {
    let name = name.trim();
    let fits = (1..=NAME_LIMIT).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    fits.then(|| name.to_owned())
}
