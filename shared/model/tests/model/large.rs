//! Large and hostile model files: read, and shown without harm. `tests/bench/instructions` limits what reading
//! large ones takes.

use instep_model::{Model, describe};

use crate::{HEAD, parsed, rendered};

/// Each of these types has a parent, a user and a key of its own in a partition of all.
fn of_many(count: usize, parent: &str) -> String {
    let item = |place: usize| {
        format!(
            "[items.T{place}]\npk = \"ALL#{{id}}\"\nsk = \"T{place}#{{x}}\"\nentity = \"T{place}\"\n\
             cognito.user = {{ name = \"u{place}-{{id}}:{{x}}\" }}\nparent = \"{parent}\"\n"
        )
    };
    let root = "[items.Root]\npk = \"ALL#{id}\"\nsk = \"ROOT\"\nentity = \"Root\"\n";
    root.to_owned() + &(0..count).map(item).collect::<String>()
}

#[test]
fn five_thousand_item_types_are_read() {
    assert!(describe(&parsed(&of_many(5_000, "Root"))).contains("T4999"));
}

#[test]
fn a_closed_set_of_a_thousand_values_is_read() {
    let values: Vec<String> = (0..1_000).map(|place| format!("\"region-{place}\"")).collect();
    let text = format!(
        "names.region = [{}]\n[items.A]\npk = \"R#{{region}}\"\nsk = [\"A#{{a}}\", \"AA#{{a}}\"]\n\
         [items.B]\npk = \"{{b}}\"\nsk = [\"B#{{region}}\", \"B{{region}}\"]\n",
        values.join(", ")
    );
    parsed(&text);
}

#[test]
fn twenty_mistakes_are_shown_and_the_rest_are_counted() {
    let errors = Model::parse("many.toml", &(HEAD.to_owned() + &of_many(31, "Rot"))).unwrap_err();
    assert_eq!(errors.problems().len(), 20);
    assert_eq!(errors.to_string(), "the table model `many.toml` has 31 errors");
    assert!(errors.problems()[0].place().starts_with("many.toml:12:"), "{}", errors.problems()[0].place());
    assert!(rendered(&errors).contains("11 more errors are not shown"));
}

#[test]
fn control_characters_are_shown_and_not_sent() {
    let text = format!("{HEAD}[items.\"A\\u001b[2J\"]\npk = \"A\\u0007#{{id}}\"\nsk = \"A\"\nparent = \"\\u202eB\"\n");
    let shown = rendered(&Model::parse("odd\u{1b}.toml", &text).unwrap_err());
    assert!(shown.contains("\\u{202e}B"), "{shown}");
    let text = text.replace("parent = \"\\u202eB\"\n", "");
    let described = describe(&Model::parse("odd.toml", &text).unwrap());
    assert!(described.contains("A\\u{1b}[2J"), "{described}");
    let raw = rendered(&Model::parse("raw.toml", "model = \"\u{1b}[2J\u{9b}\"").unwrap_err());
    for shown in [shown, described, raw] {
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    }
}

#[test]
fn a_device_or_a_pipe_is_no_model() {
    let folder = std::env::temp_dir().join(format!("instep-model-device-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (pipe, over) = (folder.join("pipe.toml"), folder.join("over.toml"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(&over, "extends = \"pipe.toml\"\n").unwrap();
    let refused =
        ["/dev/zero".as_ref(), pipe.as_path(), over.as_path()].map(|path| rendered(&Model::load(path).unwrap_err()));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(refused.iter().all(|shown| shown.contains("it is not a file")), "{refused:?}");
}

#[test]
fn ten_models_may_extend_each_other() {
    let folder = std::env::temp_dir().join(format!("instep-model-chain-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |place: usize, text: &str| std::fs::write(folder.join(format!("{place}.toml")), text).unwrap();
    (0..40).for_each(|place| write(place, &format!("extends = \"{}.toml\"\n", place + 1)));
    write(40, &format!("{HEAD}[items.A]\npk = \"A#{{id}}\"\nsk = \"A\"\n"));
    let ten = Model::load(&folder.join("30.toml"));
    let forty = Model::load(&folder.join("0.toml"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(ten.is_ok());
    assert_eq!(forty.unwrap_err().problems()[0].to_string(), "more than 32 models extend each other in a chain");
}
