//! `linchpin check`.

use super::service::Asked;
use super::shown::Shown;
use crate::admin::AdminRequest;

pub(super) fn request() -> Asked {
    let columns = &[("PRODUCTION", "/what"), ("CONFIGURED", "/configured"), ("WHAT TO DO", "/advice")];
    (AdminRequest::Check {}, Shown::Table { columns, empty: "" })
}
