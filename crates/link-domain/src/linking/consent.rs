//! Consent that a person gave to share data, and the minimal receipt that is kept after the data is erased.

use link_types::EndReason;
use link_types::consent::ConsentRecord;
use link_types::data::{DataPointKind, SourceType};
use link_types::id::{ConsentTemplateId, LinkSessionId, UserId};
use link_types::link::{ConsentReceipt, DataChoice};
use serde::{Deserialize, Serialize};

use crate::data::declined_data::DeclinedData;
use crate::kernel::clock::TenantTime;
use crate::kernel::digest::{Digest32, hex};
use crate::linking::consent_reading::Sentences;
use crate::linking::link::{Handoff, LinkSession};
use crate::linking::terms::Terms;
use crate::tenancy::template::ConsentTemplate;

/// Consent that a person gave, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Consent receipt as the widget sent it.
    pub receipt: ConsentReceipt,
    /// When the service received the receipt.
    pub consented_at: TenantTime,
    /// SHA-256 of the text that was shown.
    pub text: Digest32,
    /// The sentences of the text that said how often data is read, and when it is deleted.
    pub sentences: Sentences,
    /// The company that the consent page named as the recipient.
    pub company: String,
    /// Where the consent was given. `None` for an account, whose login arrives with its consent (ADR 184).
    pub given_in: Option<GivenIn>,
}

/// The session and the device in which a person gave a consent. The devices of a session can belong to different people:
/// a tenant's server can open the session, and have a person scan its code (ADR 184).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GivenIn {
    /// Session of the widget.
    pub session_id: LinkSessionId,
    /// Number of the session's hand-off, if the consent was given on its phone. `None` for the computer.
    pub handoff: Option<u32>,
}

impl GivenIn {
    /// Returns the place of a session's widget, or of the phone of its hand-off.
    pub fn from_session(session: &LinkSession, phone: Option<&Handoff>) -> Self {
        Self { session_id: session.id.clone(), handoff: phone.map(|it| it.number) }
    }
}

/// Minimal receipt, kept after the data that the consent covered is erased. It names no person and no language, so it is
/// stored unencrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsentStub {
    /// Consent template that was used.
    pub consent_template_id: ConsentTemplateId,
    /// Version that was shown.
    pub version: String,
    /// SHA-256 of the text that was shown.
    pub text: Digest32,
    /// When the service received the receipt.
    pub consented_at: TenantTime,
    /// Kinds of data that the person declined.
    #[serde(default)]
    pub declined: DeclinedData,
}

/// Consent for an account or archive, as far as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptConsent {
    /// The data exists, and with it the whole consent.
    Whole(Consent),
    /// The data was erased.
    Ended {
        /// Minimal receipt.
        stub: ConsentStub,
        /// When the consent ended.
        at: TenantTime,
        /// How the consent ended.
        reason: EndReason,
    },
}

/// Account or archive that a consent covers.
pub struct Covered {
    /// Identifier of the source.
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// User who consented.
    pub user_id: UserId,
}

impl Consent {
    /// Creates the consent that a receipt reports, given now to these terms. The text says how often data is read and when
    /// it is deleted as the receipt does, because that is what the person saw.
    pub fn from_receipt(receipt: ConsentReceipt, terms: &Terms<'_>, consented_at: TenantTime) -> Self {
        let (_, text) = terms.consent.words(&receipt.locale);
        let sentences = Sentences::new(&receipt.locale, receipt.sync_interval, receipt.retention);
        let text = Digest32::from_text(&sentences.fill(text));
        let company = terms.link.template.company_name.clone();
        // A request may repeat kinds without end.
        let data_choice = receipt.data_choice.map(|choice| DataChoice {
            declined: DeclinedData::new(&choice.declined).kinds().to_vec(),
            ..choice
        });
        let receipt = ConsentReceipt { data_choice, ..receipt };
        Self { receipt, consented_at, text, sentences, company, given_in: None }
    }

    /// Sets where the consent was given.
    pub fn with_place(self, place: GivenIn) -> Self {
        Self { given_in: Some(place), ..self }
    }

    /// Also declines what an earlier consent to the same data declined. A client that has a link token can send a
    /// receipt, so one never widens a choice that was made (ADR 184).
    pub fn not_wider_than(mut self, earlier: Option<&Self>) -> Self {
        let before = earlier.map(Self::declined_data).unwrap_or_default();
        if before.kinds().iter().any(|kind| self.declined_data().shares(*kind)) {
            let choice = self.receipt.data_choice.get_or_insert_with(DataChoice::default);
            let both: Vec<DataPointKind> = before.kinds().iter().chain(&choice.declined).copied().collect();
            choice.declined = DeclinedData::new(&both).kinds().to_vec();
        }
        self
    }

    /// Returns the kinds of data that the consent does not cover.
    pub fn declined_data(&self) -> DeclinedData {
        DeclinedData::new(self.receipt.declined_data())
    }

    /// Returns the kinds that the person could decline and chose to share.
    pub fn chosen_data(&self) -> Vec<DataPointKind> {
        self.receipt.data_choice.as_ref().map(DataChoice::chosen_kinds).unwrap_or_default()
    }

    /// Returns the minimal receipt, which is kept after the data is erased.
    pub fn stub(self) -> ConsentStub {
        ConsentStub {
            declined: self.declined_data(),
            consent_template_id: self.receipt.consent_template_id,
            version: self.receipt.version,
            text: self.text,
            consented_at: self.consented_at,
        }
    }

