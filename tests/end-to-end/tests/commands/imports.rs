//! No source file of a crate imports another in a circle. So each file can be read after those that it needs.
//!
//! A file imports another if one of its paths leads to a name that the other defines: a `use` declaration, or a path in the
//! code, in a macro's arguments or in an attribute. A re-export (`pub use`) imports nothing, and whoever uses the name
//! imports the file that defines it. What a module contains is a part of it, and may use its names. Test modules are left
//! out: they may use everything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{Visit, visit_item_use, visit_path};
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, ItemUse, Lit, Meta, UseTree, Visibility};

use crate::support::root;

/// A path as it is written: `crate::effect::Effect`.
type Names = Vec<String>;

/// The modules of a crate; the first one is its root.
#[derive(Default)]
struct Crate(Vec<Module>);

/// What a module defines, imports and uses.
struct Module {
    file: PathBuf,
    parent: usize,
    children: BTreeMap<String, usize>,
    defined: BTreeSet<String>,
    /// What the names stand for that `use` declarations bring in.
    imported: BTreeMap<String, Names>,
    /// The modules of `use module::*`.
    globs: Vec<Names>,
    used: BTreeSet<Names>,
}

/// Reads one module.
struct Reader<'a> {
    modules: &'a mut Crate,
    module: usize,
    /// The folder of its child modules.
    folder: PathBuf,
}

impl Crate {
    fn read(root: &Path) -> Self {
        let mut modules = Self::default();
        modules.file(root.to_owned(), 0, root.parent().unwrap().to_owned());
        modules
    }

    fn module(&mut self, file: PathBuf, parent: usize) -> usize {
        self.0.push(Module {
            file,
            parent,
            children: BTreeMap::new(),
            defined: BTreeSet::new(),
            imported: BTreeMap::new(),
            globs: Vec::new(),
            used: BTreeSet::new(),
        });
        self.0.len() - 1
    }

    fn file(&mut self, file: PathBuf, parent: usize, folder: PathBuf) -> usize {
        let text = std::fs::read_to_string(&file).unwrap();
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let module = self.module(file, parent);
        Reader { modules: self, module, folder }.items(&parsed.items);
        module
    }

    /// The module that defines what this path leads to, if it is one of this crate's.
    fn definition(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        let ((name, rest), module) = (path.split_first()?, &self.0[from]);
        // A name that is imported as itself, such as that of another crate, leads nowhere.
        let depth = depth.checked_sub(1)?;
        match name.as_str() {
            "crate" => return self.definition(0, rest, depth),
            "self" => return self.definition(from, rest, depth),
            "super" => return self.definition(module.parent, rest, depth),
            _ => {}
        }
        if let Some(child) = module.children.get(name).filter(|_| !rest.is_empty()) {
            return self.definition(*child, rest, depth);
        }
        if module.defined.contains(name) {
            return Some(from);
        }
        let imported = module.imported.get(name).map(|path| [path, rest].concat());
        let globs = module.globs.iter().map(|glob| [glob, path].concat());
        imported.into_iter().chain(globs).find_map(|path| self.definition(from, &path, depth))
    }

    /// A module contains itself and the modules in it.
    fn contains(&self, outer: usize, inner: usize) -> bool {
        outer == inner || inner != 0 && self.contains(outer, self.0[inner].parent)
    }

    /// Each file's imports, with the names that it takes.
    fn imports(&self) -> Imports<'_> {
        let mut imports = Imports::new();
        for (from, module) in self.0.iter().enumerate() {
            for path in &module.used {
                let Some(to) = self.definition(from, path, 16) else { continue };
                if !self.contains(to, from) {
                    let to = &self.0[to];
                    let name = path.iter().rfind(|name| to.defined.contains(*name)).or(path.last()).unwrap();
                    imports.entry(&module.file).or_default().entry(&to.file).or_default().insert(name);
                }
            }
        }
        imports
    }
}

