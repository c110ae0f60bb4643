//! What an item type consists of, and what of an item each part of it reads.
//!
//! Code that asks which attributes or names of an item matter filters this list. It is made by destructuring every
//! struct of a model without `..`. So a new field of the model does not compile before this list says what it reads.
//!
//! Three kinds of code do not use it: checks that run before there is a model and name the place in the file
//! (`compile::ineffective`, `compile::unclear`); code that describes whole parts (`describe`, `changes`); and code that
//! compares what two images of an item imply.

use std::collections::BTreeSet;

use crate::model::{
    Claim, CognitoGroups, CognitoMember, CognitoUser, Condition, DueRule, Grant, GroupOwner, Guard, IndexKeys,
    ItemPart, ItemType, LastRevoked, Link, LinkId, Model, Names, Precedence, Purpose, Reads, Roles, Scope, Subject,
    TypeId, TypeUses, Use, Verb, VerbWord,
};
use crate::path::attribute_of;
use crate::template::Template;

impl Use {
    /// The whole attributes that decide it, of an item with these names in its key.
    #[must_use]
    pub fn sources(&self, model: &Model, of: TypeId, key_names: &Names) -> BTreeSet<String> {
        match &self.reads {
            Reads::Name(name) | Reads::List(name) => model.sources(of, key_names, name),
            Reads::Paths(paths) => paths.iter().map(|path| attribute_of(path).to_owned()).collect(),
            // The attribute comes first, also if the key has a name like it.
            Reads::Test(name, _) => [attribute_of(name).to_owned()].into(),
        }
    }
}

impl Model {
    /// What items of a type read.
    #[must_use]
    pub fn uses(&self, of: TypeId) -> &[Use] {
        self.derived.uses.get(of.0).map_or(&[], |of| &of.uses)
    }

    /// The names that every form of a type's key has, with some text: an attribute is never read for them.
    #[must_use]
    pub fn names_in_each_key(&self, of: TypeId) -> Names {
        let forms = &self.item(of).forms;
        let names = forms.iter().flat_map(|form| &form.names);
        let in_each = names.filter(|name| forms.iter().all(|form| form.names.contains(*name)));
        in_each.map(|name| (name.clone(), "1".to_owned())).collect()
    }

    /// The parts of an item type.
    pub fn parts(&self, of: TypeId) -> impl Iterator<Item = ItemPart> {
        self.derived.uses.get(of.0).into_iter().flat_map(|of| &of.parts).copied()
    }
}

/// The uses of each item type.
pub(crate) fn of_types(model: &Model) -> Vec<TypeUses> {
    let Model {
        correlation,
        tenant,
        items: _,
        name: _,
        source: _,
        detail_type: _,
        secret: _,
        table: _,
        indexes: _,
        names: _,
        links: _,
        reads: _,
        marker: _,
        extra_members: _,
        extra_users: _,
        orphans: _,
        derived: _,
    } = model;
    let guards: Vec<(TypeId, &Guard)> =
        model.types().filter_map(|(id, item)| Some((id, item.guard.as_ref()?))).collect();
    let grants: Vec<(TypeId, &Grant)> =
        model.types().filter_map(|(id, item)| Some((id, item.grant.as_ref()?))).collect();
    let of_type = |(of, item)| {
        let mut uses = TypeUses::default();
        let mut event = uses.part(ItemPart::Event);
        tenant.iter().for_each(|name| event.add(Purpose::Tenant, Reads::Name(name.clone())));
        event.paths(Purpose::Correlation, correlation);
        uses.item(item);
        // The item says what names the owner of a guard.
        model.links_from(of).filter(|(_, link)| !model.is_of_owner(link)).for_each(|(id, link)| uses.link(id, link));
        guards.iter().filter(|(_, guard)| guard.owner == of).for_each(|(id, guard)| uses.claims(*id, guard));
        for (id, grant) in &grants {
            if let Some(last) = grant.last.as_ref().filter(|_| subject(model, *id, &grant.subject) == of) {
                uses.last_revocation(*id, last);
            }
        }
        uses
    };
    model.types().map(of_type).collect()
}

