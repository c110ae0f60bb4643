//! INVARIANT 1, one target for one item: no two templates of Cognito names give the same name.

use crate::errors::{Mistake, Mistakes};
use crate::file::{DraftItem, DraftScope};
use crate::matching::Texts;
use crate::model::{KeyForm, Made};
use crate::source::At;
use crate::template::Template;

use super::context::Context;
use super::overlap::witness;

/// A template of Cognito names, and its item type.
struct Named<'a> {
    item: &'a DraftItem,
    template: &'a At<Template>,
    texts: Texts<'a>,
    /// Memberships with the same template may share a group: it is one group.
    shared: bool,
}

pub(super) fn check(context: &Context<'_>, mistakes: &mut Mistakes) {
    let mut users = Vec::new();
    let mut groups = Vec::new();
    for entry in &context.items {
        let named = |template, shared| Named { item: entry.draft, template, texts: context.texts(entry.id), shared };
        users.extend(entry.draft.user.as_ref().map(|user| named(&user.name, false)));
        groups.extend(entry.draft.groups.as_ref().map(|template| named(template, false)));
        let member = entry.draft.member.as_ref();
        let by_hand = member.and_then(|member| member.made.as_ref()).is_some_and(|made| made.value == Made::ByHand);
        if let Some(DraftScope::Value(template)) = member.filter(|_| !by_hand).map(|member| &member.group) {
            groups.push(named(template, true));
        }
    }
    apart(&users, "user", mistakes);
    apart(&groups, "group", mistakes);
}

fn apart(named: &[Named<'_>], what: &str, mistakes: &mut Mistakes) {
    for (place, one) in named.iter().enumerate() {
        for other in named.iter().skip(place + 1) {
            if one.shared && other.shared && one.template.value == other.template.value {
                continue;
            }
            let form = |named: &Named<'_>| KeyForm {
                pk: named.template.value.clone(),
                sk: Template::default(),
                names: named.template.value.names().map(str::to_owned).collect(),
            };
            let Some(key) = witness(&one.texts, &form(one), &other.texts, &form(other)) else { continue };
            let (first, second) = (&one.item.name.value, &other.item.name.value);
            let message = format!("`{first}` and `{second}` can have the same Cognito {what}");
            let help = format!(
                "`{}` matches both: begin one of them with its own constant{}",
                key.pk,
                if what == "group" { ", or name the item type that creates the group" } else { "" }
            );
            let mistake = Mistake::new(other.template.span, message, format!("the {what} of `{second}`"));
            mistakes.add(mistake.also(one.template.span, format!("the {what} of `{first}`")).help(help));
        }
    }
}
