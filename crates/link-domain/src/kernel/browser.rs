//! Names a browser for lists of sessions and the audit log. Our own: only these names are stored, because the whole `User-Agent` would
//! identify a device.

/// Browsers by the words of their `User-Agent`. Those that contain another's word are before it.
const BROWSERS: [(&str, &str); 5] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Returns the browser and the system of a `User-Agent`, for example `Firefox on Linux`.
pub fn browser_of(user_agent: &str) -> String {
    let find = |names: &[(&str, &'static str)]| {
        names.iter().find(|(word, _)| user_agent.contains(word)).map(|(_, name)| *name)
    };
    let browser = find(&BROWSERS).unwrap_or("Browser");
    match find(&SYSTEMS) {
        Some(system) => format!("{browser} on {system}"),
        None => browser.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux")]
    #[case("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows")]
    #[case("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android")]
    #[case(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) Version/18.0 Safari/604.1",
        "Safari on iPhone"
    )]
    #[case("curl/8.5.0", "Browser")]
    fn browser_and_system_are_named(#[case] user_agent: &str, #[case] expected: &str) {
        assert_eq!(browser_of(user_agent), expected);
    }
}
