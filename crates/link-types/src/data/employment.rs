//! Employments (interface: "Other data points", employment item).

use serde::{Deserialize, Serialize};

use crate::{id::EmploymentId, time::Date};

/// A job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Employment {
    /// Prefix `e-`.
    pub id: EmploymentId,
    /// Name of the employment as the provider has it.
    pub name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Title.
    pub job_title: Option<String>,
    /// Department.
    pub department: Option<String>,
    /// The employer's number of the person.
    pub employee_number: Option<String>,
    /// Employer.
    pub employer: Option<String>,
    /// Like ACTIVE or ENDED.
    pub status: Option<String>,
    /// First day.
    pub start_date: Option<Date>,
    /// Last day; null while it lasts.
    pub end_date: Option<Date>,
}
