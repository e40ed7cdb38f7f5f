//! The widget's body: draws blocks, runs effects, exports LinkModal.
