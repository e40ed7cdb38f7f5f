//! Pages as gray pixels, prepared for text recognition.

pub(crate) mod decode;
mod light;
pub(crate) mod marks;
mod paper;
pub(crate) mod prepare;
mod resized;
mod ruling;
mod skew;
pub(crate) mod tiff_page;
