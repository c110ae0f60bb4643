//! Replaces messages that an invocation had no time for.

use std::collections::BTreeSet;

use instep_flow::doubt::Doubt;
use instep_flow::entries::EntryId;
use instep_flow::reconcile::Attempted;
use instep_flow::report::Report;
use instep_flow::work::WorkMessage;

use super::QueueMessage;
use crate::instep::Instep;
use crate::run_options::RunOptions;

impl Instep {
    /// INVARIANT 8: a message that takes longer than an invocation would never be done, because each
    /// run over it begins with its first entry. So the first message that is not done is replaced by
    /// what is left of it, or if the time was over before even its first entry was handled, by two
    /// halves. The messages behind it have only waited: they are sent again, too, or they would become
    /// dead letters while much work is waiting. That ends, because each run that replaces messages has
    /// handled or halved something. Returns the places of the messages that are replaced.
    pub(super) async fn replace(
        &self,
        messages: &[QueueMessage],
        of: &[usize],
        report: &Report,
        mut attempted: Attempted,
        run: &RunOptions,
    ) -> BTreeSet<usize> {
        let mut replaced = BTreeSet::new();
        let Some(first) = report.retry_from().filter(|_| run.deadline.is_some()) else { return replaced };
        let (done, left) = of.split_at(first);
        if done.is_empty() && !report.is_out_of_time {
            return replaced;
        }
        let mut new = Vec::new();
        // In the order of the run: a message that came back waits before one that this run has sent.
        let mut left_places = left.to_vec();
        left_places.dedup();
        for place in left_places {
            let Some(delivered) = messages.get(place) else { continue };
            // A message that cannot be parsed is parked.
            let Ok(message) = WorkMessage::parse(&self.model, &self.settings.table, &delivered.body) else { continue };
            let message = WorkMessage { doubt: message.doubt.max(Doubt::after(delivered.receives)), ..message };
            let handled = done.iter().filter(|of| **of == place).count();
            let by = if handled > 0 || done.is_empty() && left.first() == Some(&place) {
                message.divided(handled)
            } else {
                vec![message]
            };
            if by.is_empty() {
                // Nothing has been sent yet.
                return BTreeSet::new();
            }
            let entry = of.iter().position(|of| *of == place).unwrap_or_default();
            for message in by {
                // INVARIANT 8: one of the messages that name an object is enough. A bulk import names one group
                // in each message, and all members of the group follow from each that is unsure of it.
                let touches = |object: &_, named: &_| attempted.touches_first(EntryId(entry), object, named);
                new.push(self.queue.outgoing(&message.replaced(&self.model, run.now, touches), false));
            }
            replaced.insert(place);
        }
        self.queue.send_work(new, run).await.map_or_else(|_| BTreeSet::new(), |()| replaced)
    }
}