    /// Returns the consent as the tenant reads it, with the text of its template in the language that was shown.
    pub fn record(self, covered: Covered, template: &ConsentTemplate) -> ConsentRecord {
        let shown = &template.template;
        let (title, text) = template.words(&self.receipt.locale);
        let declined = self.declined_data();
        ConsentRecord {
            source_id: covered.source_id,
            source_type: covered.source_type,
            user_id: covered.user_id,
            consent_template_id: self.receipt.consent_template_id,
            consent_type: Some(shown.consent_type.clone()),
            version: self.receipt.version,
            title: Some(title.to_owned()),
            consented_with: Some(self.sentences.fill(text)),
            text_sha256: hex(self.text.as_bytes()),
            locale: Some(self.receipt.locale),
            given_by: Some(self.receipt.given_by),
            shared_data: declined.shared_kinds(),
            declined_data: declined.kinds().to_vec(),
            consented_at: self.consented_at.into(),
            ended_at: None,
            end_reason: None,
        }
    }
}

impl ConsentStub {
    /// Returns the minimal receipt as the tenant reads it.
    pub fn record(self, covered: Covered, ended_at: TenantTime, reason: EndReason) -> ConsentRecord {
        ConsentRecord {
            source_id: covered.source_id,
            source_type: covered.source_type,
            user_id: covered.user_id,
            consent_template_id: self.consent_template_id,
            consent_type: None,
            version: self.version,
            title: None,
            consented_with: None,
            text_sha256: hex(self.text.as_bytes()),
            locale: None,
            given_by: None,
            shared_data: self.declined.shared_kinds(),
            declined_data: self.declined.kinds().to_vec(),
            consented_at: self.consented_at.into(),
            ended_at: Some(ended_at.into()),
            end_reason: Some(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use link_types::template::{ConsentTranslation, Retention, SyncInterval};

    use super::*;
    use crate::fixture;

    fn covered_account() -> Covered {
        Covered { source_id: "a-1".into(), source_type: SourceType::Account, user_id: fixture::user_id() }
    }

    #[test]
    fn consent_has_the_hash_of_the_text_that_was_shown() {
        let (link, mut template) = fixture::templates();
        let spanish = ConsentTranslation { title: "Datos".into(), text: "Comparte sus datos.".into() };
        template.template.translations.insert("es-MX".into(), spanish);
        let now = fixture::context().now().tenant();
        for (locale, text) in [("en", "You share your data."), ("es-MX", "Comparte sus datos.")] {
            let receipt = ConsentReceipt { locale: locale.into(), ..fixture::receipt() };
            let record = Consent::from_receipt(receipt, &Terms { link: &link, consent: &template }, now)
                .record(covered_account(), &template);
            assert_eq!(record.text_sha256, hex(Digest32::from_text(text).as_bytes()));
            assert_eq!(record.consented_with.as_deref(), Some(text));
            assert_eq!((record.ended_at, record.end_reason), (None, None));
        }
    }

    #[test]
    fn consent_keeps_what_its_text_says_about_reading_and_deletion() {
        let (link, mut template) = fixture::templates();
        template.template.text = "${reading} ${retention}".into();
        let now = fixture::context().now().tenant();
        let receipt = ConsentReceipt {
            sync_interval: Some(SyncInterval::Weekly),
            retention: Retention::FromLastSync,
            ..fixture::receipt()
        };
        let record = Consent::from_receipt(receipt, &Terms { link: &link, consent: &template }, now)
            .record(covered_account(), &template);
        let text = record.consented_with.unwrap();
        assert!(text.contains("again every week") && text.contains("after it was last read"), "{text}");
        assert_eq!(record.text_sha256, hex(Digest32::from_text(&text).as_bytes()));
    }

    #[test]
    fn consent_records_what_was_chosen_and_declined() {
        let (link, template) = fixture::templates();
        let now = fixture::context().now().tenant();
        let receipt = ConsentReceipt {
            data_choice: Some(DataChoice {
                optional: vec![DataPointKind::Incomes, DataPointKind::Liabilities, DataPointKind::Ratings],
                declined: vec![DataPointKind::Ratings, DataPointKind::Incomes, DataPointKind::Ratings],
            }),
            ..fixture::receipt()
        };
        let consent = Consent::from_receipt(receipt, &Terms { link: &link, consent: &template }, now);
        assert_eq!(consent.chosen_data(), [DataPointKind::Liabilities]);
        let record = consent.record(covered_account(), &template);
        assert_eq!(record.declined_data, [DataPointKind::Incomes, DataPointKind::Ratings]);
        assert_eq!(record.shared_data.len() + 2, DataPointKind::ALL.len());
        assert!(record.shared_data.contains(&DataPointKind::Liabilities));
    }

    #[test]
    fn ended_consent_keeps_ids_hash_kinds_and_times_only() {
        let (link, template) = fixture::templates();
        let now = fixture::context().now().tenant();
        let receipt = ConsentReceipt {
            data_choice: Some(DataChoice {
                optional: vec![DataPointKind::Incomes],
                declined: vec![DataPointKind::Incomes],
            }),
            ..fixture::receipt()
        };
        let consent = Consent::from_receipt(receipt, &Terms { link: &link, consent: &template }, now);
        let whole = consent.clone().record(covered_account(), &template);
        let later = now + std::time::Duration::from_secs(60);
        let ended = consent.stub().record(covered_account(), later, EndReason::Expired);
        let expected = ConsentRecord {
            consent_type: None,
            title: None,
            consented_with: None,
            locale: None,
            given_by: None,
            ended_at: Some(later.into()),
            end_reason: Some(EndReason::Expired),
            ..whole
        };
        assert_eq!(ended, expected);
    }
}
