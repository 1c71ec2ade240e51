//! Integration tests.

mod fragments;
