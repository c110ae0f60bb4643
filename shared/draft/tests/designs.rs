//! The drafts of nineteen designs, compared with the models that people wrote for them. The scores are the floor: a
//! change of the algorithm that loses an item type, a parent or a guard shows here.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where it cannot go on")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use instep_draft::{Draft, Schema, SchemaIndex, draft};
use instep_model::{Identity, Item, Key, Model, Value};
use serde_json::Value as Json;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The designs: a name, the model, and the files of writes.
fn designs() -> Vec<(String, Model, Vec<PathBuf>)> {
    let folders = |folder: &str| {
        let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    };
    let files = |folder: &Path| {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    };
    let mut designs = Vec::new();
    for folder in folders("tests/writes") {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let own = || Model::load(&root().join("events").join(&name).join("model.toml")).unwrap();
        let model = Model::shipped(&name).unwrap_or_else(own);
        designs.push((name, model, files(&folder)));
    }
    for folder in folders("tests/foreign") {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        designs.push((name, Model::load(&folder.join("model.toml")).unwrap(), vec![folder.join("writes.json")]));
    }
    designs.push((
        "teams".to_owned(),
        Model::shipped("teams").unwrap(),
        vec![root().join("examples/teams/writes.json")],
    ));
    let tables = root().join("shared/draft/tests/tables");
    let libraries = ["electrodb", "onetable", "toolbox"].map(|name| (name, root().join("tests/dev/libraries")));
    for (name, folder) in libraries.into_iter().chain([("clinics", tables.clone())]) {
        let model = Model::load(&folder.join(format!("{name}.toml"))).unwrap();
        designs.push((name.to_owned(), model, vec![tables.join(format!("{name}.json"))]));
    }
    designs
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null(true),
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => Value::N(number.to_string()),
        Json::String(text) => Value::S(text.clone()),
        Json::Array(values) => Value::L(values.iter().map(value).collect()),
        Json::Object(map) => match map.iter().next() {
            Some((tag, json)) if tag == "$n" => Value::N(json.as_str().unwrap().to_owned()),
            Some((tag, json)) if tag.starts_with('$') => {
                Value::Ss(json.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect())
            }
            _ => Value::M(item(json)),
        },
    }
}

fn item(json: &Json) -> Item {
    json.as_object().into_iter().flatten().map(|(name, json)| (name.clone(), value(json))).collect()
}

/// The images that a file of writes has, with those of its updates.
fn images(files: &[PathBuf], schema: &Schema) -> Vec<Item> {
    let mut images: Vec<Item> = Vec::new();
    let mut present: BTreeMap<[Option<Value>; 2], Item> = BTreeMap::new();
    for file in files {
        let steps: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let writes = steps.iter().flat_map(|step| step["transact"].as_array().cloned().unwrap_or(vec![step.clone()]));
        for write in writes {
            let key = |item: &Item| [item.get(&schema.pk).cloned(), item.get(&schema.sk).cloned()];
            let image = if write["put"].is_object() {
                item(&write["put"])
            } else if write["update"].is_object() {
                let of = item(&write["update"]["key"]);
                let mut image = present.get(&key(&of)).cloned().unwrap_or(of);
                image.extend(item(&write["update"]["set"]));
                image
            } else {
                continue;
            };
            present.insert(key(&image), image.clone());
            images.push(image);
        }
    }
    images
}

fn schema(model: &Model) -> Schema {
    let index = |index: &instep_model::Index| SchemaIndex {
        name: index.name.clone(),
        pk: index.pk.first().unwrap().clone(),
        sk: index.sk.as_ref().and_then(|sk| sk.first()).cloned(),
    };
    let indexes = model.indexes.iter().map(index).collect();
    let (pk, sk) = (model.table.pk.clone(), model.table.sk.clone());
    Schema { pk, sk, indexes, is_described: true, ..Schema::default() }
}

