//! How costs grow: with the batch, the number of records, the children of a parent, and the item types.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use instep_model::Model;
use serde_json::json;
use serde_json::value::RawValue;

use crate::flow::Flow;
use crate::mix::{self, Mix};
use crate::stages::{Truth, stages};
use crate::standin::{Services, WIDE};
use crate::{mistakes, peak_mb, resident_mb, thread_cpu};

/// The records of a batch, where another number is not measured.
const BATCH: usize = 1_000;

/// A line of a table.
#[derive(Debug)]
pub struct Line {
    /// What grows, and how much there is of it.
    pub of: usize,
    /// The cells after it.
    pub cells: Vec<String>,
    /// Resident memory at the end, in MB.
    pub resident_mb: f64,
}

fn us(time: Duration, count: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let count = count.max(1) as f64;
    format!("{:.1}", time.as_secs_f64() * 1e6 / count)
}

/// Batches of several sizes: calls and CPU per record, and the CPU of each pure stage.
///
/// # Errors
/// A record was not handled.
pub async fn batches(model: &Arc<Model>, sizes: &[usize]) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for size in sizes.iter().copied() {
        let mix = Mix::new(size, 1, 0);
        let (records, items) = (mix.raw(), mix::table(&mix.records));
        let flow = Flow::new(model, Services::new(items.clone()), Duration::ZERO);
        // The first batch creates what is kept from call to call.
        flow.batch(&records).await?;
        flow.reset(Services::new(items.clone()));
        let cost = flow.batch(&records).await?;
        let stages = stages(model, &records, &Truth::new(&items));
        let cells = vec![
            cost.total().to_string(),
            us(cost.cpu, size),
            us(stages.decode, size),
            us(stages.plan, size),
            us(stages.reconcile, size),
        ];
        lines.push(Line { of: size, cells, resident_mb: resident_mb() });
    }
    Ok(lines)
}

/// Many batches one after another: CPU per record, and memory, which should not grow.
///
/// # Errors
/// A record was not handled.
pub async fn records(model: &Arc<Model>, counts: &[usize]) -> Result<Vec<Line>, String> {
    let flow = Flow::new(model, Services::default(), Duration::ZERO);
    let (mut done, mut cpu, mut lines) = (0, Duration::ZERO, Vec::new());
    for count in counts.iter().copied() {
        while done < count {
            let mix = Mix::new(BATCH, done as u64, 0);
            flow.reset(Services::new(mix::table(&mix.records)));
            cpu += flow.batch(&mix.raw()).await?.cpu;
            done += BATCH;
        }
        let cells = vec![us(cpu, done), format!("{:.1}", resident_mb()), format!("{:.1}", peak_mb())];
        lines.push(Line { of: done, cells, resident_mb: resident_mb() });
    }
    Ok(lines)
}

/// One parent with many children: messages, calls, CPU per child, and memory.
///
/// # Errors
/// A record or message was not handled.
pub async fn children(model: &Arc<Model>, counts: &[usize]) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for count in counts.iter().copied() {
        let flow = Flow::new(model, Services::default(), Duration::ZERO);
        let urn = format!("{WIDE}{count}");
        let keys = json!({"PK": {"S": format!("Resource#{urn}")}, "SK": {"S": format!("Resource#{urn}")}});
        let mut old = keys.clone();
        if let Some(old) = old.as_object_mut() {
            old.insert("urn".to_owned(), json!({"S": urn}));
        }
        let record = json!({"eventName": "REMOVE", "dynamodb": {
            "ApproximateCreationDateTime": 1_735_700_000, "Keys": keys, "OldImage": old, "SequenceNumber": "100",
        }});
        let record = serde_json::value::to_raw_value(&record).map_err(|error| error.to_string())?;
        let began = thread_cpu();
        let mut calls = flow.batch(&[record]).await?.total();
        let mut peak = resident_mb();
        let (messages, cost) = flow.drain(|_| peak = peak.max(resident_mb())).await?;
        calls += cost.total();
        let cpu = thread_cpu().saturating_sub(began);
        let cells = vec![messages.to_string(), calls.to_string(), us(cpu, count), format!("{peak:.1}")];
        lines.push(Line { of: count, cells, resident_mb: peak });
    }
    Ok(lines)
}

/// The head of a model.
const HEAD: &str = "model = \"many\"\nsource = \"bench\"\n[table]\npk = \"PK\"\nsk = \"SK\"\n";

/// The item types, and the names of a closed set, of the large models.
const LARGE: usize = 500;

/// Models with many item types: how long one takes to load, and a record to be decoded.
///
/// # Errors
/// The model is refused.
pub fn types(counts: &[usize]) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for count in counts.iter().copied() {
        let text = model_of(count);
        let began = thread_cpu();
        let model = Model::parse("many.toml", &text).map_err(|errors| mistakes(&errors))?;
        let loaded = thread_cpu().saturating_sub(began);
        let record = |place: usize| {
            let key = format!("T{}#{place}", place % count.max(1));
            let keys = json!({"PK": {"S": key}, "SK": {"S": key}});
            let new = json!({"PK": {"S": key}, "SK": {"S": key}, "name": {"S": "n"}});
            json!({"eventName": "INSERT", "dynamodb": {"Keys": keys, "NewImage": new, "SequenceNumber": "100"}})
        };
        let records: Vec<Box<RawValue>> =
            (0..BATCH).filter_map(|place| serde_json::value::to_raw_value(&record(place)).ok()).collect();
        let stages = stages(&model, &records, &Truth::default());
        let cells = vec![format!("{:.1}", loaded.as_secs_f64() * 1000.0), us(stages.decode, BATCH)];
        lines.push(Line { of: count, cells, resident_mb: resident_mb() });
    }
    Ok(lines)
}

/// The text of a model with many item types.
fn model_of(types: usize) -> String {
    let mut text = HEAD.to_owned();
    for place in 0..types {
        let _ = write!(
            text,
            "[items.Type{place}]\nentity = \"Type{place}\"\npk = \"T{place}#{{id}}\"\nsk = \"T{place}#{{id}}\"\nevents = [\"name\"]\n"
        );
    }
    text
}

/// Loads a model with many item types that have parents and users in one partition, and one with a large closed set of
/// names: what would be the first to take too long if the checks of a model were quadratic.
///
/// # Errors
/// A model is refused.
pub fn load_large() -> Result<(), String> {
    let mut related = format!("{HEAD}[items.Root]\npk = \"ALL#{{id}}\"\nsk = \"ROOT\"\nentity = \"Root\"\n");
    for place in 0..LARGE {
        let _ = write!(
            related,
            "[items.T{place}]\npk = \"ALL#{{id}}\"\nsk = \"T{place}#{{x}}\"\nentity = \"T{place}\"\n\
             cognito.user = {{ name = \"u{place}-{{id}}:{{x}}\" }}\nparent = \"Root\"\n"
        );
    }
    let values: Vec<String> = (0..LARGE).map(|place| format!("\"region-{place}\"")).collect();
    let closed = format!(
        "{HEAD}[names]\nregion = [{}]\n[items.A]\npk = \"R#{{region}}\"\nsk = [\"A#{{a}}\", \"AA#{{a}}\"]\n\
         [items.B]\npk = \"{{b}}\"\nsk = [\"B#{{region}}\", \"B{{region}}\"]\n",
        values.join(", ")
    );
    for text in [related, closed] {
        Model::parse("large.toml", &text).map_err(|errors| mistakes(&errors))?;
    }
    Ok(())
}
