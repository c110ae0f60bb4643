//! The templates of each group: which parts of its keys are constants, and which are values of which attributes.

use std::collections::{BTreeMap, BTreeSet};

use instep_model::{Item, Value};

use crate::groups::KeyGroup;
use crate::text::{KeyPart, ValueForm, joined};
use crate::tokens::{Facts, SampleTable, Token, TokenKind, form_of};
use crate::words::{has_id_shape, is_time, is_upper, is_word, norm};

/// What becomes item types, and the slots of all their templates.
#[derive(Debug, Default)]
pub(crate) struct Types {
    pub(crate) types: Vec<TypeGuess>,
    pub(crate) slots: Vec<ValueSlot>,
}

/// What becomes an item type.
#[derive(Debug, Default)]
pub(crate) struct TypeGuess {
    pub(crate) name: String,
    /// By their places in the table.
    pub(crate) items: Vec<usize>,
    pub(crate) pk: Vec<KeyPart>,
    pub(crate) sk: Vec<KeyPart>,
    pub(crate) indexes: Vec<IndexKeysGuess>,
    pub(crate) type_values: Vec<String>,
    /// For an edge: the labels of its two ends.
    pub(crate) ends: Vec<String>,
}

/// The templates of an index.
#[derive(Debug)]
pub(crate) struct IndexKeysGuess {
    /// By its place in the schema.
    pub(crate) index: usize,
    /// `None` for a key of the table.
    pub(crate) pk: Option<Vec<KeyPart>>,
    pub(crate) sk: Option<Vec<KeyPart>>,
    /// The number of items that have these keys.
    pub(crate) seen: usize,
}

/// A place of a value in a template.
#[derive(Debug, Default)]
pub(crate) struct ValueSlot {
    pub(crate) of: usize,
    pub(crate) is_in_index: bool,
    /// It is a whole attribute that an index uses as its key.
    pub(crate) is_plain: bool,
    /// The items, and the value of each.
    pub(crate) items: Vec<usize>,
    pub(crate) values: Vec<String>,
    pub(crate) set: BTreeSet<String>,
    /// The attributes that have this value: in how many items, and how the key spells it.
    pub(crate) attributes: BTreeMap<String, (usize, ValueForm)>,
    /// The constant before it.
    pub(crate) context: String,
    pub(crate) name: String,
    /// The end of an edge that it is a name of.
    pub(crate) end: Option<String>,
    /// Slots of one class have one name.
    pub(crate) class: usize,
}

impl TypeGuess {
    /// The slots of its key, in order.
    pub(crate) fn key_slots(&self) -> impl Iterator<Item = usize> {
        crate::text::slots(&self.pk).chain(crate::text::slots(&self.sk))
    }

    /// The slots of its index keys.
    pub(crate) fn index_slots(&self) -> impl Iterator<Item = usize> {
        self.indexes.iter().flat_map(|keys| keys.pk.iter().chain(&keys.sk)).flat_map(|parts| crate::text::slots(parts))
    }
}

/// The item types of groups. Groups whose templates turn out to be the same are one item type.
pub(crate) fn types(table: &SampleTable<'_>, groups: Vec<KeyGroup>) -> Types {
    let first = types_of(table, groups);
    let mut alike: BTreeMap<_, KeyGroup> = BTreeMap::new();
    for of in &first.types {
        alike.entry(likeness(table, &first, of)).or_default().items.extend(&of.items);
    }
    if alike.len() == first.types.len() {
        return first;
    }
    let mut groups: Vec<KeyGroup> = alike.into_values().collect();
    groups.iter_mut().for_each(|group| group.items.sort_unstable());
    types_of(table, groups)
}

