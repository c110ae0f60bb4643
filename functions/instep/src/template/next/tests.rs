//! Random changes of models, deployed step by step on a stack that answers as AWS does. What AWS does is written down
//! here once more, by its documents, and shares nothing with the rules of the steps: it reads templates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use instep_console::model_source::ModelSource;
use serde_json::Value;

use super::super::form::Form;
use super::super::history::DeployedTemplate;
use super::super::stack::WantedStack;
use super::super::yaml;
use super::{NextTemplate, next};
use crate::cli::template::{NewResource, OfModel, StackArgs};

/// Numbers that look random, and are the same in each run.
struct Dice(u64);

impl Dice {
    /// A number below `count`.
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

/// How a model names its users.
#[derive(Clone, Copy, PartialEq)]
enum Users {
    /// It uses nothing of Cognito.
    NoPool,
    /// It has groups alone.
    None,
    Lower,
    AnyCase,
}

/// A random model, as far as it matters to a stack.
#[derive(Clone)]
struct Design {
    pk: &'static str,
    /// The sort key of each index, and whether the model queries it.
    indexes: BTreeMap<&'static str, (bool, bool)>,
    ttl: &'static str,
    users: Users,
    attributes: BTreeSet<&'static str>,
}

impl Design {
    fn random(dice: &mut Dice) -> Self {
        let mut indexes = BTreeMap::new();
        for name in ["GSA", "GSB", "GSC", "GSD", "GSE"] {
            if dice.one_in(2) {
                // Mostly the same, so that not every change is refused.
                indexes.insert(name, ((name < "GSC") ^ dice.one_in(12), !dice.one_in(3)));
            }
        }
        let users = match dice.below(12) {
            0 => Users::NoPool,
            1 => Users::None,
            2..5 => Users::AnyCase,
            _ => Users::Lower,
        };
        let attributes = ["x", "y", "z"].into_iter().filter(|_| dice.one_in(2)).collect();
        let pk = if dice.one_in(60) { "KEY" } else { "PK" };
        Self { pk, indexes, ttl: if dice.one_in(3) { "expires" } else { "ttl" }, users, attributes }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "model = \"m\"\n[table]\npk = \"{}\"\nsk = \"SK\"\nttl = \"{}\"\n[items.Org]\npk = \"ORG#{{org}}\"\n\
             sk = \"ORG\"\nentity = \"Org\"\nevents = [\"email\"]\n",
            self.pk, self.ttl
        );
        if self.users != Users::NoPool {
            text += "cognito.groups = \"g:{org}\"\n";
        }
        for (name, (sorted, queried)) in &self.indexes {
            let sort = |what: &str| if *sorted { what.to_owned() } else { String::new() };
            let partition = if *queried { "ORG#{org}" } else { "ALL" };
            text += &format!(
                "[indexes.{name}]\npk = \"{name}P\"\n{}[items.Note{name}]\npk = \"N{name}#{{id}}\"\nsk = \"N\"\n\
                 {name} = {{ pk = \"{partition}\"{} }}\nentity = \"Note{name}\"\nevents = [\"email\"]\n",
                sort(&format!("sk = \"{name}S\"\n")),
                sort(", sk = \"N#{id}\""),
            );
            if *queried {
                text += "parent = \"Org\"\n";
            }
        }
        let name = match self.users {
            Users::NoPool | Users::None => return text,
            Users::Lower => "{id|lower}",
            Users::AnyCase => "{id}",
        };
        let attributes: Vec<String> =
            self.attributes.iter().map(|of| format!("\"custom:{of}\" = \"{{{of}}}\"")).collect();
        text + &format!(
            "[items.User]\npk = \"USER#{{id}}\"\nsk = \"USER\"\nentity = \"User\"\nevents = [\"email\"]\n\
             cognito.user = {{ name = \"{name}\", attributes = {{ {} }} }}\n",
            attributes.join(", ")
        )
    }

    fn queries(&self) -> BTreeSet<&str> {
        self.indexes.iter().filter(|(_, (_, queried))| *queried).map(|(name, _)| *name).collect()
    }
}

/// The file of a design, in a folder of its own.
fn write(design: &Design, at: &Path, count: usize) -> PathBuf {
    let folder = at.join(format!("model-{count}"));
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("m.toml");
    std::fs::write(&file, design.text()).unwrap();
    file
}

