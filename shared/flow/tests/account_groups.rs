//! Which items an account serves when it signs in, by its name, its addresses and its `sub`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it cannot go on")]

use instep_flow::account::{Account, AccountItem, AccountState, account_key};
use instep_flow::reconcile::{AccountGroups, AccountGroupsStep, SigningInAccount};
use instep_flow::transition::StoredTable;
use instep_model::{Item, Model, Names, Object, Value};
use jiff::Timestamp;

fn now() -> Timestamp {
    Timestamp::from_second(1_780_000_000).unwrap()
}

/// A table of a model with these items, and an account item for each person that is named with a `sub`.
struct Table {
    model: Model,
    items: Vec<Item>,
}

impl Table {
    fn of(text: &str, items: &[&[(&str, &str)]]) -> Self {
        let model =
            Model::parse("m.toml", &format!("model = \"m\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n{text}")).unwrap();
        let item = |item: &&[(&str, &str)]| -> Item {
            item.iter().map(|(name, value)| ((*name).to_owned(), Value::S((*value).to_owned()))).collect()
        };
        Self { model, items: items.iter().map(item).collect() }
    }

    /// Says that the account with this `sub` serves a person.
    fn bound(mut self, person: &str, sub: &str, state: impl Fn(String) -> AccountState) -> Self {
        let of = Object {
            of: self.model.type_named("Person").unwrap(),
            names: Names::from([("id".to_owned(), person.to_owned())]),
        };
        let item =
            AccountItem { key: account_key(&self.model, &of), of, read: None, read_at: now(), is_confirmed: false };
        let account = Account { nonce: "n".to_owned(), since: now(), after: None, state: state(sub.to_owned()) };
        self.items.push(item.change(&self.model, &account).1.read.unwrap());
        self
    }

    fn groups(&self, account: &SigningInAccount) -> String {
        let table = StoredTable::new([&self.model, &self.model], self.items.clone());
        let mut groups = AccountGroups::new(&self.model, account.clone(), now());
        loop {
            match groups.next() {
                AccountGroupsStep::Read(asks) => groups.read(table.answers(&asks, None)),
                AccountGroupsStep::Done(found) => return found.groups.into_iter().collect::<Vec<_>>().join(" "),
                AccountGroupsStep::Undecided => panic!("no end"),
            }
        }
    }
}

fn account(username: &str, sub: &str, address: &str) -> SigningInAccount {
    let addresses = if address.is_empty() { Vec::new() } else { vec![address.to_owned()] };
    SigningInAccount { username: username.to_owned(), sub: sub.to_owned(), addresses, ignores_case: false }
}

fn serves(sub: String) -> AccountState {
    AccountState::Bound { sub, username: "u".to_owned() }
}

/// People who are known by their addresses.
const BY_ADDRESS: &str = r#"
    [items.Person]
    pk = "P#{id|lower}"
    sk = "P"
    cognito.user = { name = "{id}", attributes = { email = "{id}" } }
    cognito.member = { user = "Person", group = "g:{id}" }
"#;

/// Promise 2: where people choose names, an address is no name. Where the pool makes the names, the address leads to the
/// item, and its account item decides.
#[test]
fn an_address_leads_to_an_item_and_proves_nothing() {
    let ann = [("pk", "P#ann@x.example"), ("sk", "P")];
    let table = Table::of(BY_ADDRESS, &[&ann]).bound("ann@x.example", "s1", serves);
    let found = |username, sub, address| table.groups(&account(username, sub, address));
    assert_eq!(found("ann@x.example", "s1", ""), "g:ann@x.example", "by its name");
    assert_eq!(found("s1", "s1", "ann@x.example"), "g:ann@x.example", "by its address: the pool has made the name");
    assert_eq!(found("s1", "s1", "Ann@X.example"), "g:ann@x.example", "in any case");
    assert_eq!(found("s2", "s2", "ann@x.example"), "", "another account took the address over");
    assert_eq!(found("eve", "s1", "ann@x.example"), "", "an alias of an account that has chosen its name");
    assert_eq!(found("s1", "s1", "eve@x.example"), "", "the user has changed the address: denied until both are equal");
    assert_eq!(found("ann@x.example", "s2", ""), "", "the name was registered again");
    assert_eq!(found("ann@x.example", "", ""), "", "no `sub`");
}

/// Promise 2: only the account that is known to serve an item has its groups.
#[test]
fn what_is_not_known_to_serve_has_nothing() {
    let ann = [("pk", "P#ann@x.example"), ("sk", "P")];
    let table = || Table::of(BY_ADDRESS, &[&ann]);
    let by_name = account("ann@x.example", "s1", "");
    assert_eq!(table().groups(&by_name), "", "no account item");
    assert_eq!(table().bound("ann@x.example", "s1", |_| AccountState::Attempt { old: None }).groups(&by_name), "");
    assert_eq!(table().bound("ann@x.example", "s1", |sub| AccountState::Foreign { sub }).groups(&by_name), "");
    let old = |sub| AccountState::Attempt { old: Some(sub) };
    assert_eq!(table().bound("ann@x.example", "s1", old).groups(&by_name), "");
    assert_eq!(table().bound("ann@x.example", "s1", serves).groups(&by_name), "g:ann@x.example");
    let deleted = Table::of(BY_ADDRESS, &[]).bound("ann@x.example", "s1", serves);
    assert_eq!(deleted.groups(&by_name), "", "its item was deleted");
}

/// Promise 2: in a pool that heeds case, `ANN` and `ann` are two accounts.
#[test]
fn another_spelling_of_a_name_is_another_account() {
    let text = r#"
        [items.Seat]
        pk = "T#{team}"
        sk = "S#{id|lower}"
        cognito.member = { user = { name = "{id|lower}" }, group = "g:{team}" }
    "#;
    let reference = |name: &str| {
        let table = Table::of(text, &[]);
        let seat = Object {
            of: table.model.type_named("Seat").unwrap(),
            names: Names::from([("team".to_owned(), "red".to_owned()), ("id".to_owned(), name.to_owned())]),
        };
        let item: Item = [("pk", "T#red".to_owned()), ("sk", format!("S#{name}"))]
            .map(|(name, value)| (name.to_owned(), Value::S(value)))
            .into();
        let notes =
            instep_flow::bookkeeping::references(&table.model, &seat, &item).into_values().map(|(_, note)| note);
        let items = notes.chain([item.clone()]).collect();
        Table { items, ..table }
    };
    let table = reference("ann");
    assert_eq!(table.groups(&account("ann", "s1", "")), "g:red");
    assert_eq!(table.groups(&account("ANN", "s1", "")), "");
    assert_eq!(table.groups(&SigningInAccount { ignores_case: true, ..account("ANN", "s1", "") }), "g:red");
    let (kim, kelvin) = (reference("kim"), "\u{212A}im");
    assert_eq!(kelvin.to_lowercase(), "kim");
    assert_eq!(kim.groups(&SigningInAccount { ignores_case: true, ..account(kelvin, "s1", "") }), "", "{kelvin}");
}
