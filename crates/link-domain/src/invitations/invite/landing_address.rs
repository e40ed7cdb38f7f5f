//! The URL of an invitation's link.

use link_types::Sensitive;

/// Returns the URL of the link with this code, under the base URL of the hosted pages.
pub fn landing_address(hosted_url: &str, code: &Sensitive) -> String {
    format!("{hosted_url}/invite/{}", code.expose())
}
