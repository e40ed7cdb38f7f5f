//! Employments (interface: "Other data points", employment item).

use serde::{Deserialize, Serialize};

use crate::{id::EmploymentId, time::Date};

/// A job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Employment {
    /// Unique identifier of the employment, with the prefix `e-`.
    pub id: EmploymentId,
    /// Name of the employment at the provider.
    pub name: Option<String>,
    /// Description of the job.
    pub description: Option<String>,
    /// Job title.
    pub job_title: Option<String>,
    /// Department.
    pub department: Option<String>,
    /// Employee number at the employer.
    pub employee_number: Option<String>,
    /// Name of the employer.
    pub employer: Option<String>,
    /// Status, like ACTIVE or ENDED.
    pub status: Option<String>,
    /// First day of employment.
    pub start_date: Option<Date>,
    /// Last day of employment. Null if the person is still employed.
    pub end_date: Option<Date>,
}
