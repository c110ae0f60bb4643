//! Which objects writers write, and under which keys: names drawn from a few.

use instep_model::template::base;
use instep_model::{Item, KeyForm, Link, Names, Object, ToParent, TypeId};
use jiff::SignedDuration;

use super::odds::Odds;
use super::writer::{DrawnWriter, Place};
use crate::people::sub_of;

/// Ids that all names share, so that references lead to something.
pub(super) const IDS: [&str; 3] = ["a", "b", "c"];

/// Moments that attributes hold: one in the past, one to come.
const MOMENTS: [&str; 2] = ["2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"];

/// How often a time is near, and how far from now, in seconds.
const MOMENT_IS_NEAR: Odds = Odds::percent(60);
const NEAR_S: usize = 110;
const MOMENT_IS_WHOLE: Odds = Odds::percent(70);

/// How many phone numbers there are.
const PHONES: usize = 3;

/// How often an absent object gets the first of its keys, and not any of them.
const KEY_IS_THE_FIRST: Odds = Odds::percent(80);

/// How often a given name is used, where the model allows it.
const GIVEN_NAME_IS_USED: Odds = Odds::percent(95);

/// How often a name has the value that the model assumes for it.
const ASSUMED_NAME_IS_USED: Odds = Odds::percent(25);

/// How often a name is the first of all ids. Most of what people write is about few objects.
const ID_IS_THE_FIRST: Odds = Odds::percent(60);

/// The names of a child's key that lead back to its parent.
pub(crate) fn back_to(link: &Link, parent: &Object) -> Names {
    let names = link.names.iter().filter_map(|(name, text)| {
        let own = text.names().next()?;
        Some((own.to_owned(), parent.names.get(name)?.clone()))
    });
    names.collect()
}

impl DrawnWriter<'_> {
    /// Draws an object of a type and its key. An object that is in the table keeps its key.
    pub(crate) fn place(&self, of: TypeId, given: &Names) -> Option<Place> {
        let form: &KeyForm = self.net.chance.pick(&self.model.item(of).forms)?;
        let names = form.names.iter().map(|name| (name.clone(), self.name(of, name, given)));
        let object = self.without_namesakes(Object { of, names: names.collect() });
        // No object is its own ancestor where a child is deleted with its last parent.
        if let [Some(one), Some(other)] = self.ends(&object)
            && one <= other
        {
            return None;
        }
        let keys = self.model.keys(&object).ok()?;
        let there = keys.iter().find(|key| self.item_at(key).is_some());
        let any = || if self.happens(KEY_IS_THE_FIRST) { keys.first().cloned() } else { self.pick(&keys) };
        Some(Place { key: there.cloned().or_else(any)?, object })
    }

    /// Draws an object of any of these types.
    pub(crate) fn place_where(&self, is_wanted: impl Fn(TypeId) -> bool) -> Option<Place> {
        let types: Vec<_> = (0..self.model.items.len()).map(TypeId).filter(|of| is_wanted(*of)).collect();
        self.place(self.pick(&types)?, &Names::new())
    }

    /// Makes an object the only one with its id. This matters where children know the id alone and
    /// no index leads to their parent: two such parents could not be told apart.
    fn without_namesakes(&self, object: Object) -> Object {
        let mut links = self.model.links_to(object.of).map(|(_, link)| link);
        let Some(link) = links.find(|link| matches!(link.up, ToParent::Unknown)) else { return object };
        let Some(id) = object.names.iter().find_map(|(name, id)| link.names.contains_key(name).then_some(id)) else {
            return object;
        };
        let forms = &self.model.item(object.of).forms;
        let Some(form) = forms.get(id.bytes().map(usize::from).sum::<usize>() % forms.len()) else { return object };
        let name = |name: &String| {
            (name.clone(), object.names.get(name).filter(|_| link.names.contains_key(name)).unwrap_or(id).clone())
        };
        Object { of: object.of, names: form.names.iter().map(name).collect() }
    }

    /// The two ends of an edge that takes one of them along.
    pub(crate) fn ends(&self, object: &Object) -> [Option<Object>; 2] {
        let links: Vec<_> = self.model.links_from(object.of).collect();
        let Some((from, to)) = links.iter().find_map(|(id, link)| Some((*id, link.cascades_to?))) else {
            return [None, None];
        };
        [from, to].map(|id| self.net.watch().implied.target(id, object, &Item::new()))
    }

    /// Draws the text of a name. Most of the time it is the given one.
    pub(crate) fn name(&self, of: TypeId, name: &str, given: &Names) -> String {
        let own = base(name);
        let mut closed = self.net.watch().implied.closed(of, own).to_vec();
        let when = self.model.links.iter().filter_map(|link| link.when.as_ref()).filter(|(by, _)| by == own);
        closed.extend(when.map(|(_, value)| value.clone()));
        let is_allowed = |text: &&String| closed.is_empty() || closed.contains(text);
        if let Some(text) = given.get(name).filter(is_allowed).filter(|_| self.happens(GIVEN_NAME_IS_USED)) {
            return text.clone();
        }
        if !closed.is_empty() {
            return self.pick(&closed).unwrap_or_default();
        }
        let rule = self.model.names.get(own);
        if let Some(like) = rule.and_then(|rule| rule.like.as_ref()) {
            return like.render(&|inner| Some(self.name(of, inner, &Names::new()))).unwrap_or_default();
        }
        if rule.is_some_and(|rule| rule.is.is_some()) {
            return self.moment();
        }
        let assumed = self.model.items.iter().flat_map(|ty| &ty.assumed).find_map(|names| names.get(own));
        match assumed {
            Some(text) if self.happens(ASSUMED_NAME_IS_USED) => text.clone(),
            Some(_) | None => self.text_for(own),
        }
    }

    /// Draws a time: years ago, in years, or within a minute or so.
    pub(crate) fn moment(&self) -> String {
        if !self.happens(MOMENT_IS_NEAR) {
            return self.pick(&MOMENTS).unwrap_or_default().to_owned();
        }
        let after_s = i64::try_from(self.below(NEAR_S)).unwrap_or_default() - 20;
        let at = self.net.now().checked_add(SignedDuration::from_secs(after_s)).unwrap_or_default();
        if self.happens(MOMENT_IS_WHOLE) { at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string() } else { at.to_string() }
    }

    fn text_for(&self, name: &str) -> String {
        let id = if self.happens(ID_IS_THE_FIRST) { IDS.first().copied() } else { self.pick(&IDS) };
        let id = id.unwrap_or_default();
        match name.to_lowercase() {
            name if name.contains("email") => format!("{id}@x.example"),
            name if name.contains("phone") => format!("+1555000{}", self.below(PHONES)),
            // There are few kinds, so that most objects with a kind have the same.
            name if name.contains("resourcetype") => "System.User".to_owned(),
            name if name == "domain" => "d".to_owned(),
            name if name == "cardno" || name == "number" => {
                IDS.iter().position(|own| *own == id).unwrap_or_default().to_string()
            }
            name if name.contains("token") => sub_of(id),
            _ => id.to_owned(),
        }
    }
}
