//! Custom logins of a sandbox tenant: the challenge they trigger and the data they return.

use serde::{Deserialize, Serialize};

use crate::data::{self, DataPointBody, DataPointKind};

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

macro_rules! scenario_data {
    (
        {$($one:ident $One:ident $one_key:ident $one_doc:literal $one_rest:tt)*}
        {$($list:ident $List:ident $list_key:ident $list_doc:literal $list_rest:tt)*}
        $made_list:tt $made_one:tt
    ) => {
        /// Data of a custom login. Omitted kinds get synthetic data, as for every login. An empty list means no data.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub struct ScenarioData {
            $(#[doc = $one_doc] #[serde(skip_serializing_if = "Option::is_none")] pub $one_key: Option<data::$One>,)*
            $(#[doc = $list_doc] #[serde(skip_serializing_if = "Option::is_none")] pub $list_key: Option<Vec<data::$List>>,)*
        }

        impl ScenarioData {
            /// Returns the kinds that are specified. The other kinds get synthetic data.
            pub fn kinds(&self) -> Vec<DataPointKind> {
                let given = [
                    $((self.$one_key.is_some(), DataPointKind::$one),)*
                    $((self.$list_key.is_some(), DataPointKind::$list),)*
                ];
                given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, kind)| kind).collect()
            }

            /// Returns the specified data points, in the order of the fields.
            pub fn bodies(&self) -> Vec<DataPointBody> {
                let mut bodies = Vec::new();
                $(bodies.extend(self.$one_key.iter().cloned().map(DataPointBody::from));)*
                $(bodies.extend(self.$list_key.iter().flatten().cloned().map(DataPointBody::from));)*
                bodies
            }
        }
    };
}

crate::data_points!(shaped scenario_data);
