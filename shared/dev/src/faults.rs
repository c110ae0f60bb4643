//! Failing services: those that a person has switched off, and calls that fail at a rate.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The services that can fail.
pub(super) const SERVICES: [&str; 4] = ["cognito", "dynamodb", "eventbridge", "sqs"];

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failing {
    /// The service refuses it, with this status and code. It has no effect.
    Refused(u16, &'static str),
    /// It has its effect, and the answer is lost.
    Lost,
}

/// Which calls of Instep fail.
#[derive(Debug, Default)]
pub(super) struct Failures {
    rate: f64,
    off: Mutex<BTreeSet<&'static str>>,
}

impl Failures {
    /// Calls fail at this rate, from 0 to 1.
    pub(super) fn at(rate: f64) -> Self {
        Self { rate, off: Mutex::default() }
    }

    /// The rate.
    pub(super) const fn rate(&self) -> f64 {
        self.rate
    }

    fn off(&self) -> MutexGuard<'_, BTreeSet<&'static str>> {
        self.off.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The services that fail.
    pub(super) fn failing(&self) -> Vec<&'static str> {
        self.off().iter().copied().collect()
    }

    /// Makes a service fail, or work again. `false` if there is no such service.
    pub(super) fn set(&self, service: &str, fails: bool) -> bool {
        let Some(service) = SERVICES.into_iter().find(|known| *known == service) else { return false };
        if fails {
            self.off().insert(service)
        } else {
            self.off().remove(service)
        };
        true
    }

    /// How the next call of a service fails. `None` if it does not.
    pub(super) fn next(&self, service: &str) -> Option<Failing> {
        if self.off().contains(service) {
            return Some(Failing::Refused(500, UNAVAILABLE));
        }
        if self.rate <= 0.0 || fastrand::f64() >= self.rate {
            return None;
        }
        Some(match fastrand::u8(0..3) {
            0 => Failing::Refused(400, throttled(service)),
            1 => Failing::Refused(500, UNAVAILABLE),
            _ => Failing::Lost,
        })
    }
}

/// The code of a service that does not work.
const UNAVAILABLE: &str = "InternalFailure";

/// The code of a service that is asked too often.
fn throttled(service: &str) -> &'static str {
    match service {
        "cognito" => "TooManyRequestsException",
        "dynamodb" => "ProvisionedThroughputExceededException",
        _ => "ThrottlingException",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_fails_until_it_is_switched_on() {
        let failures = Failures::at(0.0);
        assert_eq!(failures.next("cognito"), None);
        assert!(failures.set("cognito", true) && !failures.set("ec2", true));
        assert_eq!(failures.next("cognito"), Some(Failing::Refused(500, "InternalFailure")));
        assert_eq!(failures.next("sqs"), None);
        assert!(failures.set("cognito", false));
        assert_eq!(failures.next("cognito"), None);
        assert!((0..100).all(|_| Failures::at(1.0).next("sqs").is_some()));
    }
}