impl Reader<'_> {
    fn this(&mut self) -> &mut Module {
        &mut self.modules.0[self.module]
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other item defines a name, or it is a module or an import")]
    fn items(&mut self, items: &[Item]) {
        for item in items {
            let name = match item {
                Item::Const(item) => Some(&item.ident),
                Item::Enum(item) => Some(&item.ident),
                Item::Fn(item) => Some(&item.sig.ident),
                Item::Macro(item) => item.ident.as_ref(),
                Item::Static(item) => Some(&item.ident),
                Item::Struct(item) => Some(&item.ident),
                Item::Trait(item) => Some(&item.ident),
                Item::Type(item) => Some(&item.ident),
                Item::Union(item) => Some(&item.ident),
                _ => None,
            };
            self.this().defined.extend(name.map(ToString::to_string));
            self.visit_item(item);
        }
    }

    /// The leaves of a `use` declaration.
    fn import(&mut self, tree: &UseTree, before: &[String], is_re_export: bool) {
        let (path, name) = match tree {
            UseTree::Path(path) => {
                let before = [before, &[path.ident.to_string()]].concat();
                return self.import(&path.tree, &before, is_re_export);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, before, is_re_export));
            }
            UseTree::Glob(_) => return self.this().globs.push(before.to_vec()),
            UseTree::Name(leaf) if leaf.ident == "self" => (before.to_vec(), before.last().unwrap().clone()),
            UseTree::Name(leaf) => ([before, &[leaf.ident.to_string()]].concat(), leaf.ident.to_string()),
            UseTree::Rename(leaf) => ([before, &[leaf.ident.to_string()]].concat(), leaf.rename.to_string()),
        };
        if !is_re_export {
            self.this().used.insert(path.clone());
        }
        self.this().imported.insert(name, path);
    }

    /// The paths in what the parser leaves as tokens.
    fn tokens(&mut self, tokens: TokenStream, with_texts: bool) {
        let (mut path, mut colons, mut is_field) = (Names::new(), 0, false);
        for token in tokens {
            match token {
                TokenTree::Ident(name) if colons == 2 || path.is_empty() => {
                    path.extend((!is_field).then(|| name.to_string()));
                    (colons, is_field) = (0, false);
                    continue;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Punct(mark) => is_field = mark.as_char() == '.',
                TokenTree::Group(group) => self.tokens(group.stream(), with_texts),
                TokenTree::Literal(text) if with_texts => {
                    let text = syn::parse_str::<syn::LitStr>(&text.to_string());
                    if let Ok(named) = text.and_then(|text| text.parse::<syn::Path>()) {
                        self.visit_path(&named);
                    }
                }
                TokenTree::Ident(name) => {
                    self.this().used.insert(std::mem::replace(&mut path, vec![name.to_string()]));
                    (colons, is_field) = (0, false);
                    continue;
                }
                TokenTree::Literal(_) => {}
            }
            colons = 0;
            self.this().used.insert(std::mem::take(&mut path));
        }
        self.this().used.insert(path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        Meta::Path(_) | Meta::NameValue(_) => false,
    })
}

/// The file of `#[path = "…"]`.
fn named_path(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => {
            let Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) = &pair.value else { return None };
            Some(path.value())
        }
        Meta::NameValue(_) | Meta::Path(_) | Meta::List(_) => None,
    })
}

impl Visit<'_> for Reader<'_> {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        let name = item.ident.to_string();
        let (folder, parent) = (self.folder.join(&name), self.module);
        let child = if let Some((_, items)) = &item.content {
            let file = self.this().file.clone();
            let module = self.modules.module(file, parent);
            Reader { modules: self.modules, module, folder }.items(items);
            module
        } else {
            let beside = match named_path(&item.attrs) {
                Some(path) => self.this().file.with_file_name(path),
                None => self.folder.join(format!("{name}.rs")),
            };
            let file = if beside.exists() { beside } else { folder.join("mod.rs") };
            self.modules.file(file, parent, folder)
        };
        self.this().children.insert(name, child);
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        self.import(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
        visit_item_use(self, item);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        self.this().used.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &syn::Macro) {
        self.visit_path(&called.path);
        self.tokens(called.tokens.clone(), false);
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone(), true);
        }
    }
}

