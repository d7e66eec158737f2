//! The same calls on this machine.
