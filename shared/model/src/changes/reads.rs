//! Named reads: programs use them, and nothing that exists follows from them.

use std::collections::BTreeSet;

use super::{Found, SettingClass};
use crate::model::{NamedRead, ReadKey};

impl Found<'_> {
    pub(super) fn reads(&mut self, was: &[NamedRead], is: &[NamedRead]) {
        let all: BTreeSet<&String> = was.iter().chain(is).map(|read| &read.name).collect();
        for name in all {
            let named = |reads: &[NamedRead]| reads.iter().find(|read| read.name == *name).cloned();
            let (was, is) = (named(was), named(is));
            let what = format!("reads.{name}");
            self.compare(&what.clone(), &was, &is, |found| {
                let meaning = match (&was, &is) {
                    (_, None) => "programs that use this read are refused",
                    (None, Some(_)) => "programs can use this read",
                    (Some(was), Some(is)) => return found.read(&what, was, is),
                };
                found.note(SettingClass::Answers, what, meaning);
            });
        }
    }

    fn read(&mut self, what: &str, was: &NamedRead, is: &NamedRead) {
        let mut in_old_order = is.clone();
        if let (ReadKey::Range(was), ReadKey::Range(is)) = (&was.key, &mut in_old_order.key)
            && was.descending != is.descending
        {
            is.descending = was.descending;
            let meaning = "programs that use this read get its items in the other order: a cursor from before leads back \
                           to the items that they had";
            self.note(SettingClass::Answers, what, meaning);
        }
        if self.differs(was, &in_old_order) {
            let meaning = "programs that use this read get other items, or give other names";
            self.note(SettingClass::Answers, what, meaning);
        }
    }
}
