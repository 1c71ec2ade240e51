//! Integration tests.

mod warnsdorff;
