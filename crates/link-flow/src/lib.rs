//! The widget's brain: (state, event) -> (state, effects), and the view as a list of blocks.
