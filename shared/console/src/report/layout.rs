//! The width of the report for people. On a terminal, long values lose their middle so that lines
//! fit it. Elsewhere they are whole: what is piped is read by programs, and searched.

use crate::output::WIDTH;

/// The narrowest terminal for which lines are made to fit.
const NARROWEST: usize = 40;

/// The shortest form of a shortened part of a value: `a…b`.
const PART: usize = 3;

/// The characters that separate the parts of an id or of a name in Cognito.
const SEPARATORS: [char; 6] = ['/', '|', '#', ':', ',', ' '];

/// The room for lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// The width at which texts are broken between words.
    pub(super) width: usize,
    /// Whether no line may be wider.
    is_limited: bool,
}

impl Layout {
    /// For a terminal of so many columns, or for output that is not a terminal.
    pub(super) fn new(columns: Option<usize>) -> Self {
        Self { width: columns.map_or(WIDTH, |columns| columns.max(NARROWEST)), is_limited: columns.is_some() }
    }

    /// Whether a text may take `width` columns of the `room` in a line.
    pub(super) fn has_room(self, width: usize, room: usize) -> bool {
        !self.is_limited || width <= room
    }

    /// The text in at most `room` columns. If it is longer, its longest parts lose their middle, as
    /// ids differ at their ends, and each part says something else: the user, or the group.
    pub(super) fn fit(self, text: &str, room: usize) -> String {
        let text: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        if self.has_room(text.chars().count(), room) {
            return text;
        }
        let parts: Vec<&str> = text.split_inclusive(SEPARATORS).collect();
        // A separator stays with the part that it ends.
        let (texts, ends): (Vec<&str>, Vec<&str>) =
            parts.iter().map(|part| part.split_at(part.trim_end_matches(SEPARATORS).len())).unzip();
        let room_of_texts = room.saturating_sub(ends.iter().map(|end| end.len()).sum());
        let lengths: Vec<usize> = texts.iter().map(|text| text.chars().count()).collect();
        let Some((most, mut more)) = longest(&lengths, room_of_texts) else { return shortened(&text, room) };
        let mut fitted = String::new();
        for ((text, length), end) in texts.iter().zip(&lengths).zip(ends) {
            let extra = usize::from(*length > most && more > 0);
            more -= extra;
            fitted.push_str(&shortened(text, most + extra));
            fitted.push_str(end);
        }
        fitted
    }

    /// The text in lines of at most `width` columns, broken between words.
    pub(super) fn wrap(self, text: &str, width: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                Some(_) | None => lines.push(self.fit(word, width)),
            }
        }
        if lines.is_empty() { vec![String::new()] } else { lines }
    }
}

/// The length up to which parts of these lengths stay whole if all together have this room, and how
/// many of the longer ones get one character more. `None` if shortened parts would say nothing.
fn longest(lengths: &[usize], room: usize) -> Option<(usize, usize)> {
    let taken = |most: usize| lengths.iter().map(|length| *length.min(&most)).sum::<usize>();
    let most = (PART..room.max(PART)).take_while(|most| taken(*most) <= room).last()?;
    Some((most, room - taken(most)))
}

/// The text without its middle.
fn shortened(text: &str, width: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= width {
        return text.to_owned();
    }
    let keep = width.saturating_sub(1);
    let end = keep / 2;
    let mut text: String = chars.iter().take(keep - end).collect();
    text.push('…');
    text.extend(chars.iter().skip(chars.len() - end));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_lose_their_middle_and_long_texts_wrap() {
        let layout = Layout::new(Some(100));
        assert_eq!(layout.fit("0123456789", 10), "0123456789");
        assert_eq!(layout.fit("0123456789a", 10), "01234…789a");
        assert_eq!(layout.fit("a\nb", 10), "a\u{fffd}b");
        assert_eq!(layout.wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(layout.wrap("", 8), [""]);
    }

    /// Each part of an id keeps both of its ends, and what is short stays whole.
    #[test]
    fn each_part_of_a_value_keeps_its_ends() {
        let layout = Layout::new(Some(100));
        let id = "ann.a.long.name@example.com//denmark/copenhagen-north-east";
        assert_eq!(layout.fit(id, 40), "ann.a.l…ple.com//denmark/copenha…th-east");
        let urns = "urn:org:user::01KERN71T0TDEAA18VGBZW69N3/urn:org:group::01KERN71T02N9WRRQZ4HG49HM3";
        assert_eq!(layout.fit(urns, 60), "urn:org:user::01KERN7…BZW69N3/urn:org:group::01KERN7…HG49HM3");
        for room in 0..100 {
            assert!(layout.fit(urns, room).chars().count() <= room.max(1), "{room}: {}", layout.fit(urns, room));
        }
    }

    #[test]
    fn without_a_terminal_nothing_is_shortened() {
        let layout = Layout::new(None);
        let long = "x".repeat(300);
        assert_eq!(layout.fit(&long, 10), long);
        assert_eq!(layout.wrap(&format!("a {long} b"), 10), ["a", &long, "b"]);
    }
}
