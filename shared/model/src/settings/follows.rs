//! The settings of an item type from which access, unique values and changes follow, and those of a reference.

use super::{Setting, SettingShape};

pub(super) const OF_WHAT_FOLLOWS: &[Setting] = &[
    Setting {
        path: "items.*.grant.subject",
        shape: SettingShape::Reference,
        default: "needed",
        doc: "Who has the roles.",
    },
    Setting {
        path: "items.*.grant.scope",
        shape: SettingShape::ReferenceOrTemplate,
        default: "everywhere",
        doc: "Where: another item, or a template.",
    },
    Setting {
        path: "items.*.grant.roles",
        shape: SettingShape::Texts,
        default: "one grant without roles",
        doc: "An attribute (or a list of attributes, of which the first that has a value counts) whose value is \
              a string, or a list or set of strings; or a template.",
    },
    Setting {
        path: "items.*.grant.role",
        shape: SettingShape::Reference,
        default: "roles are texts, no items",
        doc: "The item of each role, with `{role}` for the role: each role is in force while its item exists \
              ([details](guide/relations.md#roles-that-are-items)).",
    },
    Setting {
        path: "items.*.grant.same",
        shape: SettingShape::Texts,
        default: "none",
        doc: "Names that the subject, the scope and the role must have in common, such as the id of a tenant: otherwise \
              the grant does not count in answers. What a scope lacks, the item has that it is within; a role without the \
              name is everybody's. The names also complete the keys of scopes and roles. Only answers read it.",
    },
    Setting {
        path: "items.*.grant.from",
        shape: SettingShape::Texts,
        default: "at once",
        doc: "The attribute with the time from which the grant is in force. Of a list of attributes, the first \
              that has a value counts. Instep adds and removes the membership at these times \
              ([details](guide/time.md)).",
    },
    Setting {
        path: "items.*.grant.until",
        shape: SettingShape::Texts,
        default: "without an end",
        doc: "The attribute with the time until which the grant is in force, as `from`.",
    },
    Setting {
        path: "items.*.grant.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "The grant counts while the [condition](reference/templates.md#conditions) holds.",
    },
    Setting {
        path: "items.*.grant.last.delete",
        shape: SettingShape::OneOf(&["subject"]),
        default: "needed",
        doc: "Deletes the subject when its last grant is revoked. Every grant to the subject counts, of any item \
              type; only the revocation of one that has `last` deletes the subject \
              ([details](guide/cognito.md#the-last-grant)).",
    },
    Setting {
        path: "items.*.grant.last.written",
        shape: SettingShape::Texts,
        default: "needed",
        doc: "The subject's attributes that contain the time of its last write. If one of these times is not \
              older than the revocation, or none is there, Instep keeps the subject: somebody may have written \
              it since. A date counts as the end of its day.",
    },
    Setting {
        path: "items.*.guard.owner",
        shape: SettingShape::Text,
        default: "needed",
        doc: "Makes the item a guard: an item type whose key has one spelling owns its unique value.",
    },
    Setting {
        path: "items.*.guard.by.*",
        shape: SettingShape::Text,
        default: "the attribute of the same name",
        doc: "For each name in the owner's key, the attribute of the guard that has its value, also if the name \
              is in the guard's own key. A name with several attributes needs it.",
    },
    Setting {
        path: "items.*.guard.find",
        shape: SettingShape::OneOf(&["query", "back-reference"]),
        default: "by its claims alone",
        doc: "How a deleted owner finds the guards that name it, whatever claims there are \
              ([details](guide/guards.md#guards-of-any-value)). `\"query\"`: in a partition or an index that leads from \
              the owner to them. `\"back-reference\"`: Instep writes a bookkeeping item for each.",
    },
    Setting {
        path: "items.*.guard.writes.*",
        shape: SettingShape::Template,
        default: "the names in the guard's key",
        doc: "Further attributes of a guard that Instep creates; their values may use the names in the guard's \
              key and `{now}`, the time in RFC 3339. Instep adds the owner's names, the index keys and the \
              `type` attribute itself.",
    },
    Setting {
        path: "items.*.claims",
        shape: SettingShape::OneOrMore,
        default: "",
        doc: "How owners give the guard's key. `[[items.X.claims]]` is one claim. `claims = []`: no owner claims a \
              value, and writers make the guards; it needs `guard.find`.",
    },
    Setting {
        path: "items.*.claims.*",
        shape: SettingShape::Template,
        default: "the owner's attribute of that name",
        doc: "How the owner gives the guard's key: for each name in that key, a template over the owner's \
              attributes.",
    },
    Setting {
        path: "items.*.claims.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "An owner claims the key only while the [condition](reference/templates.md#conditions) holds.",
    },
    Setting {
        path: "items.*.claims.transfer.when",
        shape: SettingShape::Condition,
        default: "never",
        doc: "An owner for which this holds takes the unique value from an owner for which it does not.",
    },
    Setting {
        path: "items.*.cognito.user.name",
        shape: SettingShape::Template,
        default: "needed",
        doc: "The Cognito username: a template of names in the item's key.",
    },
    Setting {
        path: "items.*.cognito.user.create",
        shape: SettingShape::Create,
        default: "`\"silent\"`",
        doc: "`\"silent\"`: Cognito sends no invitation. `\"invite\"`: it sends one. `false`: people create the \
              user.",
    },
    Setting {
        path: "items.*.cognito.user.delete",
        shape: SettingShape::UserDeletion,
        default: "`true`, and `false` if `create = false`",
        doc: "Whether Instep deletes the user when the item is deleted. As a table, it disables the user then, takes its \
              memberships, and deletes it [later](guide/people.md#deletions-that-wait).",
    },
    Setting {
        path: "items.*.cognito.user.delete.after",
        shape: SettingShape::Text,
        default: "needed",
        doc: "How long after: a whole number and `s`, `m`, `h` or `d`, at most 90 days.",
    },
    Setting {
        path: "items.*.cognito.user.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "The user exists while the [condition](reference/templates.md#conditions) holds.",
    },
    Setting {
        path: "items.*.cognito.user.disabled",
        shape: SettingShape::Condition,
        default: "neither enabled nor disabled",
        doc: "The user is disabled while the condition holds, and enabled while it does not. A disabled user stays in the \
              groups: `when` takes them away.",
    },
    Setting {
        path: "items.*.cognito.user.attributes.*",
        shape: SettingShape::Template,
        default: "none",
        doc: "A Cognito attribute, and the template of its value. A list has no place in one, so it parks the \
              record. Cognito refuses values in another form than `email`, `phone_number` (`+14155550100`), \
              `birthdate` (`1990-05-01`), `updated_at` (a number) and `…_verified` (`true`, `false`) have, which \
              parks the record, too. Your own attributes begin with `custom:`; there are at most 50. One that is made \
              of a guard's unique value is set [only while the item holds \
              it](guide/cognito.md#unique-attributes).",
    },
    Setting {
        path: "items.*.cognito.groups",
        shape: SettingShape::Groups,
        default: "none",
        doc: "The groups of the item: a template of names in the item's key, and at most one name with fixed \
              values, which gives a group for each value. Or a list of templates, or of tables.",
    },
    Setting {
        path: "items.*.cognito.groups.name",
        shape: SettingShape::Template,
        default: "needed",
        doc: "The template, if there are other settings, too.",
    },
    Setting {
        path: "items.*.cognito.groups.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "The group exists while the condition holds.",
    },
    Setting {
        path: "items.*.cognito.groups.precedence",
        shape: SettingShape::Precedence,
        default: "left to people",
        doc: "A number from 0 to 2147483647: of a member's groups, the one with the lowest gives the preferred IAM \
              role. One for all groups, a table with one for each value, `{ lead = 1, player = 2 }`, or a template \
              of an attribute that has it ([details](guide/cognito.md#precedence-and-iam-roles)).",
    },
    Setting {
        path: "items.*.cognito.groups.iam_role",
        shape: SettingShape::IamRole,
        default: "left to people",
        doc: "The ARN of the IAM role whose credentials members can get from an identity pool: one for all groups, \
              or a table with one for each value. No item can give it.",
    },
    Setting {
        path: "items.*.cognito.member",
        shape: SettingShape::OneOrMore,
        default: "none",
        doc: "A membership in Cognito, or several.",
    },
    Setting {
        path: "items.*.cognito.member.user",
        shape: SettingShape::User,
        default: "needed",
        doc: "The user who is a member: a reference to an item type with a `cognito.user`; or, if people sign up, the \
              account's `sub` or `name`, as a table. Instep neither creates, changes nor deletes such an account. While \
              it does not exist, the membership is pending: it is added when the user has signed up. Several items \
              can name one account. [People who sign up](guide/people.md).",
    },
    Setting {
        path: "items.*.cognito.member.user.sub",
        shape: SettingShape::Template,
        default: "",
        doc: "The `sub` of an account of somebody who signs up. It may be in an attribute. Cognito makes it, so \
              nobody else can have it: use it whenever your ids come from a token. Where the value is empty, there is \
              no membership.",
    },
    Setting {
        path: "items.*.cognito.member.user.name",
        shape: SettingShape::Template,
        default: "",
        doc: "The user name of an account of somebody who signs up. People choose it, so the application writes the \
              item only after that user has signed in: before, a stranger could take the name. It is never an email \
              address. In a pool that ignores case, write `|lower`. A model uses `sub` or `name`, not both.",
    },
    Setting {
        path: "items.*.cognito.member.group",
        shape: SettingShape::Group,
        default: "needed",
        doc: "A reference to the item that has the groups, a template with `{role}`, or `{ name = \"staff\" }` \
              for a constant name. If the referenced item has several groups, the user becomes a member of each.",
    },
    Setting {
        path: "items.*.cognito.member.group.name",
        shape: SettingShape::Template,
        default: "",
        doc: "The name of a group that is constant.",
    },
    Setting {
        path: "items.*.cognito.member.made",
        shape: SettingShape::OneOf(&["with-item", "on-demand", "by-hand"]),
        default: "`\"with-item\"` for a reference, `\"on-demand\"` for a template",
        doc: "Who makes the group. `\"with-item\"`, for a reference only: Instep, with its item. For a template, \
              `\"on-demand\"`: Instep, with its first member; or `\"by-hand\"`: people.",
    },
    Setting {
        path: "items.*.cognito.member.in",
        shape: SettingShape::OneOf(&["pool", "token"]),
        default: "`\"pool\"`",
        doc: "Where the group is. `\"token\"`: in no pool. The function of tokens gives it to a user at each sign-in and \
              refresh, as the table says then, and Instep makes no call to Cognito for it. `cognito.groups` then only \
              gives names. [Groups in tokens](guide/tokens.md).",
    },
    Setting {
        path: "items.*.cognito.member.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "The membership counts while the condition holds.",
    },
    Setting {
        path: "items.*.cognito.member.sign_out",
        shape: SettingShape::Flag,
        default: "`false`",
        doc: "Whether Instep signs the user out (AdminUserGlobalSignOut) after it has removed the membership, once for \
              each user and batch. [What that ends, and what it does not](guide/cognito.md#sign-out).",
    },
    Setting {
        path: "items.*.due",
        shape: SettingShape::OneOrMore,
        default: "none",
        doc: "What changes in the item when a time has come: `[{ at = \"end_date\", when = { status = \"on\" }, \
              set = { status = \"off\" } }]`.",
    },
    Setting {
        path: "items.*.due.at",
        shape: SettingShape::Text,
        default: "needed",
        doc: "The name whose value is the time, with `is = \"date\"` or `\"time\"` in `[names]` \
              ([details](guide/time.md)).",
    },
    Setting {
        path: "items.*.due.when",
        shape: SettingShape::Condition,
        default: "needed",
        doc: "At that time, if this holds, Instep sets the values of `set`.",
    },
    Setting {
        path: "items.*.due.set.*",
        shape: SettingShape::Value,
        default: "needed",
        doc: "An attribute, and its new value. What is set must make `when` false.",
    },
    Setting {
        path: "REFERENCE.type",
        shape: SettingShape::Text,
        default: "needed",
        doc: "The item type referred to; with `?` at its end, it need not exist. A string is short for a table \
              with `type` alone ([references](guide/relations.md)).",
    },
    Setting {
        path: "REFERENCE.find",
        shape: SettingShape::OneOf(&["back-reference", "sweep"]),
        default: "keys or an index",
        doc: "How Instep finds the referring items, where neither a partition nor an index leads to them.",
    },
    Setting {
        path: "REFERENCE.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "Of a `parent` only: the reference counts while the condition holds.",
    },
    Setting {
        path: "REFERENCE.written",
        shape: SettingShape::Texts,
        default: "every child may be of an earlier parent",
        doc: "Of a `parent` only: the attributes in which the item says when it was written. If the parent [is deleted \
              and written again before Instep handles that](design/races.md#a-parent-that-is-written-again-too-soon), \
              they tell its new children from the earlier ones. A date counts as the end of its day.",
    },
    Setting {
        path: "REFERENCE.*",
        shape: SettingShape::Template,
        default: "the item's own key, attribute or index key of that name",
        doc: "A name of the target's key, and where its value comes from.",
    },
];
