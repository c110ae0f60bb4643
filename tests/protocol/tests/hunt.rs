use protocol::random::walk;
use protocol::*;
fn hunt(name: &str, n: u64, rules: &Rules, adapt: impl Fn(&mut World)) {
    let mut kinds = std::collections::BTreeMap::<String, u32>::new();
    let mut first: Option<(usize, u64, String)> = None; let mut bad = 0;
    let t = std::time::Instant::now();
    for seed in 0..n { if let Some(b) = walk(seed, rules, &adapt).broken { bad += 1; *kinds.entry(format!("{:?}", b.breaches[0]).split('(').next().unwrap().to_string()).or_default() += 1;
        if first.as_ref().is_none_or(|f| f.0 > b.steps.len()) { first = Some((b.steps.len(), seed, format!("{:?}\n{}", b.breaches, b.text))); } } }
    println!("== {name}: {bad} of {n}, {kinds:?} {:?}", t.elapsed());
    if let (Some(f), true) = (first, std::env::var("SHOW").is_ok()) { println!("seed {} ({} steps) {}", f.1, f.0, f.2); }
}
#[test] fn lr_index() { hunt("lr index", 60000, &Rules::PRODUCT, |w| { w.last_revocation = w.unheard.is_empty(); w.find_by_user = Find::Index; w.find_by_group = Find::Partition; w.children.clear(); }); }
#[test] fn lr() { hunt("lr", 60000, &Rules::PRODUCT, |w| { w.last_revocation = w.unheard.is_empty(); }); }
#[test] fn lr_ref() { hunt("lr ref", 60000, &Rules::PRODUCT, |w| { w.last_revocation = w.unheard.is_empty(); w.find_by_user = Find::Reference; }); }
#[test] fn base() { hunt("base", 20000, &Rules::PRODUCT, |_| ()); }
