//! Which kinds of data a link template can let people decline.

use link_types::data::DataPointKind;
use link_types::id::ProviderId;
use link_types::provider::Provider;
use link_types::template::LinkTemplate;

/// A list of optional kinds that cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionalDataError {
    /// This kind is listed more than once.
    #[error("each kind once: {0} is repeated")]
    Repeated(DataPointKind),
    /// A person could decline everything that providers return.
    #[error("without at least one kind that providers return: nothing would remain")]
    NothingRemains,
    /// A person could decline everything that a provider returns.
    #[error("without at least one kind of the provider {0}: nothing of it would remain")]
    NothingRemainsOf(ProviderId),
    /// The tenant may skip the consent page, so the person may not be able to choose.
    #[error("empty while `allowConsentSkip` is true: only the consent page offers the choice")]
    ConsentSkipAllowed,
}

/// Returns the kinds in the order of the interface, so that a template with the same kinds has the same list.
pub fn sort_kinds(mut kinds: Vec<DataPointKind>) -> Vec<DataPointKind> {
    kinds.sort_unstable();
    kinds
}

/// Returns the faults of a template's optional kinds. `providers` are those of the environment.
pub fn faults(template: &LinkTemplate, providers: &[Provider]) -> Vec<OptionalDataError> {
    let optional = &template.optional_data;
    if optional.is_empty() {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let repeated =
        optional.iter().enumerate().filter(|(at, kind)| optional.iter().take(*at).any(|it| it == *kind));
    faults.extend(repeated.map(|(_, kind)| OptionalDataError::Repeated(*kind)));
    if template.allow_consent_skip {
        faults.push(OptionalDataError::ConsentSkipAllowed);
    }
    if !remains(DataPointKind::ALL, optional) {
        faults.push(OptionalDataError::NothingRemains);
        return faults;
    }
    let is_offered = |it: &&Provider| template.providers.is_empty() || template.providers.contains(&it.id);
    let is_emptied = |it: &&Provider| returns_data(it) && !remains(&it.supported, optional);
    let emptied = providers.iter().filter(is_offered).filter(is_emptied);
    faults.extend(emptied.map(|it| OptionalDataError::NothingRemainsOf(it.id.clone())));
    faults
}

/// Returns whether one of the kinds that sources return is required.
fn remains(kinds: &[DataPointKind], optional: &[DataPointKind]) -> bool {
    kinds.iter().any(|kind| !kind.is_computed() && !optional.contains(kind))
}

fn returns_data(provider: &Provider) -> bool {
    provider.supported.iter().any(|kind| !kind.is_computed())
}

#[cfg(test)]
mod tests {
    use DataPointKind::{Eincomes, Identities, Incomes, Insights, Links, Ratings};
    use rstest::rstest;

    use super::*;
    use crate::fixture;

    /// Returns the faults with a provider of identities and pay, and one that says nothing about its data.
    fn faults_of(
        optional: &[DataPointKind],
        change: impl FnOnce(&mut LinkTemplate),
    ) -> Vec<OptionalDataError> {
        let (link, _) = fixture::templates();
        let mut template = LinkTemplate { optional_data: optional.to_vec(), ..link.template };
        change(&mut template);
        let known = Provider { supported: vec![Identities, Incomes, Eincomes], ..fixture::provider() };
        let silent = Provider { id: "ph_pension".parse().unwrap(), ..fixture::provider() };
        faults(&template, &[known, silent])
    }

    #[rstest]
    #[case::none(&[])]
    #[case::one(&[Incomes])]
    #[case::computed(&[Eincomes, Links, Insights])]
    #[case::of_no_provider(&[Incomes, Ratings])]
    fn kinds_that_leave_something_are_accepted(#[case] optional: &[DataPointKind]) {
        assert_eq!(faults_of(optional, |_| {}), []);
    }

    #[test]
    fn repeated_kind_is_rejected() {
        assert_eq!(faults_of(&[Incomes, Ratings, Incomes], |_| {}), [OptionalDataError::Repeated(Incomes)]);
    }

    #[test]
    fn kinds_that_leave_nothing_are_rejected() {
        assert_eq!(faults_of(DataPointKind::ALL, |_| {}), [OptionalDataError::NothingRemains]);
        let read: Vec<_> = DataPointKind::ALL.iter().copied().filter(|kind| !kind.is_computed()).collect();
        assert_eq!(faults_of(&read, |_| {}), [OptionalDataError::NothingRemains]);
    }

    #[test]
    fn kinds_that_leave_nothing_of_an_offered_provider_are_rejected() {
        let emptied = OptionalDataError::NothingRemainsOf(fixture::provider_id());
        assert_eq!(faults_of(&[Identities, Incomes], |_| {}), [emptied]);
        let other = |template: &mut LinkTemplate| template.providers = vec!["ph_pension".parse().unwrap()];
        assert_eq!(faults_of(&[Identities, Incomes], other), [], "the provider is not offered");
    }

    #[test]
    fn choice_requires_the_consent_page() {
        let skips = |template: &mut LinkTemplate| template.allow_consent_skip = true;
        assert_eq!(faults_of(&[Incomes], skips), [OptionalDataError::ConsentSkipAllowed]);
        assert_eq!(faults_of(&[], skips), []);
    }

    #[test]
    fn kinds_are_sorted_like_the_interface() {
        assert_eq!(sort_kinds(vec![Insights, Identities]), [Identities, Insights]);
    }
}