/// What two groups of one item type have in common: the templates without names, how ids begin that are a whole key,
/// the type attribute, and whether both keys have one value.
fn likeness<'t>(
    table: &SampleTable<'_>,
    types: &'t Types,
    of: &'t TypeGuess,
) -> ([Vec<String>; 2], &'t [String], bool) {
    let text = |parts: &[KeyPart]| {
        let part = |part: &KeyPart| match (part, types.slots.get(slot_of(part))) {
            (KeyPart::Constant(text), _) => format!("={text}"),
            (KeyPart::Slot(_), Some(slot)) if parts.len() == 1 => {
                let heads: BTreeSet<String> = slot.set.iter().map(|id| crate::groups::beginning(id)).collect();
                heads.into_iter().collect::<Vec<_>>().join(" ")
            }
            (KeyPart::Slot(_), _) => String::new(),
        };
        parts.iter().map(part).collect()
    };
    let is_equal = |place: &usize| {
        table.items.get(*place).is_some_and(|item| {
            let [pk, sk] = table.keys(item);
            pk == sk
        })
    };
    ([text(&of.pk), text(&of.sk)], &of.type_values, of.items.iter().all(is_equal))
}

fn slot_of(part: &KeyPart) -> usize {
    match part {
        KeyPart::Slot(at) => *at,
        KeyPart::Constant(_) => usize::MAX,
    }
}

fn types_of(table: &SampleTable<'_>, groups: Vec<KeyGroup>) -> Types {
    let mut all = Types::default();
    for group in groups {
        let of = all.types.len();
        let items: Vec<(usize, &Item)> =
            group.items.iter().filter_map(|place| Some((*place, table.items.get(*place)?))).collect();
        let mut reader = Reader { table, of, is_in_index: false, slots: &mut all.slots };
        let [pk, sk] = [0, 1].map(|key| {
            let texts = items.iter().map(|(_, item)| table.keys(item).get(key).copied().unwrap_or_default().to_owned());
            let column = Column { texts: texts.collect(), items: items.clone() };
            reader.template(&column, 0)
        });
        reader.is_in_index = true;
        let indexes = (0..table.schema.indexes.len()).filter_map(|index| reader.index(index, &items)).collect();
        let types: BTreeSet<&str> = items.iter().filter_map(|(_, item)| table.type_of(item)).collect();
        let type_values = types.into_iter().map(str::to_owned).collect();
        all.types.push(TypeGuess { items: group.items, pk, sk, indexes, type_values, ..TypeGuess::default() });
    }
    all
}

/// Parallel texts of items.
#[derive(Debug, Clone)]
struct Column<'i> {
    texts: Vec<String>,
    items: Vec<(usize, &'i Item)>,
}

struct Reader<'t, 'a> {
    table: &'t SampleTable<'a>,
    of: usize,
    is_in_index: bool,
    slots: &'t mut Vec<ValueSlot>,
}

/// The percentage of items in which an attribute may differ from a part of an index key, which some writers leave
/// behind.
const STALE_PERCENT: usize = 25;

/// The percentage of a type's items that must have an attribute that gives a value.
const PRESENT_PERCENT: usize = 60;

impl Reader<'_, '_> {
    /// The templates of an index. `None` if no item has all its keys.
    fn index(&mut self, index: usize, items: &[(usize, &Item)]) -> Option<IndexKeysGuess> {
        let schema = self.table.schema;
        let keys = schema.indexes.get(index)?;
        let attributes: Vec<&String> = [Some(&keys.pk), keys.sk.as_ref()].into_iter().flatten().collect();
        let is_own = |attribute: &String| *attribute == schema.pk || *attribute == schema.sk;
        if attributes.iter().all(|attribute| is_own(attribute)) {
            return None;
        }
        let text = |item: &Item, attribute: &str| item.get(attribute).and_then(Value::as_s).map(str::to_owned);
        let has_all =
            |item: &Item| attributes.iter().all(|attribute| text(item, attribute).is_some_and(|it| !it.is_empty()));
        let have: Vec<(usize, &Item)> = items.iter().filter(|(_, item)| has_all(item)).copied().collect();
        if have.is_empty() {
            return None;
        }
        let mut template = |attribute: &String| {
            if is_own(attribute) {
                return None;
            }
            let texts: Vec<String> = have.iter().filter_map(|(_, item)| text(item, attribute)).collect();
            let column = Column { texts, items: have.clone() };
            if schema.is_plain(attribute) {
                let attributes = BTreeMap::from([(attribute.clone(), (have.len(), ValueForm::default()))]);
                let slot = self.slot(&column, attributes, "");
                self.slots.last_mut()?.is_plain = true;
                return Some(vec![slot]);
            }
            let column = self.usual(column);
            Some(self.template(&column, STALE_PERCENT))
        };
        let pk = template(&keys.pk);
        let sk = keys.sk.as_ref().and_then(template);
        Some(IndexKeysGuess { index, pk, sk, seen: have.len() })
    }

