//! The layers that a child has applied to itself.

#[cfg(target_os = "linux")]
use std::fmt;

use serde::{Deserialize, Serialize};

use super::layer::Layer;

/// A layer and what provides it, or why it is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Means {
    pub layer: Layer,
    pub by: Result<String, String>,
}

/// The layers that the child applied to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entered {
    pub means: Vec<Means>,
}

impl Entered {
    #[cfg(target_os = "linux")]
    pub(super) fn note(&mut self, layer: Layer, by: Result<String, impl fmt::Display>) {
        self.means.push(Means { layer, by: by.map_err(|error| error.to_string()) });
    }

    fn has(&self, layer: Layer) -> bool {
        self.means.iter().any(|it| it.layer == layer && it.by.is_ok())
    }

    /// Returns the missing layers of those that [`SandboxPolicy::Required`](super::SandboxPolicy::Required) needs.
    pub fn missing(&self) -> Vec<Layer> {
        let needed = [Layer::Files, Layer::Network, Layer::SystemCalls];
        needed.into_iter().filter(|layer| !self.has(*layer)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter_layers(held: &[Layer]) -> Entered {
        let means = |layer: &Layer| Means { layer: *layer, by: Ok("x".to_owned()) };
        Entered { means: held.iter().map(means).collect() }
    }

    #[test]
    fn required_layers_are_files_network_and_system_calls() {
        assert_eq!(enter_layers(&[]).missing(), [Layer::Files, Layer::Network, Layer::SystemCalls]);
        assert_eq!(enter_layers(&[Layer::Network, Layer::SystemCalls]).missing(), [Layer::Files]);
        assert_eq!(enter_layers(&[Layer::Files, Layer::Network, Layer::SystemCalls]).missing(), []);
    }

    #[test]
    fn failed_layer_counts_as_missing() {
        let mut entered = enter_layers(&[Layer::Network, Layer::SystemCalls]);
        entered.means.push(Means { layer: Layer::Files, by: Err("no Landlock".to_owned()) });
        assert_eq!(entered.missing(), [Layer::Files]);
    }
}
