//! The documents agree with the program.

use instep_contract::Detail;

use crate::support::{captures, instep, root};

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The text of the first code block after a mark.
fn block<'a>(text: &'a str, after: &str, fence: &str) -> &'a str {
    let from = text.split_once(after).unwrap().1.split_once(fence).unwrap().1;
    from.split_once("```").unwrap().0.trim_start_matches('\n')
}

/// The README's transcript is the command's output, except for the time.
#[test]
fn the_transcript_is_real() {
    let readme = read("README.md");
    let transcript = block(&readme, "commands/documents.rs -->", "```text");
    let (command, shown) = transcript.split_once('\n').unwrap();
    let args: Vec<&str> = command.strip_prefix("$ cargo run -- ").unwrap().split(' ').collect();
    let ran = instep(&args);
    let printed: String =
        ran.stdout.lines().filter(|line| !line.starts_with("  took")).map(|line| format!("{line}\n")).collect();
    assert_eq!(printed.trim_end(), shown.trim_end());
}

/// The example event for subscribers is published by the program, and has the published schema.
#[test]
fn the_example_event_is_real() {
    let page = read("docs/EVENTS.md");
    let shown: serde_json::Value = serde_json::from_str(block(&page, "commands/documents.rs -->", "```json")).unwrap();
    let ran = instep(&["replay", "events/access-management/13-role-changed.json", "--json"]);
    assert!(ran.of("event").iter().any(|event| event["entry"]["Detail"] == shown), "no such event is published");
    let detail: Detail = serde_json::from_value(shown.clone()).unwrap();
    assert_eq!(serde_json::to_value(detail).unwrap(), shown);
}

/// The anchors of a page's headings.
fn anchors(page: &str) -> Vec<String> {
    let headings = page
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    headings.map(|heading| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

/// Every folder, model, document and section that the pages link to exists.
#[test]
fn links_lead_somewhere() {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|page| page.unwrap().path());
    let docs = docs.filter(|page| page.is_file());
    let pages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "events/README.md", "docs/contract/README.md"];
    let pages = pages.map(|page| root().join(page));
    for page in docs.chain(pages) {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.starts_with("http") {
                continue;
            }
            let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
            let target = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
            assert!(target.exists(), "{} links to {link}", page.display());
            let Some(anchor) = anchor else { continue };
            let anchors = anchors(&std::fs::read_to_string(&target).unwrap());
            assert!(anchors.iter().any(|there| there == anchor), "{} links to {link}", page.display());
        }
        for word in
            text.split(['`', ' ', '\n']).filter(|word| word.starts_with("events/") || word.starts_with("shared/"))
        {
            let path = word.trim_end_matches(['.', ',', ':', ')', '*']);
            assert!(path.contains('<') || root().join(path).exists(), "{} names {path}", page.display());
        }
    }
}

/// Every rule has histories, and every history has a rule.
#[test]
fn every_history_is_in_the_table() {
    let page = read("docs/SYSTEMS.md");
    for section in page.split("\n## ").skip(1) {
        let (system, rules) = section.split_once('\n').unwrap();
        let mut named = std::collections::BTreeSet::new();
        for row in rules
            .lines()
            .filter(|line| line.starts_with("| ") && !line.starts_with("| rule") && !line.starts_with("| ---"))
        {
            let files = row.trim_end_matches(" |").rsplit('|').next().unwrap().replace(',', " ");
            let words: Vec<&str> = files.split_whitespace().collect();
            for (place, word) in words.iter().enumerate() {
                if *word == "to" {
                    let (from, to): (u32, u32) = (words[place - 1].parse().unwrap(), words[place + 1].parse().unwrap());
                    named.extend(from..=to);
                } else {
                    named.insert(word.parse().unwrap());
                }
            }
        }
        let there: std::collections::BTreeSet<u32> = captures(system)
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap()[..2].parse().unwrap())
            .collect();
        assert_eq!(named, there, "{system}");
    }
}