/// The item type of a subject.
fn subject(model: &Model, of: TypeId, subject: &Subject) -> TypeId {
    match subject {
        Subject::Itself => of,
        Subject::Link(link) => model.link(*link).to,
    }
}

impl TypeUses {
    fn part(&mut self, part: ItemPart) -> PartUses<'_> {
        self.parts.insert(part);
        PartUses { part, uses: &mut self.uses }
    }

    fn item(&mut self, item: &ItemType) {
        let ItemType {
            index_keys,
            entity,
            entity_id,
            verb_words,
            attributes,
            grant,
            guard,
            user,
            groups,
            members,
            due,
            name: _,
            formerly: _,
            forms: _,
            type_values: _,
            values: _,
            publish: _,
            publish_unchanged: _,
            is_entity: _,
            is_edge: _,
            secret: _,
            assumed: _,
            user_value: _,
            // A claim says what it reads.
            unique_end: _,
            // Answers read these at a question. Nothing follows from them in the stream: no message needs their values.
            within: _,
            conveys: _,
            permits: _,
            inherits: _,
        } = item;
        let mut event = self.part(ItemPart::Event);
        entity.iter().chain(entity_id).for_each(|template| event.texts(Purpose::Text, template));
        attributes.iter().for_each(|path| event.paths(Purpose::Shown, std::slice::from_ref(path)));
        verb_words.iter().for_each(|(verb, words)| words.iter().for_each(|word| self.word(*verb, word)));
        for IndexKeys { pk, sk, index: _, keep: _ } in index_keys {
            let mut keys = self.part(ItemPart::IndexKeys);
            [pk].into_iter().chain(sk).for_each(|template| keys.texts(Purpose::Text, template));
        }
        grant.iter().for_each(|grant| self.grant(grant));
        user.iter().for_each(|user| self.user(user));
        groups.iter().for_each(|groups| self.groups(groups));
        let has_roles = grant.as_ref().is_some_and(|grant| !matches!(grant.roles, Roles::None));
        members.iter().for_each(|member| self.member(member, has_roles));
        for DueRule { at, when, set: _ } in due {
            let mut due = self.part(ItemPart::Due);
            due.add(Purpose::Text, Reads::Name(at.clone()));
            due.tests(Purpose::When, when);
        }
        if let Some(Guard { owner_attributes, owner_link, owner: _, claims: _, writes: _ }) = guard {
            let mut guard = self.part(ItemPart::Guard);
            let attributes = || owner_attributes.iter().map(|(_, attribute)| attribute);
            attributes().for_each(|attribute| guard.paths(Purpose::Text, std::slice::from_ref(attribute)));
            // Only the attributes link a guard to its owner, also if its key has a name of theirs.
            if let Some(link) = owner_link {
                let mut link = self.part(ItemPart::Link(*link));
                attributes().for_each(|attribute| link.paths(Purpose::Text, std::slice::from_ref(attribute)));
            }
        }
    }

    fn word(&mut self, verb: Verb, VerbWord { word, when, changed, by_ttl: _ }: &VerbWord) {
        let mut part = self.part(ItemPart::Word(verb));
        part.texts(Purpose::Text, word);
        part.tests(Purpose::When, when);
        changed.iter().for_each(|path| part.paths(Purpose::Changed, std::slice::from_ref(path)));
    }

    fn grant(&mut self, grant: &Grant) {
        // A subject, a scope and the items of roles at links are those links'. What `last` reads is the subject's.
        let Grant { scope, roles, from, until, when, subject: _, role_names: _, role_links: _, same: _, last: _ } =
            grant;
        let mut part = self.part(ItemPart::Grant);
        match scope {
            Scope::Value(template) => part.texts(Purpose::Scope, template),
            Scope::Global | Scope::Links(_) => {}
        }
        match roles {
            Roles::Template(template) => part.texts(Purpose::Role, template),
            Roles::Attribute(spellings) => part.paths(Purpose::Role, spellings),
            Roles::None => {}
        }
        part.paths(Purpose::Window, from);
        part.paths(Purpose::Window, until);
        part.tests(Purpose::When, when);
    }

    fn groups(&mut self, CognitoGroups { name, each, when, precedence, iam_role: _, in_token: _ }: &CognitoGroups) {
        let mut groups = self.part(ItemPart::Groups);
        // The name `each` has each of its values, not one that the item has.
        let own = name.names().filter(|name| Some(*name) != each.as_deref());
        own.for_each(|name| groups.add(Purpose::Text, Reads::Name(name.to_owned())));
        groups.tests(Purpose::When, when);
        if let Some(Precedence::OfItem(template)) = precedence {
            groups.texts(Purpose::Precedence, template);
        }
    }

    fn user(&mut self, user: &CognitoUser) {
        // A claim says what it reads.
        let CognitoUser {
            name,
            when,
            disabled,
            attributes,
            unique: _,
            create: _,
            delete: _,
            grace: _,
            named_by_address: _,
        } = user;
        let mut part = self.part(ItemPart::User);
        part.texts(Purpose::Text, name);
        part.tests(Purpose::When, when);
        disabled.iter().for_each(|condition| part.tests(Purpose::Disabled, condition));
        attributes.iter().for_each(|(_, template)| part.texts(Purpose::UserAttribute, template));
    }

    fn member(&mut self, member: &CognitoMember, has_roles: bool) {
        let CognitoMember { group, role, group_owner, when, user: _, sign_out: _, in_token: _, shared_with: _ } =
            member;
        let mut part = self.part(ItemPart::Member);
        // Of a group at a link, the names are those of the other item's key. The grant says which roles there are.
        let is_others = |name: &str| matches!(group_owner, GroupOwner::Link(..)) || has_roles && name == role;
        for name in group.names().filter(|name| !is_others(name)) {
            part.text(group.each(), name);
        }
        part.tests(Purpose::When, when);
    }

    fn link(&mut self, id: LinkId, link: &Link) {
        let Link {
            when,
            condition,
            names,
            each,
            beside_key: _,
            from: _,
            to: _,
            up: _,
            find: _,
            deleted_with: _,
            needed: _,
            cascades_to: _,
            role: _,
            written,
        } = link;
        let mut part = self.part(ItemPart::Link(id));
        for name in names.values().flat_map(Template::names) {
            part.text(each.as_deref(), name);
        }
        when.iter().for_each(|(name, _)| part.add(Purpose::Selects, Reads::Name(name.clone())));
        part.tests(Purpose::When, condition);
        part.paths(Purpose::Written, written);
    }

    fn claims(
        &mut self,
        guard: TypeId,
        Guard { claims, owner: _, owner_attributes: _, owner_link: _, writes: _ }: &Guard,
    ) {
        let mut part = self.part(ItemPart::Claim(guard));
        for Claim { when, names, transfer } in claims {
            names.values().for_each(|template| part.texts(Purpose::Text, template));
            part.tests(Purpose::When, when);
            transfer.iter().for_each(|condition| part.tests(Purpose::Transfer, condition));
        }
    }

    fn last_revocation(&mut self, grant: TypeId, LastRevoked { written }: &LastRevoked) {
        self.part(ItemPart::LastRevocation(grant)).paths(Purpose::Written, written);
    }
}

/// The uses of one part.
struct PartUses<'u> {
    part: ItemPart,
    uses: &'u mut Vec<Use>,
}

impl PartUses<'_> {
    fn add(&mut self, purpose: Purpose, reads: Reads) {
        self.uses.push(Use { part: self.part, purpose, reads });
    }

    /// The text of a name, or each text of it if it is the name that has a list.
    fn text(&mut self, each: Option<&str>, name: &str) {
        let reads = if each == Some(name) { Reads::List } else { Reads::Name };
        self.add(Purpose::Text, reads(name.to_owned()));
    }

    fn texts(&mut self, purpose: Purpose, template: &Template) {
        template.names().for_each(|name| self.add(purpose, Reads::Name(name.to_owned())));
    }

    fn paths(&mut self, purpose: Purpose, spellings: &[String]) {
        if !spellings.is_empty() {
            self.add(purpose, Reads::Paths(spellings.to_vec()));
        }
    }

    fn tests(&mut self, purpose: Purpose, condition: &Condition) {
        condition.tests().for_each(|(name, test)| self.add(purpose, Reads::Test(name.clone(), test.clone())));
    }
}
