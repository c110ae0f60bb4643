//! Properties of matching and loading.
