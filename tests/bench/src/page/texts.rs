//! What the page says beside its figures.

/// The workload, and how it is measured.
pub(super) const WORKLOAD: &str = "\
The workload has 1,000 records: 400 insertions (100 users, 50 groups, 250 memberships), 300 changes to
memberships (100 change the role, 50 another attribute, 150 are removals), 100 deleted parents with ten
children each, and 200 records that need no action. In the hot mix, 60% of the changes are to memberships
that an earlier record of the batch wrote. In the model of the workload, people create the Cognito users and
groups, and Instep changes only who is a member.

In-memory fakes stand in for the AWS services. Times depend on the machine: compare only times of one
execution of the benchmark. Other processes affect CPU time through caches and the frequency of the CPU,
and they lengthen wall-clock times.

";

/// What the calls are compared with.
pub(super) const CALLS: &str = "\
## Calls of a batch

The baseline is a function that reads the table only to find the children of a deleted parent. It
makes one Cognito call for each change, and fills each BatchWriteItem and PutEvents call. It can grant
access that has since been revoked. In the hot mix, Instep makes fewer calls: one Cognito call for each pair
of a user and a Cognito group, however many records change it. A membership that changes its role is in
two groups, one after the other.

";

/// Why fewer calls would break a promise.
pub(super) const FEWEST: &str = "\
### Why not fewer

- *Cognito*: one call for each pair of a user and a group that a record grants or revokes. The table decides
  whether the call adds or removes. A membership that a batch grants and then revokes needs its call, too: an
  earlier attempt at the same batch may have granted it and stopped, and nothing else would revoke it.
- *Query*: one for the children of each deleted parent, and one for the memberships of each new user: a
  membership may have been written before its user, and then waits for the user.
- *BatchGetItem*: up to 100 keys a call. Before it acts, Instep reads the items that the records
  name. Afterwards, it reads again the items that its actions depended on. The calls of each of the two reads
  are full, except the last.
- *TransactWriteItems*: up to 100 actions and checks a call. The tombstones of the parents, which mark them
  as deleted, go first. Then go the deletions of the children, with a check for each parent that it still
  does not exist. The ten deletions and the check of a parent stay together, so a call has nine parents, and
  99 actions and checks.
- *PutEvents*: up to ten events a call. The workload has 850 events: two for a changed role,
  none for another attribute of a membership, and one for each other change.

";

/// What the small batches are.
pub(super) const SMALL: &str = "\
## The common small batches

A sequential call waits for the one before it, so only sequential calls add latency. A change of a
membership is read, made, read again, and published; a changed role is two changes, one after the other. For a new
user, a query finds the memberships that wait for the user. A deleted parent gets its tombstone before a query
finds its children; the transaction that deletes them checks again what it relies on. The calls are those of a new process,
which also asks once what the users of the pool are called (DescribeUserPool).

";

/// What the stages do.
pub(super) const STAGES: &str = "\
Decode parses a record, plan collects what the record could affect,
reconcile decides what to do, and events makes the events of a change; each was measured once. The rest is
mostly calls of the SDK. Other sections measure a batch of 1,000 records in other ways, so their figures differ.

";

/// What the program is that only makes the calls.
pub(super) const ALONE: &str = "\
*The calls alone* is a program that makes as many calls of each operation as Instep, with the same SDK
clients, the same settings, and as many at the same time. It checks the same resources at its start, keeps
what it reads until a batch ends, and decides nothing. A function that makes these calls in the same way
needs at least as much CPU time and memory as this program. Its start is not shown: it is a part of the
benchmark's larger binary.

Each program has a CPU core for itself. The CPU and wall-clock times of Instep and of the calls alone are the
medians of nine batches, without a batch that warms up. Instep's start is the median of nine. It ends when
Instep asks for its first event; before that, it checks that the table, the pool and the bus exist. Both
programs read the machine's root certificates from one file, as on Lambda. In brackets: a figure divided by
Instep's.

";

/// What the programs are that Instep is compared with.
pub(super) const OTHERS: &str = "\
The other programs were measured in the same execution. They handle the same records, do not read the
present state of the table, and publish as many events. They are not in this repository. They measure themselves: the medians of nine
batches after some that warm them up, the CPU time of all their threads, and one start, until the handler is
loaded.

";

/// What Instep needs beyond its calls.
pub(super) const BEYOND: &str = "\
were not measured one by one. Instep's
requests have conditions and projections, which those of the calls alone do not; it converts the items that it
reads, and it allocates and frees what it decides with.

The extra memory holds the batch: its records until they are published or parked, the items that were read
until they are no longer needed, and the effects until they are applied.

";

/// What a sign-in is.
pub(super) const SIGN_INS: &str = "\
The function before tokens, in process: the grants of the user who signs in are read, and the items that decide. Each
call is answered after";

/// How an import is measured.
pub(super) const IMPORT: &str = "\
alone: by a virtual clock, in batches of 1,000 one after another, with Cognito's quota of 25 changes of memberships a second.
";
