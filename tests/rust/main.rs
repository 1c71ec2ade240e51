//! Integration tests.

mod construct;
mod warnsdorff;