fn args(design: &Design, file: &Path, sam: bool) -> StackArgs {
    let mut create = vec![NewResource::Table, NewResource::Bus];
    create.extend((design.users != Users::NoPool).then_some(NewResource::Pool));
    StackArgs {
        of: OfModel { model: file.to_str().unwrap().to_owned() },
        create: if sam { Vec::new() } else { create },
        consumer: false,
        archive: false,
        snapshots: None,
        routes: None,
        api: Vec::new(),
        alarm_topic: false,
        dashboard: false,
        tokens: false,
        sam,
        out: sam.then(|| file.ancestors().nth(2).unwrap().join("template.yaml")),
        force: false,
        against: None,
        fresh: false,
    }
}

/// A stack of AWS.
struct Aws<'a> {
    template: Value,
    /// The model in the archive or folder of a layer.
    models: &'a BTreeMap<String, Design>,
    /// The index that is being created.
    creating: Option<String>,
    /// Minutes since the time to live was changed.
    ttl_age: u32,
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| yaml::read(text).unwrap())
}

/// What tells a layer from another one.
fn layer(template: &Value) -> String {
    let properties = &template["Resources"]["ModelLayer"]["Properties"];
    let plain = properties["Content"]["S3Key"]["Fn::Sub"].as_str();
    plain.or(properties["ContentUri"].as_str()).unwrap().to_owned()
}

fn index_keys(table: &Value) -> BTreeMap<String, &Value> {
    let indexes = table["GlobalSecondaryIndexes"].as_array().into_iter().flatten();
    indexes.map(|index| (index["IndexName"].as_str().unwrap().to_owned(), &index["KeySchema"])).collect()
}

fn ttl(table: &Value) -> (&str, bool) {
    let ttl = &table["TimeToLiveSpecification"];
    (ttl["AttributeName"].as_str().unwrap(), ttl["Enabled"] == true)
}

