//! Why an entry is parked although no call was refused.

/// A reason for which a run leaves something as it is until a person fixes the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Refusal {
    /// Its key, or a key made of its attributes, is longer than DynamoDB allows.
    KeyTooLong,
    /// More items could keep a membership or a child than a run reads, and none of those it has read
    /// does.
    TooManyItems,
    /// Dependents of a deleted object are left, and some may have been written long after its deletion.
    LateCascade,
    /// Another item has, or may have, what an earlier model may have made of this one.
    OtherSpelling,
}

impl Refusal {
    /// A stable code.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::KeyTooLong => "key-too-long",
            Self::TooManyItems => "too-many-items",
            Self::LateCascade => "late-cascade",
            Self::OtherSpelling => "other-spelling",
        }
    }

    /// What is wrong and how to fix it.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::KeyTooLong => {
                "an attribute is too long for the key that is made of it (DynamoDB allows 2,048 bytes in a partition \
                 key and 1,024 in a sort key): write a shorter value, then redrive the record"
            }
            Self::TooManyItems => {
                "a membership or a child stays: 1,000 to 10,000 items that could keep it were read, and none does, \
                 but there are more. Delete those that are not needed, then redrive the record"
            }
            Self::LateCascade => {
                "items that belong to a deleted item are left, and this came more than 6 hours late: some of them may \
                 have been written since the deletion. `instep sweep` lists them as `orphan`: delete them, or write \
                 the parent again, then redrive the record"
            }
            Self::OtherSpelling => {
                "a name of this item is not in lower case. An earlier version of the model may have made a user, group \
                 or membership with the name as it is, and it stays: another item exists that may have it, under its \
                 own name or under that name in lower case. Look in the user pool, and delete there what no item \
                 has. Then, or if the model always had `lower`, delete this message"
            }
        }
    }
}
