//! How often something happens, and which of several actions is chosen.

use crate::chance::Chance;

/// How often something happens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Odds {
    thousandths: usize,
}

impl Odds {
    /// As often as not.
    pub(crate) const EVEN: Self = Self::percent(50);

    /// In so many of a hundred cases.
    pub(crate) const fn percent(percent: usize) -> Self {
        Self { thousandths: 10 * percent }
    }

    /// Draws whether it happens.
    pub(crate) fn draw(self, chance: &Chance) -> bool {
        chance.of_thousand(self.thousandths)
    }
}

/// A choice between several actions. The default is what a draw beyond all shares would mean.
pub(crate) trait Choice: Copy + Default + 'static {
    /// All actions. The order decides which draw means which action.
    const ALL: &'static [Self];

    /// How many shares the action has. Its odds are its shares of the shares of all actions.
    fn shares(self) -> usize;

    /// Draws an action.
    fn draw(chance: &Chance) -> Self {
        let mut drawn = chance.below(Self::ALL.iter().map(|action| action.shares()).sum());
        let chosen = Self::ALL.iter().find(|action| {
            let is_it = drawn < action.shares();
            drawn = drawn.saturating_sub(action.shares());
            is_it
        });
        chosen.copied().unwrap_or_default()
    }
}
