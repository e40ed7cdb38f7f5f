//! Pages as grey pixels, made fit to be read.

pub(super) mod decode;
mod light;
pub(super) mod prepare;
mod skew;