impl Aws<'_> {
    fn properties(template: &Value, resource: &str) -> Value {
        template["Resources"][resource]["Properties"].clone()
    }

    /// An update of the stack.
    fn update(&mut self, template: &Value) -> Result<(), String> {
        if template["Resources"] == self.template["Resources"] {
            return Err("No updates are to be performed".to_owned());
        }
        let (old, new) = (Self::properties(&self.template, "Table"), Self::properties(template, "Table"));
        let created = self.update_table(template, &old, &new)?;
        let (old_ttl, new_ttl) = (ttl(&old), ttl(&new));
        if old_ttl != new_ttl {
            if old_ttl.1 && new_ttl.1 {
                return Err("TimeToLive is active on a different AttributeName".to_owned());
            }
            if old_ttl.1 && old_ttl.0 != new_ttl.0 {
                return Err("time to live is disabled by the attribute that it has".to_owned());
            }
            if self.ttl_age < 60 {
                return Err("Time to live has been modified multiple times within a fixed interval".to_owned());
            }
            self.ttl_age = 0;
        }
        let pools = (&self.template["Resources"]["UserPool"], &template["Resources"]["UserPool"]);
        if pools.0.is_object() && pools.1.is_object() {
            Self::update_pool(&pools.0["Properties"], &pools.1["Properties"])?;
        }
        let model = &self.models[&layer(template)];
        let ready = index_keys(&new);
        for name in model.queries() {
            if !ready.contains_key(name) || created.as_deref() == Some(name) || self.creating.as_deref() == Some(name) {
                return Err(format!("Cannot read from backfilling global secondary index: {name}"));
            }
        }
        if pools.1["Properties"]["UsernameConfiguration"]["CaseSensitive"] == false && model.users == Users::AnyCase {
            return Err("two items share a user".to_owned());
        }
        self.creating = created.or(self.creating.take());
        self.template = template.clone();
        Ok(())
    }

    /// The index that is created by an update.
    fn update_table(&self, template: &Value, old: &Value, new: &Value) -> Result<Option<String>, String> {
        if old["KeySchema"] != new["KeySchema"] {
            return Err("the table is replaced".to_owned());
        }
        let (there, wanted) = (index_keys(old), index_keys(new));
        if there.iter().any(|(name, keys)| wanted.get(name).is_some_and(|other| other != keys)) {
            return Err("Cannot update GSI's properties other than Provisioned Throughput".to_owned());
        }
        let created: Vec<&String> = wanted.keys().filter(|name| !there.contains_key(*name)).collect();
        let count = created.len() + there.keys().filter(|name| !wanted.contains_key(*name)).count();
        if count > 1 {
            return Err("Cannot perform more than one GSI creation or deletion in a single update".to_owned());
        }
        if count == 1 {
            if self.creating.is_some() {
                return Err("an index is being created".to_owned());
            }
            let mut other = template["Resources"].clone();
            for part in ["GlobalSecondaryIndexes", "AttributeDefinitions"] {
                let mut before = self.template["Resources"]["Table"]["Properties"][part].clone();
                std::mem::swap(&mut other["Table"]["Properties"][part], &mut before);
                if self.template["Resources"]["Table"]["Properties"].get(part).is_none() {
                    other["Table"]["Properties"].as_object_mut().unwrap().remove(part);
                }
            }
            if other != self.template["Resources"] {
                return Err("something else changes with an index".to_owned());
            }
        }
        let schemas = wanted.values().copied().chain([&new["KeySchema"]]);
        let keys: BTreeSet<&str> = schemas
            .flat_map(|keys| keys.as_array().unwrap())
            .map(|key| key["AttributeName"].as_str().unwrap())
            .collect();
        let defined = new["AttributeDefinitions"].as_array().unwrap().iter();
        if defined.map(|one| one["AttributeName"].as_str().unwrap()).collect::<Vec<_>>()
            != keys.into_iter().collect::<Vec<_>>()
        {
            return Err("Number of attributes in KeySchema does not match AttributeDefinitions".to_owned());
        }
        Ok(created.first().map(|name| (*name).clone()))
    }

    fn update_pool(old: &Value, new: &Value) -> Result<(), String> {
        if ["UsernameConfiguration", "AliasAttributes", "UsernameAttributes"].iter().any(|name| old[name] != new[name])
        {
            return Err("Updates are not allowed for property - UsernameConfiguration".to_owned());
        }
        let empty = Vec::new();
        let schema = |of: &Value| of["Schema"].as_array().unwrap_or(&empty).clone();
        let (there, wanted) = (schema(old), schema(new));
        if !wanted.starts_with(&there) {
            return Err("Existing schema attributes cannot be modified or deleted".to_owned());
        }
        if wanted.len() > 50 || wanted.iter().any(|entry| entry["AttributeDataType"] != "String") {
            return Err("the schema is not valid".to_owned());
        }
        Ok(())
    }

    /// Whether no sequence of templates leads to a design, whatever its order.
    fn excludes(&self, design: &Design) -> bool {
        let table = Self::properties(&self.template, "Table");
        let keys = index_keys(&table);
        let differs = |(name, (sorted, _)): (&&str, &(bool, bool))| {
            keys.get(*name).is_some_and(|keys| (keys.as_array().unwrap().len() == 2) != *sorted)
        };
        let folds = Self::properties(&self.template, "UserPool")["UsernameConfiguration"]["CaseSensitive"] == false;
        table["KeySchema"][0]["AttributeName"] != design.pk
            || design.indexes.iter().any(differs)
            || folds && design.users == Users::AnyCase
    }

    /// Whether the stack is as a new one of the design would be, apart from what a pool keeps.
    fn is_that_of(&self, design: &Design) -> bool {
        let table = Self::properties(&self.template, "Table");
        let pool = Self::properties(&self.template, "UserPool");
        let attributes: BTreeSet<&str> =
            pool["Schema"].as_array().into_iter().flatten().map(|entry| entry["Name"].as_str().unwrap()).collect();
        let has_users = matches!(design.users, Users::Lower | Users::AnyCase);
        index_keys(&table).keys().map(String::as_str).eq(design.indexes.keys().copied())
            && ttl(&table) == (design.ttl, true)
            && self.models[&layer(&self.template)].text() == design.text()
            && pool.is_object() == (design.users != Users::NoPool)
            && (!has_users || design.attributes.is_subset(&attributes) && attributes.contains("instep"))
    }

    /// A person does what the command says.
    fn wait(&mut self, told: &str) {
        self.ttl_age += if told.contains("an hour") { 61 } else { 5 };
        if told.contains("until the index is ACTIVE") {
            self.creating = None;
        }
    }
}

/// A few changes of one stack.
struct World {
    designs: Vec<Design>,
    files: Vec<PathBuf>,
    models: BTreeMap<String, Design>,
    sam: bool,
}

#[derive(Default)]
struct Seen {
    refused: usize,
    naive_refused: usize,
    changes: usize,
    most: usize,
}

impl World {
    fn new(dice: &mut Dice, at: &Path, sam: bool) -> Self {
        let designs: Vec<Design> = (0..4).map(|_| Design::random(dice)).collect();
        let files: Vec<PathBuf> = designs.iter().enumerate().map(|(count, design)| write(design, at, count)).collect();
        let mut world = Self { designs, files, models: BTreeMap::new(), sam };
        for count in 0..world.designs.len() {
            let fresh = read(&world.fresh(count));
            world.models.insert(layer(&fresh), world.designs[count].clone());
        }
        world
    }