/// A key's two templates, with a number for each different name and without transforms.
fn shape(pk: &str, sk: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut shape = String::new();
    for part in format!("{pk} / {sk}").split('{') {
        let Some((name, rest)) = part.split_once('}') else {
            shape.push_str(part);
            continue;
        };
        let name = name.split('|').next().unwrap().to_owned();
        let place = names.iter().position(|known| *known == name).unwrap_or(names.len());
        if place == names.len() {
            names.push(name);
        }
        shape.push_str(&format!("{{{place}}}{rest}"));
    }
    shape
}

fn shapes(model: &Model) -> Vec<BTreeSet<String>> {
    let forms =
        |forms: &[instep_model::KeyForm]| forms.iter().map(|form| shape(form.pk.source(), form.sk.source())).collect();
    model.items.iter().map(|item| forms(&item.forms)).collect()
}

/// The relations of one kind, as pairs of item types.
type Pairs = BTreeSet<(usize, usize)>;

fn parents(model: &Model) -> Pairs {
    let parents = model.links.iter().filter(|link| link.deleted_with && !model.is_of_owner(link));
    parents.map(|link| (link.from.0, link.to.0)).collect()
}

fn guards(model: &Model) -> Pairs {
    let owner = |(at, item): (usize, &instep_model::ItemType)| Some((at, item.guard.as_ref()?.owner.0));
    model.items.iter().enumerate().filter_map(owner).collect()
}

fn grants(model: &Model) -> Pairs {
    model.items.iter().enumerate().filter(|(_, item)| item.grant.is_some()).map(|(at, _)| (at, at)).collect()
}

/// One line of scores.
fn scores(name: &str, model: &Model, items: &[Item], draft: &Draft) -> String {
    let key = |item: &Item| {
        let text = |name: &str| item.get(name)?.as_s().map(str::to_owned);
        Some(Key { pk: text(&model.table.pk)?, sk: text(&model.table.sk)? })
    };
    let of = |key: Key| match model.identify(&key) {
        Identity::Item { object, .. } => Some(object.of.0),
        Identity::Bookkeeping | Identity::Unknown { .. } => None,
    };
    let seen: BTreeSet<usize> = items.iter().filter_map(key).filter_map(of).collect();
    let (theirs, own) = (shapes(model), shapes(&draft.model));
    // By item type of the draft: that of the model.
    let mut pairs: BTreeMap<usize, usize> = BTreeMap::new();
    for at in &seen {
        // Two item types of the draft can be two spellings of one.
        for (found, shapes) in own.iter().enumerate() {
            if theirs.get(*at).is_some_and(|theirs| !theirs.is_disjoint(shapes)) {
                pairs.entry(found).or_insert(*at);
            }
        }
    }
    let compared = |what: &str, of: &dyn Fn(&Model) -> Pairs| {
        let wanted: Pairs =
            of(model).into_iter().filter(|(one, other)| seen.contains(one) && seen.contains(other)).collect();
        let as_theirs = |at: usize| pairs.get(&at).copied().unwrap_or(usize::MAX - at);
        let drafted: Pairs =
            of(&draft.model).into_iter().map(|(one, other)| (as_theirs(one), as_theirs(other))).collect();
        let right = drafted.intersection(&wanted).count();
        format!("{what} {right}/{} +{}", wanted.len(), drafted.len() - right)
    };
    let types = pairs.values().collect::<BTreeSet<_>>().len();
    format!(
        "{name:22} types {types}/{} of {} | {} | {} | {} | refused {}\n",
        seen.len(),
        draft.model.items.len(),
        compared("parents", &parents),
        compared("guards", &guards),
        compared("grants", &grants),
        draft.refused
    )
}

/// `types`: right of those in the writes, of those in the draft. The others: right, and `+` too many.
#[test]
fn the_designs_keep_their_scores() {
    let mut text = String::new();
    for (name, model, files) in designs() {
        let items = images(&files, &schema(&model));
        let draft = draft(&name, &schema(&model), items.clone()).unwrap();
        text += &scores(&name, &model, &items, &draft);
    }
    expect_file!["scores.txt"].assert_eq(&text);
}
