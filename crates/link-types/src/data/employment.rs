//! Employments (interface: "Other data points", employment item).

use serde::{Deserialize, Serialize};

use super::Body;
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

impl Body for Employment {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "e-01a2020583f47000800e38470b10b88f",
  "name": "Shift supervisor, Servicios Nopal Dorado",
  "description": null,
  "jobTitle": "Shift supervisor",
  "department": "Production",
  "employeeNumber": "E-36181",
  "employer": "Servicios Nopal Dorado",
  "status": "ACTIVE",
  "startDate": "2022-12-01",
  "endDate": null,
  "metadata": {
    "createdAt": "2026-11-22T06:50:45.512Z",
    "itemCreatedAt": "2026-11-22T06:50:45.620Z",
    "accountId": "a-01a20205838870008005ffa570fb2d04",
    "sourceId": "a-01a20205838870008005ffa570fb2d04",
    "sourceType": "ACCOUNT",
    "providerId": "mx_social_security",
    "userId": "demo-01a20205827370008007f9c82889d3e4"
  }
}"#;

    fn date(&self) -> Option<Date> {
        self.start_date
    }

    fn natural_key(&self) -> Vec<Option<String>> {
        match &self.employee_number {
            Some(number) => vec![self.employer.clone(), Some(number.clone())],
            None => {
                let start_date = self.start_date.map(|it| it.to_string());
                vec![self.employer.clone(), None, start_date, self.job_title.clone()]
            }
        }
    }
}