    fn with<T>(&self, count: usize, then: impl FnOnce(&WantedStack<'_>) -> T) -> T {
        let (design, file) = (&self.designs[count], &self.files[count]);
        let args = args(design, file, self.sam);
        then(&WantedStack::new(&ModelSource::File(file.clone()), &args).unwrap())
    }

    fn fresh(&self, count: usize) -> String {
        self.with(count, |stack| stack.text(&stack.new_parts()).unwrap())
    }

    fn history(&self, text: &str) -> DeployedTemplate {
        let beside = self.files[0].ancestors().nth(2).unwrap().join("template.yaml");
        DeployedTemplate::of(&beside, text.to_owned()).unwrap().unwrap()
    }

    fn next(&self, count: usize, text: &str) -> miette::Result<(NextTemplate, String)> {
        let history = self.history(text);
        let form = if self.sam { Form::Sam } else { Form::Plain };
        let next = self.with(count, |stack| next(stack, &history))?;
        let told = next.told(&history, form).join("\n");
        Ok((next, told))
    }

    /// Deploys the change to one design after the other. Some are given up on the way.
    fn run(&self, dice: &mut Dice, seen: &mut Seen) {
        let mut text = self.fresh(0);
        let mut aws = Aws { template: read(&text), models: &self.models, creating: None, ttl_age: 9999 };
        for count in 1..self.designs.len() {
            let design = &self.designs[count];
            seen.changes += 1;
            let mut naive = Aws { template: aws.template.clone(), creating: aws.creating.clone(), ..aws };
            seen.naive_refused += usize::from(naive.update(&read(&self.fresh(count))).is_err());
            let first = self.next(count, &text);
            assert_eq!(first.is_err(), aws.excludes(design), "{:?}\n{}", first.err(), design.text());
            let Ok((first, _)) = first else {
                seen.refused += 1;
                continue;
            };
            let all = first.steps.len();
            seen.most = seen.most.max(all);
            assert!(all <= 12, "five indexes come, five go, and two steps more");
            let deployed = if dice.one_in(4) { dice.below(all as u64 + 1) as usize } else { all };
            for step in 0..deployed {
                let (next, told) = self.next(count, &text).unwrap();
                assert_eq!(next.steps.len(), all - step, "each step is one less: {told}");
                assert!(told.starts_with(&format!("Step {} of {all}: ", step + 1)), "{told}");
                let template = read(&next.text);
                let metadata = &template["Metadata"]["Instep"]["Step"];
                let expected = if step + 1 == all { Value::Null } else { format!("{} of {all}", step + 1).into() };
                assert_eq!(*metadata, expected);
                if let Err(why) = aws.update(&template) {
                    panic!("{why}: {told}\n{}\n---\n{}", self.designs[count - 1].text(), design.text());
                }
                aws.wait(&told);
                text = next.text;
            }
            if deployed == all {
                let (next, told) = self.next(count, &text).unwrap();
                assert!(next.steps.is_empty() && told.starts_with("Nothing changes"), "{told}");
                assert!(aws.is_that_of(design), "{}", design.text());
                if !next.text.contains("Kept") {
                    assert_eq!(next.text, self.fresh(count), "what is complete is as new");
                }
                if all > 0 {
                    assert_eq!(next.text, text, "and is what was deployed");
                }
            }
        }
    }
}

fn worlds(count: u64, sam: bool) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..count {
        let mut dice = Dice(seed * 7919 + u64::from(sam));
        let at = tempfile::tempdir().unwrap();
        World::new(&mut dice, at.path(), sam).run(&mut dice, &mut seen);
    }
    seen
}

/// Each template is accepted by a stack that has got those before it, and the last one leaves what a new stack would
/// have. What is refused is what no sequence of templates does.
#[test]
fn every_step_is_accepted_and_the_last_one_leads_to_the_new_model() {
    let seen = worlds(12, false);
    assert!(seen.refused * 2 < seen.changes && seen.refused > 0, "{} of {}", seen.refused, seen.changes);
    assert!(
        seen.naive_refused * 10 > seen.changes * 8,
        "AWS would refuse most of them at once: {}",
        seen.naive_refused
    );
    assert!(seen.most >= 5, "{}", seen.most);
}

#[test]
fn so_it_is_in_the_form_for_sam() {
    let seen = worlds(4, true);
    assert!(seen.refused * 2 < seen.changes, "{} of {}", seen.refused, seen.changes);
}
