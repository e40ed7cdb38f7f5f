//! The terms that a person consents to: a consent text, how often data is read, and how long it is kept.

use link_types::link::{ConsentGivenBy, ConsentReceipt};

use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;
use crate::linking::consent::Consent;
use crate::tenancy::template::{ConsentError, ConsentTemplate, LinkTemplate};

/// The terms of a link template.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Link template, which says how often data is read and how long it is kept.
    pub link: &'a LinkTemplate,
    /// Its consent template.
    pub consent: &'a ConsentTemplate,
}

impl Terms<'_> {
    /// Returns whether the consent of a connected account covers these terms, so that the person need not be asked
    /// when they sign in again. It does if the consent page would show the same company, choice of data and text in the
    /// language of the consent. The widget's current language is not compared. A consent for which the tenant vouched covers the
    /// terms only while the link template allows that.
    pub fn are_covered_by(&self, consent: Option<&Consent>) -> bool {
        let Some(Consent { receipt, text, sentences, company, .. }) = consent else { return false };
        let shown = &self.consent.template;
        let now = self.link.sentences(&receipt.locale);
        receipt.consent_template_id == shown.id
            && receipt.consent_template_id == self.link.template.consent_template_id
            && receipt.version == shown.version
            && *sentences == now
            && *company == self.link.template.company_name
            && receipt.optional_data() == self.link.template.optional_data
            && *text == Digest32::from_text(&now.fill(self.consent.words(&receipt.locale).1))
            && match receipt.given_by {
                ConsentGivenBy::Person => true,
                ConsentGivenBy::Tenant => self.link.template.allow_consent_skip,
            }
    }

    /// Returns the consent that a receipt reports, given now.
    ///
    /// # Errors
    ///
    /// [`ConsentError`] if the receipt is for other terms.
    pub fn read_consent(&self, receipt: ConsentReceipt, now: TenantTime) -> Result<Consent, ConsentError> {
        self.link.check_consent(self.consent, &receipt)?;
        Ok(Consent::from_receipt(receipt, self, now))
    }

    /// Returns the new consent that a receipt reports, given now, or `None` if the receipt is omitted and the earlier
    /// consent covers the terms. `earlier` is the consent of the connected account that the person signs in to again.
    ///
    /// # Errors
    ///
    /// [`ConsentError`] if the person must be asked: the receipt is for other terms, or the consent is missing.
    pub fn accept(
        &self,
        receipt: Option<ConsentReceipt>,
        earlier: Option<&Consent>,
        now: TenantTime,
    ) -> Result<Option<Consent>, ConsentError> {
        match receipt {
            Some(receipt) => self.read_consent(receipt, now).map(Some),
            None if self.are_covered_by(earlier) => Ok(None),
            None => Err(ConsentError::Missing),
        }
    }
}

#[cfg(test)]
mod tests {
    use link_types::data::DataPointKind;
    use link_types::template::{ConsentTranslation, Retention, SyncInterval};
    use rstest::rstest;

    use super::*;
    use crate::fixture;

    /// Returns templates whose text has the sentence about reading, read every week, with a Spanish translation.
    fn templates() -> (LinkTemplate, ConsentTemplate) {
        let (mut link, mut consent) = fixture::templates();
        link.template.sync_enabled = true;
        link.template.sync_interval = SyncInterval::Weekly;
        link.template.retention = Retention::FromLastSync;
        consent.template.text = "${reading}".into();
        let spanish = ConsentTranslation { title: "Datos".into(), text: "Sus datos. ${reading}".into() };
        consent.template.translations.insert("es-MX".into(), spanish);
        (link, consent)
    }

    fn now() -> TenantTime {
        fixture::context().now().tenant()
    }

    fn weekly(locale: &str) -> ConsentReceipt {
        ConsentReceipt {
            locale: locale.into(),
            sync_interval: Some(SyncInterval::Weekly),
            retention: Retention::FromLastSync,
            ..fixture::receipt()
        }
    }

    fn give_consent(locale: &str) -> Consent {
        let (link, consent) = templates();
        Consent::from_receipt(weekly(locale), &Terms { link: &link, consent: &consent }, now())
    }

