//! How a model looks back at former ones: what they found in another way, it finds in both.

use crate::model::{FindQuery, Index, Link, LinkId, Model, ToDependents, Way};

impl Model {
    /// Adds the ways by which a former model finds the dependents of the same types: what this model finds them by may not
    /// be written yet. What is found so belongs to an object only if this model says so.
    pub fn look_back(&mut self, former: &Self) {
        let leads_down = |link: &Link| link.leads_down() && (link.deleted_with || link.needed);
        let mut added: Vec<(LinkId, ToDependents)> = Vec::new();
        for (nth, link) in self.links.iter().enumerate().filter(|(_, link)| leads_down(link)) {
            let id = LinkId(nth);
            let same = former.links.iter().filter(|was| former.ends(was) == self.ends(link));
            for found in same.flat_map(|was| was.find.ways()).filter_map(|way| self.way_of(former, way)) {
                let is_known = |way: Way<'_>| found.ways().any(|other| other == way);
                let others = added.iter().filter(|(of, _)| *of == id).flat_map(|(_, other)| other.ways());
                if !self.ways(id).chain(others).any(is_known) {
                    added.push((id, found));
                }
            }
        }
        for (id, found) in added {
            self.derived.former_ways.entry(id).or_default().push(found);
        }
    }

    fn ends(&self, link: &Link) -> [&str; 2] {
        [link.from, link.to].map(|of| self.item(of).stable_name())
    }

    /// A former model's way. `None` if it is by an index that this model does not query: the table may not have that any
    /// more, and no function may read it.
    fn way_of(&self, former: &Self, way: Way<'_>) -> Option<ToDependents> {
        let Way::Query(query) = way else { return Some(ToDependents::BackReference) };
        let index = match query.index.map(|index| former.index_at(index)) {
            None => None,
            Some(was) => {
                let is_same = |index: &Index| index.name == was.name && index.pk == was.pk && index.sk == was.sk;
                Some(self.queried_indexes().find(|index| is_same(self.index_at(*index)))?)
            }
        };
        Some(ToDependents::Queries(vec![FindQuery { index, ..query.clone() }]))
    }
}
