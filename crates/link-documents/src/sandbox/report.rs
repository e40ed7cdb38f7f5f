//! The results of the self-test, for the log and for an operator.

use std::fmt;

use super::entered::Entered;
use super::layer::Layer;
use super::probe::Attempt;

/// The test result of one layer of the child's sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerReport {
    /// The layer.
    pub layer: Layer,
    /// Mechanisms that provide it.
    pub by: Vec<String>,
    /// Reasons why other mechanisms do not.
    pub lacks: Vec<String>,
    /// The number of forbidden acts that were tried.
    pub tried: usize,
    /// The acts that the system allowed.
    pub passed: Vec<String>,
}

impl LayerReport {
    /// Returns whether something provides the layer and every forbidden act was blocked.
    pub fn holds(&self) -> bool {
        !self.by.is_empty() && self.passed.is_empty()
    }
}

impl fmt::Display for LayerReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.holds() { "holds" } else { "MISSING" };
        write!(formatter, "{}: {word}", self.layer)?;
        if !self.by.is_empty() {
            write!(formatter, " by {}", self.by.join(", "))?;
        }
        if self.tried > 0 {
            write!(formatter, "; refused {} of {}", self.tried - self.passed.len(), self.tried)?;
        }
        if !self.passed.is_empty() {
            write!(formatter, "; the child could {}", self.passed.join(", "))?;
        }
        if !self.lacks.is_empty() {
            write!(formatter, "; unavailable: {}", self.lacks.join(", "))?;
        }
        Ok(())
    }
}

/// The result of the sandbox's self-test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxReport {
    /// Each layer.
    pub layers: Vec<LayerReport>,
    /// Whether Tesseract runs within the sandbox. `None` if it is not installed.
    pub tesseract: Option<bool>,
}

impl SandboxReport {
    pub(crate) fn new(entered: Entered, attempts: &[Attempt], tesseract: Option<bool>) -> Self {
        let layers = Layer::ALL.map(|layer| {
            let (by, lacks): (Vec<_>, Vec<_>) = entered
                .means
                .iter()
                .filter(|it| it.layer == layer)
                .map(|it| it.by.clone())
                .partition(Result::is_ok);
            let tried: Vec<_> = attempts.iter().filter(|it| it.layer == layer).collect();
            LayerReport {
                layer,
                by: by.into_iter().filter_map(Result::ok).collect(),
                lacks: lacks.into_iter().filter_map(Result::err).collect(),
                tried: tried.len(),
                passed: tried.iter().filter(|it| !it.refused).map(|it| it.act.clone()).collect(),
            }
        });
        Self { layers: layers.into(), tesseract }
    }

    /// Returns whether every layer holds.
    pub fn is_complete(&self) -> bool {
        self.layers.iter().all(LayerReport::holds)
    }

    /// Returns what an operator can do about each missing layer.
    pub fn advice(&self) -> Vec<&'static str> {
        let mut advice = Vec::new();
        for layer in self.layers.iter().filter(|it| !it.holds()) {
            if !advice.contains(&layer.layer.advice()) {
                advice.push(layer.layer.advice());
            }
        }
        advice
    }
}

#[cfg(test)]
mod tests {
    use super::super::entered::Means;
    use super::*;

    fn report(by: Result<&str, &str>, refused: bool) -> LayerReport {
        let by = by.map(str::to_owned).map_err(str::to_owned);
        let entered = Entered { means: vec![Means { layer: Layer::Files, by }] };
        let attempt = Attempt { layer: Layer::Files, act: "list /".to_owned(), refused };
        SandboxReport::new(entered, &[attempt], None).layers.remove(0)
    }

    #[test]
    fn layer_holds_only_if_applied_and_every_act_is_blocked() {
        assert!(report(Ok("Landlock"), true).holds());
        assert!(!report(Ok("Landlock"), false).holds(), "the layer is applied, but does not block the act");
        assert!(!report(Err("none"), true).holds(), "the act is blocked, but not by the layer");
    }

    #[test]
    fn missing_layer_reports_allowed_acts_and_reason() {
        let said = report(Err("the kernel has no Landlock"), false).to_string();
        let expected =
            "files: MISSING; refused 0 of 1; the child could list /; unavailable: the kernel has no Landlock";
        assert_eq!(said, expected);
    }
}
