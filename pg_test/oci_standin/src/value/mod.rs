//! Values between OCI buffers and PostgreSQL's text.

mod input;
mod output;

pub use input::{parameter_type, read};
pub use output::{Source, write};
