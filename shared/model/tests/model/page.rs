//! The worked example of `docs/MODEL.md` is a model.