    /// The texts of the most frequent form, if most have it.
    fn usual<'i>(&self, column: Column<'i>) -> Column<'i> {
        let form = |text: &str, item: &Item| -> Vec<Option<String>> {
            let tokens = self.table.tokens(text, &Facts::of(self.table, item));
            tokens.into_iter().map(|token| (token.kind == TokenKind::Constant).then_some(token.text)).collect()
        };
        let forms: Vec<_> = column.texts.iter().zip(&column.items).map(|(text, (_, item))| form(text, item)).collect();
        let mut counts: BTreeMap<&Vec<Option<String>>, usize> = BTreeMap::new();
        for form in &forms {
            *counts.entry(form).or_default() += 1;
        }
        let Some((most, count)) = counts.iter().max_by_key(|(_, count)| **count) else { return column };
        if *count == forms.len() || count * 10 < forms.len() * 7 {
            return column;
        }
        let kept = forms.iter().zip(column.texts.iter().zip(&column.items)).filter(|(form, _)| form == most);
        let (texts, items) = kept.map(|(_, (text, item))| (text.clone(), *item)).unzip();
        Column { texts, items }
    }

    /// The template of parallel keys.
    fn template(&mut self, column: &Column<'_>, stale_percent: usize) -> Vec<KeyPart> {
        let facts = column.items.iter().map(|(_, item)| Facts::of(self.table, item));
        let rows: Vec<Vec<Token>> =
            column.texts.iter().zip(facts).map(|(text, facts)| self.table.tokens(text, &facts)).collect();
        let rows = with_one_length(rows, self.table.separator);
        let length = rows.first().map_or(0, Vec::len);
        let mut parts = Vec::new();
        let mut context = String::new();
        for at in 0..length {
            let tokens: Vec<&Token> = rows.iter().filter_map(|row| row.get(at)).collect();
            let texts: Vec<String> = tokens.iter().map(|token| token.text.clone()).collect();
            let column = Column { texts, items: column.items.clone() };
            if at > 0 {
                parts.push(KeyPart::Constant(self.table.separator.to_string()));
            }
            let equal = self.equal(&column, stale_percent, &context);
            let Some(first) = tokens.first() else { continue };
            let are_words = tokens.iter().all(|token| token.kind != TokenKind::Value && token.text == first.text);
            let before = at.checked_sub(1).and_then(|before| rows.first()?.get(before));
            let is_last = at + 1 == length;
            let is_entity = column.items.iter().all(|(_, item)| is_entity(item, &first.text));
            let is_value =
                at > 0 && !is_entity && self.is_value(&tokens, &equal, before.filter(|_| is_last), rows.len());
            if are_words && !is_value {
                context = if first.text.is_empty() { context } else { first.text.clone() };
                parts.push(KeyPart::Constant(first.text.clone()));
                continue;
            }
            parts.extend(self.value(&column, equal, &context));
            context.clear();
        }
        joined(parts)
    }

    /// Whether words in one place are values: an attribute has them, or they follow a constant at the end of few keys.
    fn is_value(
        &self,
        tokens: &[&Token],
        equal: &BTreeMap<String, (usize, ValueForm)>,
        before_last: Option<&Token>,
        rows: usize,
    ) -> bool {
        let Some(first) = tokens.first().filter(|token| !is_upper(&token.text) && !token.text.is_empty()) else {
            return false;
        };
        let is_labelled = label(&first.text).is_some_and(|(label, _)| self.has_attribute(label));
        let follows_constant =
            before_last.is_some_and(|before| before.kind == TokenKind::Constant && !before.text.is_empty());
        let is_few = rows <= 2 && follows_constant && !first.text.starts_with('$');
        !equal.is_empty() || tokens.iter().all(|token| token.kind == TokenKind::Word) || is_labelled || is_few
    }

    fn has_attribute(&self, word: &str) -> bool {
        self.table.attribute_names.contains(&norm(word))
    }

    /// The attributes that have these values in every item that has them, and in most items.
    fn equal(&self, column: &Column<'_>, stale_percent: usize, context: &str) -> BTreeMap<String, (usize, ValueForm)> {
        let rows = column.texts.len();
        let mut found: BTreeMap<String, (usize, usize, ValueForm)> = BTreeMap::new();
        for (text, (_, item)) in column.texts.iter().zip(&column.items) {
            for (name, value) in self.table.attributes(item) {
                let entry = found.entry(name.to_owned()).or_default();
                match form_of(value, text) {
                    Some(form) => {
                        entry.0 += 1;
                        entry.2 = entry.2.max(form);
                    }
                    None => entry.1 += 1,
                }
            }
        }
        let ids = column.texts.iter().filter(|text| text.contains(|c: char| c.is_ascii_digit() || c == '@')).count();
        let is_id = ids * 2 >= rows;
        let fits = |(name, (equal, different, form)): (String, (usize, usize, ValueForm))| {
            // `Admin` and `admin` are one word by chance more often than two spellings of one id.
            let is_chance = form.lower && !is_id && norm(&name) != norm(context);
            let is_enough = different * 100 <= stale_percent * rows && equal * 100 >= PRESENT_PERCENT * rows;
            (is_enough && !is_chance).then_some((name, (equal, form)))
        };
        found.into_iter().filter_map(fits).collect()
    }

    fn slot(
        &mut self,
        column: &Column<'_>,
        attributes: BTreeMap<String, (usize, ValueForm)>,
        context: &str,
    ) -> KeyPart {
        let place = self.slots.len();
        self.slots.push(ValueSlot {
            of: self.of,
            is_in_index: self.is_in_index,
            items: column.items.iter().map(|(place, _)| *place).collect(),
            values: column.texts.clone(),
            set: column.texts.iter().cloned().collect(),
            attributes,
            context: context.to_owned(),
            class: place,
            ..ValueSlot::default()
        });
        KeyPart::Slot(place)
    }

    /// The parts of a value: usually one slot, and several if it consists of values itself.
    fn value(
        &mut self,
        column: &Column<'_>,
        equal: BTreeMap<String, (usize, ValueForm)>,
        context: &str,
    ) -> Vec<KeyPart> {
        if !equal.is_empty() {
            return vec![self.slot(column, equal, context)];
        }
        if let Some(parts) = self.labelled(column) {
            return parts;
        }
        for separator in ['~', '|', ':', '#', '/', ',', '-', '_'] {
            if separator != self.table.separator
                && let Some(parts) = self.composed(column, separator, context)
            {
                return parts;
            }
        }
        vec![self.slot(column, BTreeMap::new(), context)]
    }

    /// A value with a label, such as `orgid_01j8`, as ElectroDB writes them: the label is the attribute's name.
    fn labelled(&mut self, column: &Column<'_>) -> Option<Vec<KeyPart>> {
        let split: Vec<(&str, &str)> = column.texts.iter().map(|text| label(text)).collect::<Option<_>>()?;
        let (label, _) = *split.first()?;
        if split.iter().any(|(other, _)| *other != label) {
            return None;
        }
        let texts = split.iter().map(|(_, value)| (*value).to_owned()).collect();
        let rest = Column { texts, items: column.items.clone() };
        let equal = self.equal(&rest, 0, label);
        let own: BTreeMap<_, _> =
            equal.iter().filter(|(name, _)| norm(name) == norm(label)).map(|(name, of)| (name.clone(), *of)).collect();
        let is_electro = self.table.type_attribute.as_deref() == Some("__edb_e__");
        if own.is_empty() && !is_electro {
            return None;
        }
        let constant = KeyPart::Constant(format!("{label}_"));
        let slot = self.slot(&rest, if own.is_empty() { equal } else { own }, label);
        Some(vec![constant, slot])
    }

    /// A value that consists of several, such as `2026-01-01~b1`.
    fn composed(&mut self, column: &Column<'_>, separator: char, context: &str) -> Option<Vec<KeyPart>> {
        let split: Vec<Vec<&str>> = column
            .texts
            .iter()
            .map(|text| if has_id_shape(text) { vec![text.as_str()] } else { text.split(separator).collect() })
            .collect();
        let length = split.first().map(Vec::len).filter(|length| (2..=8).contains(length))?;
        if split.iter().any(|row| row.len() != length) {
            return None;
        }
        let columns: Vec<Column<'_>> = (0..length)
            .map(|at| {
                let texts = split.iter().filter_map(|row| row.get(at)).map(|text| (*text).to_owned()).collect();
                Column { texts, items: column.items.clone() }
            })
            .collect();
        let equals: Vec<_> = columns.iter().map(|column| self.equal(column, 0, "")).collect();
        let times = |column: &&Column<'_>| column.texts.iter().all(|text| is_time(text));
        let known = equals.iter().filter(|equal| !equal.is_empty()).count() + columns.iter().filter(times).count();
        let is_weak = matches!(separator, '-' | '_');
        let is_composed =
            if is_weak { known >= 2 && column.texts.len() > 1 } else { known >= 1 || matches!(separator, '~' | '|') };
        if !is_composed {
            return None;
        }
        let mut parts = Vec::new();
        for (at, (column, equal)) in columns.iter().zip(equals).enumerate() {
            if at > 0 {
                parts.push(KeyPart::Constant(separator.to_string()));
            }
            let first = column.texts.first().cloned().unwrap_or_default();
            let is_same = column.texts.iter().all(|text| *text == first);
            if is_same && equal.is_empty() && (first.is_empty() || is_word(&first)) {
                parts.push(KeyPart::Constant(first));
            } else {
                parts.push(self.slot(column, equal, if at == 0 { context } else { "" }));
            }
        }
        Some(parts)
    }
}

