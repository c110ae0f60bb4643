//! Who writes the table: as people's programs do, over few names, so that they meet.

use serde_json::{Map, json};

use crate::net::{Net, pause};
use crate::table::{Item, Key};

const ROLES: [&str; 4] = ["admin", "contributor", "reader", "king"];
const GROUPS: [&str; 3] = ["/", "/a", "/a/b"];
const USERS: usize = 3;

fn item(key: &Key, more: &[(&str, String)]) -> Item {
    let mut item = Map::new();
    item.insert("pk".to_owned(), json!({"S": key.0}));
    item.insert("sk".to_owned(), json!({"S": key.1}));
    item.extend(more.iter().map(|(name, text)| ((*name).to_owned(), json!({"S": text}))));
    item
}

fn group(net: &Net) -> &'static str {
    net.chance.pick(&GROUPS).copied().unwrap_or("/")
}

fn user(net: &Net) -> String {
    format!("U:u{}@example.com", net.chance.below(USERS))
}

/// One writer's life.
pub async fn write(net: &Net, times: usize) {
    for _ in 0..times {
        once(net);
        // Some write in one go.
        if !net.chance.of_thousand(300) {
            pause(net, 800).await;
        }
    }
}

/// Deletes what is garbage, so that its records can be settled.
pub fn tidy(net: &Net) {
    let garbage: Vec<Key> = {
        let table = net.table();
        let all = table.items().iter();
        let is_garbage = |key: &Key, item: &Item| {
            key.1.starts_with("X:") || item.get("role").and_then(|role| role.get("S")) == Some(&json!("king"))
        };
        all.filter(|(key, item)| is_garbage(key, item)).map(|(key, _)| key.clone()).collect()
    };
    for key in garbage {
        net.write(key, None);
    }
}

fn once(net: &Net) {
    let now = net.now().to_string();
    let user = user(net);
    let place = |sk: &str| (user.clone(), sk.to_owned());
    let there = ["U", user.as_str()].into_iter().find(|sk| net.table().items().contains_key(&place(sk)));
    match net.chance.below(100) {
        // A user comes, or changes; some programs spell the sort key the short way.
        0..20 => {
            let sk = there.unwrap_or(if net.chance.of_thousand(300) { "U" } else { &user });
            let state = if net.chance.of_thousand(200) { "disabled" } else { "enabled" };
            let email = user.trim_start_matches("U:").to_owned();
            let more = [("email", email), ("state", state.to_owned()), ("updatedAt", now)];
            net.write(place(sk), Some(item(&place(sk), &more)));
        }
        20..28 => net.write(place(there.unwrap_or("U")), None),
        28..42 => {
            let of = group(net);
            if of != "/" {
                let key = (format!("G:{of}"), format!("G:{of}"));
                net.write(key.clone(), Some(item(&key, &[("id", of.to_owned()), ("updatedAt", now)])));
            }
        }
        42..50 => {
            let of = group(net);
            net.write((format!("G:{of}"), format!("G:{of}")), None);
        }
        // A role is given or changed; now and then one that is none.
        50..75 => {
            let role = net.chance.pick(&ROLES).copied().unwrap_or("reader");
            let role = if role == "king" && !net.chance.of_thousand(200) { "reader" } else { role };
            let key = place(&format!("G:{}", group(net)));
            net.write(key.clone(), Some(item(&key, &[("role", role.to_owned()), ("createdAt", now)])));
        }
        75..90 => net.write(place(&format!("G:{}", group(net))), None),
        90..94 => {
            let (parent, child) = (group(net), group(net));
            if parent != child {
                let key = (format!("G:{parent}"), format!("G:{child}"));
                net.write(key.clone(), Some(item(&key, &[])));
            }
        }
        // All of a user at once.
        94..97 => {
            let mine: Vec<Key> = net.table().items().keys().filter(|(pk, _)| *pk == user).cloned().collect();
            for key in mine {
                net.write(key, None);
            }
        }
        _ => {
            let key = place("X:garbage");
            net.write(key.clone(), Some(item(&key, &[])));
        }
    }
}
