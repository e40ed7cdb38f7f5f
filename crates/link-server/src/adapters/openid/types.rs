//! The types of the library, with a claim that it does not have.

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreRevocableToken,
    CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalClaims, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdToken,
    IdTokenClaims, IdTokenFields, StandardErrorResponse, StandardTokenResponse,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The claims that the library does not have.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct MoreClaims {
    // Another provider may use the name for something else.
    #[serde(default)]
    hd: Value,
}

impl AdditionalClaims for MoreClaims {}

impl MoreClaims {
    /// Returns the domain of the organization that manages the account.
    pub(super) fn hosted_domain(&self) -> Option<&str> {
        self.hd.as_str()
    }
}

/// An ID token.
pub(super) type Token =
    IdToken<MoreClaims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;

/// The claims of a verified ID token.
pub(super) type TokenClaims = IdTokenClaims<MoreClaims, CoreGenderClaim>;

type Fields = IdTokenFields<
    MoreClaims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// The response of a token endpoint.
pub(super) type Tokens = StandardTokenResponse<Fields, CoreTokenType>;

/// The client of a provider whose discovery document is known.
pub(super) type Client = openidconnect::Client<
    MoreClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;