    fn is_covered(change: impl FnOnce(&mut LinkTemplate, &mut ConsentTemplate)) -> bool {
        let (mut link, mut consent) = templates();
        change(&mut link, &mut consent);
        Terms { link: &link, consent: &consent }.are_covered_by(Some(&give_consent("en")))
    }

    #[rstest]
    fn unchanged_terms_are_covered_in_every_language(#[values("en", "es-MX")] locale: &str) {
        let (link, consent) = templates();
        let terms = Terms { link: &link, consent: &consent };
        assert!(terms.are_covered_by(Some(&give_consent(locale))));
        assert!(!terms.are_covered_by(None), "without a receipt the person is asked");
    }

    #[test]
    fn changed_terms_are_not_covered() {
        assert!(is_covered(|_, _| {}));
        assert!(!is_covered(|_, consent| consent.template.version = "1.1".into()));
        assert!(!is_covered(|_, consent| consent.template.text = "More. ${reading}".into()));
        assert!(!is_covered(|link, _| link.template.sync_interval = SyncInterval::Daily));
        assert!(!is_covered(|link, _| link.template.sync_enabled = false));
        assert!(!is_covered(|link, _| link.template.retention = Retention::FromConnection));
        assert!(!is_covered(|link, _| link.template.company_name = "Another company".into()));
        assert!(!is_covered(|link, _| link.template.optional_data = vec![DataPointKind::Incomes]));
        let other = link_types::id::ConsentTemplateId::from_bytes([9; 16]);
        assert!(!is_covered(|link, _| link.template.consent_template_id = other.clone()));
        assert!(!is_covered(|link, consent| {
            link.template.consent_template_id = other.clone();
            consent.template.id = other;
        }));
    }

    #[test]
    fn changed_interval_is_not_covered_by_a_text_without_it() {
        let (mut link, mut consent) = templates();
        consent.template.text = "You share your data.".into();
        let earlier = Consent::from_receipt(weekly("en"), &Terms { link: &link, consent: &consent }, now());
        assert!(Terms { link: &link, consent: &consent }.are_covered_by(Some(&earlier)));
        link.template.sync_interval = SyncInterval::Monthly;
        assert!(!Terms { link: &link, consent: &consent }.are_covered_by(Some(&earlier)));
    }

    #[test]
    fn changed_retention_is_not_covered_by_a_text_without_it() {
        let (mut link, mut consent) = templates();
        consent.template.text = "You share your data.".into();
        let earlier = Consent::from_receipt(weekly("en"), &Terms { link: &link, consent: &consent }, now());
        link.template.retention = Retention::FromConnection;
        assert!(!Terms { link: &link, consent: &consent }.are_covered_by(Some(&earlier)));
    }

    #[rstest]
    fn consent_of_the_tenant_covers_only_while_allowed(#[values(false, true)] allowed: bool) {
        let (mut link, consent) = templates();
        link.template.allow_consent_skip = allowed;
        let receipt = ConsentReceipt { given_by: ConsentGivenBy::Tenant, ..weekly("en") };
        let earlier = Consent::from_receipt(receipt, &Terms { link: &link, consent: &consent }, now());
        assert_eq!(Terms { link: &link, consent: &consent }.are_covered_by(Some(&earlier)), allowed);
    }

    #[test]
    fn receipt_is_required_unless_consent_covers_the_terms() {
        let (link, consent) = templates();
        let terms = Terms { link: &link, consent: &consent };
        assert_eq!(terms.accept(None, None, now()), Err(ConsentError::Missing));
        assert_eq!(terms.accept(None, Some(&give_consent("en")), now()), Ok(None));
        assert_eq!(
            terms.accept(Some(weekly("en")), Some(&give_consent("es-MX")), now()),
            Ok(Some(give_consent("en")))
        );
        let daily = ConsentReceipt { sync_interval: Some(SyncInterval::Daily), ..weekly("en") };
        let refused = terms.accept(Some(daily), Some(&give_consent("en")), now());
        assert_eq!(refused, Err(ConsentError::OtherInterval), "the page showed another interval");
        let shorter = ConsentReceipt { retention: Retention::FromConnection, ..weekly("en") };
        let refused = terms.accept(Some(shorter), Some(&give_consent("en")), now());
        assert_eq!(refused, Err(ConsentError::OtherRetention), "the page said another end");
    }
}
