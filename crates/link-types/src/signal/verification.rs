//! Items of a Verification.

use super::item::{ItemSpec, ItemValues};

const MATCHES: ItemValues = ItemValues::Word(&["FULL_MATCH", "PARTIAL_MATCH", "NO_MATCH"]);

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("firstName", MATCHES, "the given name"),
    ItemSpec::new("middleName", MATCHES, "the other given names"),
    ItemSpec::new("lastName", MATCHES, "the family names"),
    ItemSpec::new("dob", MATCHES, "the date of birth"),
    ItemSpec::new("curp", MATCHES, "the identification number of type CURP"),
    ItemSpec::new("rfc", MATCHES, "the identification number of type RFC"),
    ItemSpec::new("nss", MATCHES, "the identification number of type NSS"),
    ItemSpec::new("voterId", MATCHES, "the identification number of type VOTER_ID"),
    ItemSpec::new("passport", MATCHES, "the identification number of type PASSPORT"),
    ItemSpec::new("mobileNumber", MATCHES, "the mobile number"),
    ItemSpec::new("emailAddress", MATCHES, "the email address"),
    ItemSpec::new("employerName", MATCHES, "the employer"),
    ItemSpec::new("finalMatch", MATCHES, "overall result"),
];
