//! A sandbox tenant's own logins: what they ask, and whose data they lead to.

use serde::{Deserialize, Serialize};

use crate::data::{
    Contribution, DataPointBody, DataPointKind, Document, Employment, Identity, Income, Liability, Rating,
    Transaction,
};

words! {
    /// What a login is asked before it connects; the right answers are those of the published logins.
    ScenarioAsk {
        /// A one-time code, as `mfa-otp`.
        Code = "CODE",
        /// A question with choices, as `mfa-choice`.
        Choice = "CHOICE",
        /// The text in a picture, as `mfa-image`.
        Image = "IMAGE",
        /// A security question, as `mfa-question`.
        Question = "QUESTION",
        /// Approval on a phone, as `mfa-push`.
        Push = "PUSH",
        /// A link in an e-mail, as `mfa-email`.
        EmailLink = "EMAIL_LINK",
    }
}

/// The data of a login. A kind that is left out is invented, as for every login; an empty list means none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScenarioData {
    /// Who the person is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Box<Identity>>,
    /// Rating on a platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<Vec<Document>>,
    /// Pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomes: Option<Vec<Income>>,
    /// Money movements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transactions: Option<Vec<Transaction>>,
    /// Jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub employments: Option<Vec<Employment>>,
    /// Contributions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributions: Option<Vec<Contribution>>,
    /// Loans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub liabilities: Option<Vec<Liability>>,
}

impl ScenarioData {
    /// The kinds that are given; the others are invented.
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

    /// What is given, in the order it is given in.
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
