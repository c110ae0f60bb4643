//! A page of stories, parsed.

use std::collections::BTreeMap;

/// What a page says before its first story, or a story of its own.
#[derive(Debug, Clone, Default)]
pub struct Background {
    /// The models by name. The first one, without a name, is in force at the beginning.
    pub models: BTreeMap<String, String>,
    /// How far indexes lag behind the table, in seconds.
    pub lag_s: u64,
}

/// A row of a story's table: what `<column>` stands for.
pub type Case = BTreeMap<String, String>;

#[derive(Debug)]
pub struct Story {
    pub title: String,
    pub setting: Background,
    /// The rows of its table. If there is no table, one without columns.
    pub cases: Vec<Case>,
    pub steps: Vec<PageStep>,
}

/// A line of a story, with the lines that are indented under it.
#[derive(Debug, Clone)]
pub struct PageStep {
    pub line: usize,
    pub text: String,
    pub inner: Vec<PageStep>,
}

impl Story {
    /// Whether a step says what there is: otherwise the story could not fail.
    pub fn says_something(&self) -> bool {
        fn says(steps: &[PageStep]) -> bool {
            steps.iter().any(|step| expected(&step.text).is_some() || says(&step.inner))
        }
        says(&self.steps)
    }
}

/// `what = expected`. A write may have that in its item.
pub fn expected(text: &str) -> Option<(&str, &str)> {
    text.split_once(" =").filter(|(what, _)| !what.contains('{'))
}

/// A line of prose that says how far indexes lag.
const LAG: &str = "Index lag in seconds: ";

/// The stories of a page in Markdown.
pub fn stories(page: &str) -> Vec<Story> {
    let mut common = Background::default();
    let mut stories: Vec<Story> = Vec::new();
    let mut beginning: Vec<PageStep> = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    let mut lines = page.lines().enumerate().map(|(place, line)| (place + 1, line));
    while let Some((_, line)) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            columns.clear();
            let (title, setting) = (title.to_owned(), common.clone());
            stories.push(Story { title, setting, cases: Vec::new(), steps: beginning.clone() });
        } else if let Some(kind) = line.strip_prefix("```") {
            let block: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
            match (kind.split_once(' ').unwrap_or((kind, "")), stories.last_mut()) {
                (("", _), story) => story.map_or(&mut beginning, |story| &mut story.steps).extend(nested(&block)),
                (of, story) => model(of, &block, story.map_or(&mut common, |story| &mut story.setting)),
            }
        } else if let Some(seconds) = line.strip_prefix(LAG) {
            stories.last_mut().map_or(&mut common, |story| &mut story.setting).lag_s = seconds.parse().unwrap();
        } else if let (Some(story), true) = (stories.last_mut(), line.starts_with('|')) {
            let cells = cells(line);
            if columns.is_empty() {
                columns = cells;
            } else if !cells.iter().all(|cell| cell.starts_with("---")) {
                story.cases.push(columns.iter().cloned().zip(cells).collect());
            }
        }
    }
    let untold = |story: &mut Story| {
        if story.cases.is_empty() {
            story.cases.push(BTreeMap::new())
        }
    };
    stories.iter_mut().for_each(untold);
    stories
}

/// The cells of a row of a table. A cell with code may say `\n` for a new line.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').and_then(|row| row.strip_suffix('|')).unwrap();
    let mut cells = Vec::new();
    let mut rest = row;
    while !rest.is_empty() {
        // A bar inside of code ends no cell.
        let (cell, next) = match rest.trim_start().strip_prefix('`').and_then(|code| code.split_once('`')) {
            Some((code, next)) => (code, next.split_once('|').map_or("", |(_, next)| next)),
            None => rest.split_once('|').unwrap_or((rest, "")),
        };
        cells.push(cell.trim().replace("\\n", "\n"));
        rest = next;
    }
    cells
}

/// A block with a model: `toml` has its text, and `diff` what differs from the one without a name. A word after that
/// is the name of the model.
fn model((kind, name): (&str, &str), block: &[(usize, &str)], setting: &mut Background) {
    let lines = || block.iter().map(|(_, line)| *line);
    let text = match kind {
        "toml" => lines().map(|line| format!("{line}\n")).collect(),
        "diff" => changed(&setting.models[""], &lines().collect::<Vec<_>>()),
        kind => unreachable!("a block of {kind}"),
    };
    setting.models.insert(name.to_owned(), text);
}

/// The model with the lines after `+` in place of those after `-`. Lines after `+` alone are added at the end.
fn changed(model: &str, lines: &[&str]) -> String {
    let mut model = model.to_owned();
    let text = |lines: &[&str]| lines.iter().map(|line| format!("{}\n", &line[1..])).collect::<String>();
    for hunk in lines.split(|line| line.is_empty()) {
        let (old, new) = hunk.split_at(hunk.iter().take_while(|line| line.starts_with('-')).count());
        let (old, new) = (text(old), text(new));
        assert!(model.contains(&old), "the model lacks\n{old}");
        model = if old.is_empty() { model + &new } else { model.replace(&old, &new) };
    }
    model
}

/// The lines of a block, each with those that are indented under it.
fn nested(block: &[(usize, &str)]) -> Vec<PageStep> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut steps = Vec::new();
    let mut rest = block;
    while let Some(((line, text), after)) = rest.split_first() {
        let inner = after.iter().take_while(|(_, below)| indent(below) > indent(text)).count();
        let (inner, next) = after.split_at(inner);
        rest = next;
        let text = text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            steps.push(PageStep { line: *line, text: text.to_owned(), inner: nested(inner) });
        }
    }
    steps
}

/// The text with the values of a case.
pub fn filled(text: &str, case: &Case) -> String {
    case.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
}
