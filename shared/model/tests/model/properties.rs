//! Properties of matching and loading, with random keys and files.

use instep_model::{Identity, Key, Model, Names, Object, TypeId};
use proptest::prelude::*;

use crate::{DESIGNS, design};

/// Texts that could be mistaken for parts of keys: constants, separators and prefixes of real keys.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("#".to_owned()),
        Just(":".to_owned()),
        Just("|||".to_owned()),
        Just("%2F".to_owned()),
        Just("urn:".to_owned()),
        Just("::".to_owned()),
        Just("METADATA".to_owned()),
        Just("U:".to_owned()),
        Just("G:".to_owned()),
        Just("USER#".to_owned()),
        Just("Resource#".to_owned()),
        Just("client".to_owned()),
        Just("tenant".to_owned()),
        Just("admin".to_owned()),
        "[a-z0-9]{1,3}",
        "[0-2]{1,3}",
        "[A-Zé☃]{1,2}",
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// A design, one of its item types, and one of the sets of names that its keys have, each with some
/// text.
fn object() -> impl Strategy<Value = (Model, Object)> {
    (0..DESIGNS.len(), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_flat_map(
        |(which, item, form)| {
            let model = design(DESIGNS[which]);
            let of = item.index(model.items.len());
            let form = form.index(model.items[of].forms.len());
            let names: Vec<String> = model.items[of].forms[form].names.iter().cloned().collect();
            let texts = names.into_iter().map(|name| (Just(name), prop_oneof![text(), Just("urn:a:B::1".to_owned())]));
            (Just(model), texts.collect::<Vec<_>>()).prop_map(move |(model, names)| {
                (model, Object { of: TypeId(of), names: names.into_iter().collect::<Names>() })
            })
        },
    )
}

/// A key that consists of a design's templates with any texts in them, valid or not. It is not
/// rendered by the crate, so that it includes keys that the crate refuses.
fn forged_key() -> impl Strategy<Value = (Model, Key)> {
    object().prop_map(|(model, object)| {
        let form = &model.item(object.of).forms[0];
        let lookup = |name: &str| Some(object.names.get(name).cloned().unwrap_or_else(|| "x".to_owned()));
        let key = Key { pk: form.pk.render(&lookup).unwrap(), sk: form.sk.render(&lookup).unwrap() };
        (model, key)
    })
}

/// A model of two item types with templates that are likely to overlap.
fn two_types() -> impl Strategy<Value = String> {
    let name = |names: &'static [&'static str]| prop::sample::select(names);
    let template = (
        prop::sample::select(&["", "U:", "G:", "METADATA", "urn:", "0", "1"][..]),
        prop::option::of((
            name(&["{a}", "{a|lower}", "{set}", "{b|urlencode}", "{urn}", "{n|pad:2}"]),
            prop::sample::select(&["#", ":", "|||"][..]),
        )),
        prop::option::of(name(&[
            "{b}",
            "{a}",
            "{set}",
            "{c|lower}",
            "{urn}",
            "{c|urlencode}",
            "{n|pad:2}",
            "{m|pad:3}",
        ])),
    );
    let template = template.prop_map(|(constant, middle, last)| {
        let middle = middle.map(|(name, then)| format!("{name}{then}")).unwrap_or_default();
        let whole = format!("{constant}{middle}{}", last.unwrap_or_default());
        if whole.is_empty() { "METADATA".to_owned() } else { whole }
    });
    prop::collection::vec(template, 4).prop_map(|t| {
        let names = "set = [\"admin\", \"client\", \"U\"]\nurn = { like = \"urn:{x}:{y}\" }";
        let table = "model = \"m\"\ntable = { pk = \"PK\", sk = \"SK\" }";
        let item = |name: &str, pk: &str, sk: &str| format!("[items.{name}]\npk = \"{pk}\"\nsk = \"{sk}\"\n");
        format!("{table}\n[names]\n{names}\n{}{}", item("A", &t[0], &t[1]), item("B", &t[2], &t[3]))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// Matching a rendered key gives the same object. Other objects are not rendered.
    #[test]
    fn rendering_and_reading_are_inverse((model, object) in object()) {
        if let Ok(keys) = model.keys(&object) {
            prop_assert!(!keys.is_empty());
            for key in keys {
                let Identity::Item { object: read, .. } = model.identify(&key) else {
                    return Err(TestCaseError::fail(format!("{key:?} is nothing")));
                };
                prop_assert_eq!(&read, &object);
            }
        }
    }

    /// INVARIANT 1, one target for one item: the name of a Cognito user leads back to the item that has
    /// it, and to no other.
    #[test]
    fn a_user_name_leads_back_to_its_item((model, object) in object()) {
        let user = model.item(object.of).user.as_ref();
        let Some((user, key)) = user.zip(model.keys(&object).ok().and_then(|keys| keys.into_iter().next())) else {
            return Ok(());
        };
        let is_canonical = matches!(model.identify(&key), Identity::Item { canonical: true, .. });
        let lookup = model.lookup(object.of, &object.names, None);
        let name = model.cognito_name(object.of, &user.name, &lookup).ok().filter(|_| is_canonical);
        let Some(name) = name else { return Ok(()) };
        let found = (0..model.items.len()).filter_map(|of| {
            let of = TypeId(of);
            let user = model.item(of).user.as_ref()?;
            model.object_named(of, &model.read_name(of, &user.name, &name)?)
        });
        prop_assert_eq!(found.collect::<Vec<_>>(), std::slice::from_ref(&object));
    }

    /// The object of any key has that key among its own: a value cannot turn it into another
    /// object's key.
    #[test]
    fn a_matched_object_has_that_key((model, key) in forged_key()) {
        if let Identity::Item { object, .. } = model.identify(&key) {
            let keys = model.keys(&object);
            prop_assert!(keys.as_ref().is_ok_and(|keys| keys.contains(&key)), "{key:?} {object:?} {keys:?}");
        }
    }

    /// Two different objects never share a key.
    #[test]
    fn no_two_things_share_a_key((model, object) in object(), texts in prop::collection::vec(text(), 8), of in any::<prop::sample::Index>()) {
        let of = of.index(model.items.len());
        let names = model.items[of].forms[0].names.iter().cloned().zip(texts).collect();
        let other = Object { of: TypeId(of), names };
        if let (Ok(one), Ok(two)) = (model.keys(&object), model.keys(&other))
            && object != other
        {
            prop_assert!(one.iter().all(|key| !two.contains(key)), "{one:?} {two:?}");
        }
    }

    /// Of two item types that share a key, the first one to be tried has only keys that the other
    /// has, too.
    #[test]
    fn the_first_match_is_the_narrower(text in two_types(), texts in prop::collection::vec(prop::collection::vec(text(), 4), 60)) {
        let Ok(model) = Model::parse("two.toml", &text) else { return Ok(()) };
        let mut wider = model.clone();
        wider.items.remove(0);
        let names: Vec<Vec<String>> = model.items.iter().map(|item| item.forms[0].names.iter().cloned().collect()).collect();
        let keys_of = |of: usize| -> Vec<Key> {
            let objects = texts.iter().map(|texts| Object {
                of: TypeId(of),
                names: names[of].iter().cloned().zip(texts.iter().cloned()).collect(),
            });
            objects.filter_map(|object| model.keys(&object).ok()).flatten().collect()
        };
        let is_wider = |key: &Key| matches!(wider.identify(key), Identity::Item { .. });
        let first = keys_of(0);
        let shared = first.iter().filter(|key| is_wider(key)).count();
        prop_assert!(shared == 0 || shared == first.len(), "{shared} of {} keys are shared: {first:?}", first.len());
        // A key of the second is never a key of the first: it would have been refused.
        for key in keys_of(1) {
            let Identity::Item { object, .. } = model.identify(&key) else { return Err(TestCaseError::fail("nothing")) };
            prop_assert_eq!(object.of, TypeId(1));
        }
    }

    /// No text makes the loader panic, or the printing of its errors.
    #[test]
    fn no_text_breaks_the_loader(text in "(?s).{0,200}") {
        if let Err(errors) = Model::parse("any.toml", &text) {
            prop_assert!(!crate::rendered(&errors).is_empty());
        }
    }

    /// Nor does a model with a part removed or doubled, which the loader processes further.
    #[test]
    fn no_torn_model_breaks_the_loader(
        which in 0..DESIGNS.len(),
        from in any::<prop::sample::Index>(),
        len in 1..60_usize,
        put in prop_oneof![Just(String::new()), text(), "[\"{}\\[\\]=#.|a-z\n]{1,6}"],
    ) {
        let folder = if Model::shipped(DESIGNS[which]).is_some() { "models" } else { "tests/models" };
        let path = format!("{}/{folder}/{}.toml", env!("CARGO_MANIFEST_DIR"), DESIGNS[which]);
        let whole: Vec<char> = std::fs::read_to_string(path).unwrap().chars().collect();
        let from = from.index(whole.len());
        let torn: String = whole[..from].iter().collect::<String>() + &put + &whole[(from + len).min(whole.len())..].iter().collect::<String>();
        match Model::parse("torn.toml", &torn) {
            Ok(model) => prop_assert!(!instep_model::describe(&model).is_empty()),
            Err(errors) => prop_assert!(!crate::rendered(&errors).is_empty()),
        }
    }
}
