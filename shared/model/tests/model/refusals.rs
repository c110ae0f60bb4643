//! What is refused at load, and how that is told.
