//! The codes by which the operator proves the steps of a move to the other installation (ADR 288).

use hmac::Mac;
use link_domain::kernel::digest::{Digest32, hex};
use link_domain::tenancy::tenant::standing::MovedCopy;
use link_types::id::TenantId;

use super::format::sign;
use crate::keys::{Key, Keys, Label};

/// The number of bytes of a MAC in a code that the operator copies.
const MAC_BYTES: usize = 16;
/// The number of digits of the random value in the code of an import.
const IMPORT_DIGITS: usize = 64;

/// Returns the code by which an installation proves that it has a copy: the random value of the import, and a MAC.
pub(super) fn code_of_import(keys: &Keys, tenant: &TenantId, copy: &MovedCopy) -> String {
    hex(copy.import.as_bytes()) + &compute_mac(keys, "imported", tenant, &[&copy.export, &copy.import])
}

/// Returns the code that activates a copy: the first installation has begun to erase the tenant.
pub(crate) fn code_of_activation(keys: &Keys, tenant: &TenantId, copy: &MovedCopy) -> String {
    compute_mac(keys, "left", tenant, &[&copy.export, &copy.import])
}

/// Returns the copy that a code of an import proves. `None` if the code is not of this export.
pub(crate) fn find_copy(keys: &Keys, tenant: &TenantId, export: Digest32, code: &str) -> Option<MovedCopy> {
    let bytes = base16ct::lower::decode_vec(code.get(..IMPORT_DIGITS)?).ok()?;
    let copy = MovedCopy { export, import: Digest32::from_bytes(bytes.try_into().ok()?) };
    (code_of_import(keys, tenant, &copy) == code).then_some(copy)
}

/// Returns the value by which an installation finds that it has the root key of an export.
pub(super) fn root_check(keys: &Keys, tenant: &TenantId, export: &Digest32) -> String {
    compute_mac(keys, "root", tenant, &[export])
}

/// Returns the key that wraps the scope keys of an export.
pub(super) fn transfer_key(keys: &Keys, code: &str) -> Key {
    keys.tree.key(Label::Backup).derive(&format!("move {code}"))
}

fn compute_mac(keys: &Keys, word: &str, tenant: &TenantId, digests: &[&Digest32]) -> String {
    let mut text = [b"move ", word.as_bytes(), b" ", tenant.as_str().as_bytes(), b" "].concat();
    digests.iter().for_each(|it| text.extend_from_slice(it.as_bytes()));
    let code = sign(keys.tree.key(Label::Backup), &text).finalize().into_bytes();
    hex(code.get(..MAC_BYTES).unwrap_or_default())
}