/// Whether a text is how ElectroDB writes an item's entity and version in its key, such as `team_1`. In a collection, it
/// looks like a value with a label.
fn is_entity(item: &Item, text: &str) -> bool {
    let of = |name: &str| item.get(name).and_then(Value::as_s);
    let (Some(entity), Some(version)) = (of("__edb_e__"), of("__edb_v__")) else { return false };
    text.trim_start_matches('$').eq_ignore_ascii_case(&format!("{entity}_{version}"))
}

/// `orgid_01j8` as `orgid` and `01j8`.
fn label(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once('_')?;
    (!label.is_empty() && !value.is_empty() && label.bytes().all(|byte| byte.is_ascii_lowercase()))
        .then_some((label, value))
}

/// Rows of one length: where they differ, a value has the separator in it, and the rest of each row is one value.
fn with_one_length(rows: Vec<Vec<Token>>, separator: char) -> Vec<Vec<Token>> {
    let shortest = rows.iter().map(Vec::len).min().unwrap_or_default();
    if rows.iter().all(|row| row.len() == shortest) {
        return rows;
    }
    let is_common = |at: usize| {
        let first = rows.first().and_then(|row| row.get(at));
        first.is_some_and(|first| {
            first.kind == TokenKind::Constant
                && rows.iter().all(|row| row.get(at).is_some_and(|token| token.text == first.text))
        })
    };
    // The rest has at least one token.
    let head = (0..shortest.saturating_sub(1)).take_while(|at| is_common(*at)).count();
    let rest = |row: Vec<Token>| {
        let texts: Vec<&str> = row.iter().skip(head).map(|token| token.text.as_str()).collect();
        let text = texts.join(&separator.to_string());
        row.iter().take(head).cloned().chain([Token { text, kind: TokenKind::Value }]).collect()
    };
    rows.into_iter().map(rest).collect()
}
