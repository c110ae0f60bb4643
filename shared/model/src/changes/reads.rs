//! Named reads: programs use them, and nothing that exists follows from them.

use std::collections::BTreeSet;

use super::{Found, SettingClass};
use crate::model::NamedRead;

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
                    (Some(_), Some(_)) => "programs that use this read get other items, or give other names",
                };
                found.note(SettingClass::Answers, what, meaning);
            });
        }
    }
}
