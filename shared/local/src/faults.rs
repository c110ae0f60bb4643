//! Faults that tests inject into calls at the HTTP client.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A fault of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The service refuses the call, which has no effect.
    Refuse {
        /// HTTP status (400 for throttling and the caller's faults, 500 for the service's).
        status: u16,
        /// The error's code (`TooManyRequestsException`).
        code: String,
    },
    /// The call has its effect, and the response is lost: the caller sees a timeout.
    LoseAnswer,
    /// The call has its effect, and the service answers with this error code, as Cognito does if it cannot deliver an
    /// invitation.
    Complain {
        /// The error's code.
        code: String,
    },
    /// PutEvents or SendMessageBatch fails for the entries at these places in the request, and
    /// accepts the others.
    Entries {
        /// Places in the request.
        places: Vec<usize>,
        /// The entries' error code (`ThrottlingException`, `InternalFailure`).
        code: String,
    },
    /// A batch call does not process the last keys or writes, and returns them as unprocessed.
    Unprocessed {
        /// The number of unprocessed keys or writes.
        count: usize,
    },
}

impl Fault {
    /// A refusal with the status of a client error, as for throttling.
    #[must_use]
    pub fn refuse(code: &str) -> Self {
        Self::Refuse { status: 400, code: code.to_owned() }
    }
}

impl Fault {
    /// The error code of a batch's entry, if this fault makes the entry fail.
    pub(crate) fn of_entry(&self, place: usize) -> Option<&str> {
        match self {
            Self::Entries { places, code } if places.contains(&place) => Some(code),
            Self::Entries { .. }
            | Self::Refuse { .. }
            | Self::LoseAnswer
            | Self::Complain { .. }
            | Self::Unprocessed { .. } => None,
        }
    }
}

#[derive(Debug)]
struct Rule {
    operation: String,
    calls: Range<u64>,
    fault: Fault,
    seen: u64,
}

/// The faults of a stack. Clones share their rules.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    rules: Arc<Mutex<Vec<Rule>>>,
}

impl Faults {
    /// Makes calls of `operation` fail: those whose index, counted from now and from 0, is in
    /// `calls`.
    pub fn on(&self, operation: &str, calls: Range<u64>, fault: Fault) {
        let rule = Rule { operation: operation.to_owned(), calls, fault, seen: 0 };
        self.rules.lock().unwrap_or_else(PoisonError::into_inner).push(rule);
    }

    /// Makes the next `times` calls of `operation` fail.
    pub fn next(&self, operation: &str, times: u64, fault: Fault) {
        self.on(operation, 0..times, fault);
    }

    /// Removes all rules.
    pub fn clear(&self) {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Counts a call of `operation`, and returns its fault. If several rules apply, the oldest
    /// decides.
    pub(crate) fn next_fault(&self, operation: &str) -> Option<Fault> {
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fault = None;
        for rule in rules.iter_mut().filter(|rule| rule.operation == operation) {
            if fault.is_none() && rule.calls.contains(&rule.seen) {
                fault = Some(rule.fault.clone());
            }
            rule.seen += 1;
        }
        rules.retain(|rule| rule.seen < rule.calls.end);
        fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_count_the_calls_of_their_operation_only() {
        let faults = Faults::default();
        faults.on("PutItem", 1..3, Fault::LoseAnswer);
        faults.next("PutItem", 1, Fault::refuse("ThrottlingException"));
        assert_eq!(faults.next_fault("GetItem"), None);
        assert_eq!(faults.next_fault("PutItem"), Some(Fault::refuse("ThrottlingException")));
        assert_eq!(faults.next_fault("PutItem"), Some(Fault::LoseAnswer));
        assert_eq!(faults.next_fault("PutItem"), Some(Fault::LoseAnswer));
        assert_eq!(faults.next_fault("PutItem"), None);
    }
}
