//! The route code of a tenant: a proxy in front of several cells finds the tenant's cell by it (ADR 287).

use std::fmt;

use link_types::id::{LinkTemplateId, TenantId};

use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};

/// Length of a route code, in bytes. A code is written as two hexadecimal digits for each.
const LENGTH: usize = 5;
/// Number of hexadecimal digits of a route code.
pub const ROUTE_DIGITS: usize = 2 * LENGTH;

/// The first 40 bits of the SHA-256 of a tenant's id. It is not secret.
///
/// It ends the random digits of the tenant's API keys, the ids of its link templates and the names of its logos. A proxy
/// therefore needs one line for each tenant, and a new key works at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RouteCode([u8; LENGTH]);

impl RouteCode {
    /// Returns the code of a tenant.
    pub fn of_tenant(tenant: &TenantId) -> Self {
        let digest = Digest32::from_text(tenant.as_str());
        let mut code = [0; LENGTH];
        code.copy_from_slice(&digest.as_bytes()[..LENGTH]);
        Self(code)
    }

    /// Replaces the last bytes of an id or a key by the code.
    #[must_use]
    pub fn replace_end<const N: usize>(self, mut bytes: [u8; N]) -> [u8; N] {
        for (byte, code) in bytes.iter_mut().rev().zip(self.0.into_iter().rev()) {
            *byte = code;
        }
        bytes
    }
}

/// Draws the id of a new link template of a tenant.
pub fn draw_template_id(tenant: &TenantId, context: &mut Context) -> LinkTemplateId {
    LinkTemplateId::from_bytes(RouteCode::of_tenant(tenant).replace_end(context.uuid()))
}

impl fmt::Display for RouteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn code_of(tenant: &str) -> RouteCode {
        RouteCode::of_tenant(&tenant.parse().unwrap())
    }

    #[test]
    fn code_is_the_start_of_the_digest_of_the_tenant_id() {
        // `printf demo | sha256sum`
        assert_eq!(code_of("demo").to_string(), "2a97516c35");
    }

    #[test]
    fn only_the_end_of_an_id_is_replaced() {
        let id = code_of("demo").replace_end([7; 16]);
        assert_eq!(hex(&id), format!("{}2a97516c35", "07".repeat(11)));
    }

    #[test]
    fn ten_thousand_tenants_have_different_codes() {
        let codes: BTreeSet<String> = (0..10_000).map(|it| code_of(&format!("t{it}")).to_string()).collect();
        assert_eq!(codes.len(), 10_000);
    }
}
