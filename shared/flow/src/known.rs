//! What a pass knows so far: it computes what it can from what was read, and asks for the rest.

/// Something must be read first. The view has asked for it.
///
/// A function may return as soon as it meets this: a pass that has asked for anything is thrown away, and the next one
/// starts with the answers. But it should ask for all that it needs before it returns, since what is asked for later costs
/// a further round of reading: so loops are written with `all`, `any` and `first`. What is unread is never taken for
/// absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread;

/// A value, unless something must be read before it is known.
pub type Known<T> = Result<T, Unread>;

/// The values of all elements. Every element is asked, also after one that is unread.
pub(crate) fn all<T, R, C: FromIterator<R>>(
    of: impl IntoIterator<Item = T>,
    value: impl FnMut(T) -> Known<R>,
) -> Known<C> {
    let values: Vec<Known<R>> = of.into_iter().map(value).collect();
    values.into_iter().collect()
}

/// Whether a test holds for an element. It ends at the first one for which it does, and not at one that is unread.
pub(crate) fn any<T>(of: impl IntoIterator<Item = T>, mut test: impl FnMut(T) -> Known<bool>) -> Known<bool> {
    first(of, |element| Ok(test(element)?.then_some(()))).map(|found| found.is_some())
}

/// The first thing that is found for an element. It ends there, and not at an element that is unread.
pub(crate) fn first<T, R>(
    of: impl IntoIterator<Item = T>,
    mut find: impl FnMut(T) -> Known<Option<R>>,
) -> Known<Option<R>> {
    let mut none = Ok(None);
    for element in of {
        match find(element) {
            Ok(None) => {}
            Ok(found) => return Ok(found),
            Err(unread) => none = Err(unread),
        }
    }
    none
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each element is a value that is known, or unread. Returns what was asked, too.
    fn asked<R>(run: impl FnOnce(&mut dyn FnMut(Known<bool>) -> Known<bool>) -> R) -> (R, usize) {
        let mut count = 0;
        let result = run(&mut |element| {
            count += 1;
            element
        });
        (result, count)
    }

    #[test]
    fn everything_is_asked_for_in_one_round() {
        let (yes, no, unread) = (Ok(true), Ok(false), Err(Unread));
        assert_eq!(asked(|ask| all::<_, _, Vec<_>>([yes, unread, no, unread], ask)), (Err(Unread), 4));
        assert_eq!(asked(|ask| all([yes, no], ask)), (Ok(vec![true, false]), 2));
        assert_eq!(asked(|ask| any([no, unread, no, unread], ask)), (Err(Unread), 4));
        assert_eq!(asked(|ask| any([unread, yes, unread], ask)), (Ok(true), 2), "what is found decides");
        assert_eq!(asked(|ask| any([no, no], ask)), (Ok(false), 2));
        let mut find = |element: Known<bool>| Ok(element?.then_some("it"));
        assert_eq!(first([unread, yes], &mut find), Ok(Some("it")));
        assert_eq!(first([no, unread, no], &mut find), Err(Unread));
        assert_eq!(first([no], &mut find), Ok(None));
    }
}
