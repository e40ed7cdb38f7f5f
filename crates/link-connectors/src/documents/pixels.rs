//! Pages as gray pixels, prepared for text recognition.

pub(super) mod decode;
mod light;
mod paper;
pub(super) mod prepare;
mod ruling;
mod skew;
pub(super) mod tiff_page;
