//! Custom logins of a sandbox tenant: the challenge they trigger and the data they return.

use serde::{Deserialize, Serialize};

use crate::data::{
    Contribution, DataPointBody, DataPointKind, Document, Employment, Identity, Income, Liability, Rating,
    Transaction,
};

words! {
    /// Challenge that a login triggers before it connects. The right answers are those of the published logins.
    ScenarioAsk {
        /// One-time code, as in `mfa-otp`.
        Code = "CODE",
        /// Question with choices, as in `mfa-choice`.
        Choice = "CHOICE",
        /// Text in an image, as in `mfa-image`.
        Image = "IMAGE",
        /// Security question, as in `mfa-question`.
        Question = "QUESTION",
        /// Approval on a phone, as in `mfa-push`.
        Push = "PUSH",
        /// Link in an email, as in `mfa-email`.
        EmailLink = "EMAIL_LINK",
    }
}

/// Data of a custom login. Omitted kinds get synthetic data, as for every login. An empty list means no data.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScenarioData {
    /// Identity of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Box<Identity>>,
    /// Rating on a platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Documents held by the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<Vec<Document>>,
    /// Pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomes: Option<Vec<Income>>,
    /// Movements of money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transactions: Option<Vec<Transaction>>,
    /// Jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub employments: Option<Vec<Employment>>,
    /// Contributions to a fund.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<Contribution>>,
    /// Loans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub liabilities: Option<Vec<Liability>>,
}

impl ScenarioData {
    /// Returns the kinds that are specified. The other kinds get synthetic data.
    pub fn kinds(&self) -> Vec<DataPointKind> {
        let given = [
            (self.identity.is_some(), DataPointKind::Identities),
            (self.rating.is_some(), DataPointKind::Ratings),
            (self.documents.is_some(), DataPointKind::Documents),
            (self.incomes.is_some(), DataPointKind::Incomes),
            (self.transactions.is_some(), DataPointKind::Transactions),
            (self.employments.is_some(), DataPointKind::Employments),
            (self.contributions.is_some(), DataPointKind::Contributions),
            (self.liabilities.is_some(), DataPointKind::Liabilities),
        ];
        given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, kind)| kind).collect()
    }

    /// Returns the specified data points, in the order of the fields.
    pub fn bodies(&self) -> Vec<DataPointBody> {
        let mut bodies = Vec::new();
        bodies.extend(self.identity.iter().cloned().map(DataPointBody::Identity));
        bodies.extend(self.rating.iter().cloned().map(DataPointBody::Rating));
        bodies.extend(self.documents.iter().flatten().cloned().map(DataPointBody::Document));
        bodies.extend(self.incomes.iter().flatten().cloned().map(DataPointBody::Income));
        bodies.extend(self.transactions.iter().flatten().cloned().map(DataPointBody::Transaction));
        bodies.extend(self.employments.iter().flatten().cloned().map(DataPointBody::Employment));
        bodies.extend(self.contributions.iter().flatten().cloned().map(DataPointBody::Contribution));
        bodies.extend(self.liabilities.iter().flatten().cloned().map(DataPointBody::Liability));
        bodies
    }
}
