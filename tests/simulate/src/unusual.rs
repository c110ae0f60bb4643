//! Item types that refer to others in ways that the other random designs do not draw. Only strange models have them:
//! further draws would change what the seeds of the other worlds mean.

use crate::designs::DrawnModel;

impl DrawnModel<'_> {
    /// Each of these item types now and then.
    pub(crate) fn unusual(&mut self) {
        let parts: [fn(&mut Self); 14] = [
            Self::notes,
            Self::pages,
            Self::drafts,
            Self::streets,
            Self::badges,
            Self::passes,
            Self::permits,
            Self::jobs,
            Self::spots,
            Self::tours,
            Self::handles,
            Self::desks,
            Self::guests,
            Self::sessions,
        ];
        for part in parts {
            if self.often(300) {
                part(self);
            }
        }
    }

    /// A note belongs to a team or to a person, as its own name says.
    fn notes(&mut self) {
        let pk = self.key("pk", "NOTE", "noteId");
        self.line(&format!(
            "[oneof.Owner]\nby = \"about\"\nteam = {{ type = \"Team\", teamId = \"{{owner}}\" }}\n\
             person = {{ type = \"Person\", personId = \"{{owner}}\" }}\n[items.Note]\n{pk}\nsk = \"NOTE\"\n\
             GSI1 = {{ pk = \"{{about}}{0}{{owner}}\", sk = \"NOTE{0}{{noteId}}\" }}\n\
             values.about = [\"team\", \"person\", \"nobody\"]\nentity = \"Note\"\nparent = \"Owner\"",
            self.sep
        ));
    }

    /// A page names its team inside another attribute. That may be the key of an index.
    fn pages(&mut self) {
        let pk = self.key("pk", "PAGE", "pageId");
        let index = self.one(&["", "GSI1 = { pk = \"{urn}\", sk = \"PAGE\" }"]);
        self.line(&format!(
            "[names.urn]\nlike = \"urn:{{place}}:{{teamId}}\"\n[items.Thing]\n{}\nsk = \"THING\"\n[items.Page]\n{pk}\n\
             sk = \"PAGE\"\n{index}\nentity = \"Page\"\n\
             parent = {{ type = \"Team\", teamId = \"{{teamId}}\", find = \"back-reference\" }}",
            self.key("pk", "THING", "urn"),
        ));
    }

    /// Only a sweep finds the drafts of a team. The team is in one of two attributes.
    fn drafts(&mut self) {
        let pk = self.key("pk", "DRAFT", "draftId|urlencode");
        self.line(&format!(
            "[names.unit]\nattribute = [\"unit\", \"formerUnit\"]\n[items.Draft]\n{pk}\nsk = \"DRAFT\"\n\
             parent = {{ type = \"Team\", teamId = \"{{unit}}\", find = \"sweep\" }}"
        ));
    }

    /// A permit is for a team or for another person. It waits for either.
    fn permits(&mut self) {
        let pk = self.key("pk", "P", "personId");
        self.line(&format!(
            "[oneof.Realm]\nby = \"realm\"\nteam = {{ type = \"Team\", teamId = \"{{in}}\" }}\n\
             person = {{ type = \"Person\", personId = \"{{in}}\" }}\n[items.Permit]\n{pk}\n\
             sk = \"PERMIT{0}{{realm}}{0}{{in}}\"\nparent = \"Person\"\n\
             grant = {{ subject = \"Person\", scope = {{ type = \"Realm\", find = \"back-reference\" }} }}\n\
             cognito.member = {{ user = \"Person\", group = \"permit|{{realm}}|{{in}}\" }}",
            self.sep
        ));
    }

    /// A job has a time before its id. Its remarks and shares know the rest of its key: several jobs with one id
    /// count as one.
    fn jobs(&mut self) {
        let team = self.key("pk", "T", "teamId");
        let index = self.one(&["", "", "GSI1 = { pk = \"JOB:{jobId}\", sk = \"{made}\" }"]);
        let (pk, known) = if index.is_empty() {
            (team.clone(), "teamId = \"{teamId}\", ")
        } else {
            (self.key("pk", "R", "jobId"), "")
        };
        let find = if index.is_empty() { self.one(&["", ", find = \"back-reference\""]) } else { "" };
        let job = format!("{{ type = \"Job\", {known}jobId = \"{{jobId}}\"{find} }}");
        self.line(&format!(
            "[items.Job]\n{team}\nsk = \"JOB{0}{{made}}{0}{{jobId}}\"\n{index}\nentity = \"Job\"\nparent = \"Team\"\n\
             [items.Remark]\n{pk}\nsk = \"REMARK{0}{{jobId}}{0}{{remarkId}}\"\nparent = {job}",
            self.sep
        ));
        if self.often(500) {
            let pk = self.key("pk", "P", "personId");
            let job = format!("{{ type = \"Job\", {known}jobId = \"{{jobId}}\", find = \"back-reference\" }}");
            let said = self.one(&["parent = JOB\ngrant = { ", "grant = { scope = JOB, "]).replace("JOB", &job);
            self.line(&format!(
                "[items.Share]\n{pk}\nsk = \"SHARE{0}{{teamId}}{0}{{jobId}}\"\n\
                 {said}subject = \"Person\", roles = \"role\" }}\n\
                 cognito.member = {{ user = \"Person\", group = \"job|{{teamId}}|{{jobId}}\" }}",
                self.sep
            ));
        }
    }

    /// A spot has a number in older keys. Its pins name it in either way.
    fn spots(&mut self) {
        let pk = self.key("pk", "PIN", "pinId");
        self.line(&format!(
            "[items.Spot]\npk = [\"SPOT{0}{{spotId}}\", \"OLD{0}{{number|pad:4}}\"]\nsk = \"SPOT\"\nentity = \"Spot\"\n\
             [items.Pin]\n{pk}\nsk = \"PIN\"\nentity = \"Pin\"\n\
             parent = {{ type = \"Spot\", spotId = \"{{spot}}\", number = \"{{number}}\", find = \"back-reference\" }}",
            self.sep
        ));
    }

    /// Guests of a team sign up themselves. A guest's `sub` is in the key, or in an attribute: then several guests of a
    /// team may be one account.
    fn guests(&mut self) {
        // The loader refuses these two together.
        if self.has("users = \"remove\"") {
            return;
        }
        let (pk, sk) = (self.key("pk", "T", "teamId"), self.key("sk", "GUEST", self.one(&["guestId", "tokenId"])));
        let when = self.one(&["", "", ", when = { state = \"on\" }"]);
        let grant = self.one(&["", "grant = { subject = \"Guest\", scope = \"Team\", until = \"closes\" }\n"]);
        self.line(&format!(
            "[items.Guest]\n{pk}\n{sk}\nentity = \"Guest\"\nparent = \"Team\"\n{grant}\
             cognito.member = {{ user = {{ sub = \"{{tokenId}}\" }}, group = \"guest|{{teamId}}\"{when} }}"
        ));
    }

    /// Whoever loses a membership is signed out.
    fn sessions(&mut self) {
        self.replace("{ user = ", "{ sign_out = true, user = ");
    }

    /// A tour gives a person tasks, of which each is an item: known by its whole key, by a part of it, or by an id that
    /// only an index has.
    fn tours(&mut self) {
        // The fixed values of a name `role` would be those of the tasks, too.
        if self.role == "role" {
            return;
        }
        let of_part = format!("{}\n{}", self.key("pk", "AREA", "areaId"), self.key("sk", "TASK", "taskId"));
        let index = self.index("GSI1", ("TASK", "taskId"), ("AREA", "areaId"));
        let task = match self.one(&["whole", "addressed", "indexed", "beside its key"]) {
            "whole" => format!("{}\nsk = \"TASK\"", self.key("pk", "TASK", "taskId")),
            "addressed" => of_part,
            "indexed" => format!("{of_part}\n{index}"),
            _ => format!("{}\nsk = \"TASK\"\n{index}", self.key("pk", "AREA", "areaId")),
        };
        let values = self.one(&["values.taskId = [\"r1\", \"r2\"]", "values.taskId = [\"r1\", \"r2\", \"r3\"]"]);
        let (pk, sk) = (self.key("pk", "P", "personId"), self.key("sk", "TOUR", "tourId"));
        let (roles, one) = match self.one(&["list", "list", "one"]) {
            "list" => ("tasks", ""),
            _ => ("{task}", "values.task = [\"r1\", \"r2\"]\n"),
        };
        let role = self.one(&["Task", "Task", "Task", "Task?"]);
        self.line(&format!(
            "[items.Task]\n{task}\n{values}\nentity = \"Task\"\n[items.Tour]\n{pk}\n{sk}\nparent = \"Person\"\n\
             {one}[items.Tour.grant]\nsubject = \"Person\"\nroles = \"{roles}\"\n\
             role = {{ type = \"{role}\", taskId = \"{{role}}\" }}\n[items.Tour.cognito]\n\
             member = {{ user = \"Person\", group = \"tour|{{tourId}}|{{role}}\" }}"
        ));
    }

    /// Handles name the person that has them. In some models a person claims the one that its own item names.
    fn handles(&mut self) {
        let pk = self.key("pk", "HANDLE", "handle");
        let (index, find) = match self.one(&["noted", "noted", "indexed"]) {
            "indexed" => (self.index("GSI2", ("P", "holder"), ("HANDLE", "handle")), "query"),
            _ => (String::new(), "back-reference"),
        };
        let claims = self.one(&["claims = []", "claims = []", "claims = { handle = \"{handle}\" }"]);
        self.line(&format!(
            "[items.Handle]\n{pk}\nsk = \"HANDLE\"\n{index}\n{claims}\n\
             guard = {{ owner = \"Person\", by = {{ personId = \"holder\" }}, find = \"{find}\" }}"
        ));
    }

    /// A person has one desk, and is a member of its group.
    fn desks(&mut self) {
        let (pk, sk) = (self.key("pk", "T", "teamId"), self.key("sk", "DESK", "personId"));
        let takes = self.one(&["", "", ", takes = \"team\""]);
        let only = self.key("pk", "ONE", "personId");
        self.line(&format!(
            "[items.Desk]\n{pk}\n{sk}\n\
             edge = {{ team = \"Team\", person = {{ type = \"Person\", find = \"back-reference\" }}, unique = \"person\"{takes} }}\n\
             cognito.member = {{ user = \"Person\", group = \"desk|{{teamId}}\" }}\n\
             [items.Only]\n{only}\nsk = \"DESK\"\nguard = {{ owner = \"Desk\" }}"
        ));
    }

    /// Streets belong to towns, of which one needs no item.
    fn streets(&mut self) {
        let (town, street) = (self.key("pk", "TOWN", "townId"), self.key("sk", "STREET", "streetId"));
        self.line(&format!(
            "[items.Town]\n{town}\nsk = \"TOWN\"\nassumed = [{{ townId = \"root\" }}]\n\
             [items.Street]\n{town}\n{street}\nentity = \"Street\"\nparent = \"Town\""
        ));
    }

    /// The groups of badges are created by people, who call them by the same ids: no other group has such a name.
    fn badges(&mut self) {
        let (pk, sk) = (self.key("pk", "P", "personId"), self.key("sk", "BADGE", "badgeId"));
        self.line(&format!(
            "[items.Badge]\n{pk}\n{sk}\nvalues.badgeId = [\"a\", \"b\", \"c\"]\nparent = \"Person\"\n\
             cognito.member = {{ user = \"Person\", group = \"{{badgeId}}\", made = \"by-hand\" }}"
        ));
    }

    /// A pass grants a role that its key names, in a team that need not exist.
    fn passes(&mut self) {
        let pk = self.key("pk", "P", "personId");
        self.line(&format!(
            "[items.Pass]\n{pk}\nsk = \"PASS{0}{{teamId}}{0}{{rank}}\"\nparent = \"Person\"\n\
             [items.Pass.grant]\nsubject = \"Person\"\nroles = \"pass-{{rank}}\"\n\
             scope = {{ type = \"Team?\" }}\n[items.Pass.cognito]\n\
             member = {{ user = \"Person\", group = \"pass|{{teamId}}|{{rank}}\" }}",
            self.sep
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::chance::Chance;
    use crate::designs::unchanged;

    /// Only words that are changed may lead to a refusal.
    #[test]
    fn unusual_models_are_accepted() {
        for seed in 0..200 {
            let text = unchanged(&Chance::new(seed));
            let refused = instep_model::Model::parse("unusual.toml", &text).err();
            assert!(refused.is_none(), "{}\n{text}", refused.map(|errors| format!("{errors:?}")).unwrap_or_default());
        }
    }
}