/// From a file to those that it imports, and the names that it takes from each.
type Imports<'a> = BTreeMap<&'a Path, BTreeMap<&'a Path, BTreeSet<&'a str>>>;

/// The files that a file imports, and that those import.
fn reached<'a>(imports: &Imports<'a>, from: &'a Path) -> BTreeSet<&'a Path> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(file) = next.pop() {
        next.extend(imports.get(file).into_iter().flat_map(BTreeMap::keys).filter(|to| reached.insert(**to)));
    }
    reached
}

/// The circles of a crate: their imports, a line each.
fn circles(root: &Path) -> Vec<String> {
    let modules = Crate::read(root);
    let imports = modules.imports();
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        imports.keys().map(|file| (*file, reached(&imports, file))).collect();
    let is_circle =
        |a: &Path, b: &Path| reached[a].contains(b) && reached.get(b).is_some_and(|files| files.contains(a));
    let mut circles: BTreeMap<&Path, String> = BTreeMap::new();
    for (from, files) in &imports {
        for (to, names) in files.iter().filter(|(to, _)| is_circle(from, to)) {
            let first = reached[from].iter().find(|file| is_circle(from, file)).unwrap();
            let names = names.iter().copied().collect::<Vec<&str>>().join(", ");
            let line = format!("{} imports {names} from {}\n", from.display(), to.display());
            circles.entry(first).or_default().push_str(&line);
        }
    }
    circles.into_values().collect()
}

/// The root files of the crates: libraries and programs.
fn crates() -> Vec<PathBuf> {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    let listed = cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let listed: serde_json::Value = serde_json::from_slice(&listed.output().unwrap().stdout).unwrap();
    let packages = listed["packages"].as_array().unwrap().iter();
    let targets = packages.flat_map(|package| package["targets"].as_array().unwrap());
    let roots = targets.map(|target| PathBuf::from(target["src_path"].as_str().unwrap()));
    roots.filter(|file| file.parent().unwrap().ends_with("src")).collect()
}

/// No source file of a crate imports another in a circle.
#[test]
fn no_files_import_each_other() {
    let crates = crates();
    assert!(crates.len() > 20, "{crates:?}");
    let circles: Vec<String> = crates.iter().flat_map(|root| circles(root)).collect();
    assert!(circles.is_empty(), "move the names that tie a circle to a file below both:\n\n{}", circles.join("\n"));
}

/// A circle is found wherever a name is used, and through re-exports. What a module contains may use it.
#[test]
fn a_circle_is_found() {
    let names = [
        ("use crate::b::Name as Other;", "Name"),
        ("fn f() { crate::b::Name::new(); }", "Name"),
        ("fn f() { super::b::made() }", "made"),
        ("use crate::b;\nfn f() { b::made() }", "made"),
        ("fn f() { println!(\"{}\", 1 + crate::b::made()); }", "made"),
        ("#[serde(default = \"crate::b::made\")] struct S;", "made"),
        ("use super::b::*;\nfn f() { made() }", "made"),
        ("use std::fmt;\n#[cfg(test)] mod tests { use crate::b::Name; }", ""),
        ("use crate::Root;", ""),
    ];
    for (uses, name) in names {
        let folder = tempfile::tempdir().unwrap();
        let at = |file: &str| folder.path().join(file);
        std::fs::create_dir(at("b")).unwrap();
        std::fs::write(at("lib.rs"), "mod a;\nmod b;\npub use a::f;\nstruct Root;").unwrap();
        std::fs::write(at("a.rs"), format!("{uses}\npub struct Used;")).unwrap();
        std::fs::write(at("b/mod.rs"), "mod c;\npub(crate) use c::*;").unwrap();
        std::fs::write(at("b/c.rs"), "use crate::a::Used;\npub(crate) struct Name;\npub(crate) fn made() {}").unwrap();
        let (a, c) = (at("a.rs").display().to_string(), at("b/c.rs").display().to_string());
        let circle = format!("{a} imports {name} from {c}\n{c} imports Used from {a}\n");
        assert_eq!(circles(&at("lib.rs")), if name.is_empty() { vec![] } else { vec![circle] }, "{uses}");
    }
}
