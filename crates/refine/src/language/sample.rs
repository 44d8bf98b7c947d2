//! Selects the bytes of a text that are read.

/// A text of up to this many bytes is read whole.
pub const MAX_WHOLE_BYTES: usize = 640;

/// Bytes of each piece of a longer text.
pub const PIECE_BYTES: usize = 160;

/// Number of pieces that are read of a longer text.
pub const PIECES: usize = MAX_WHOLE_BYTES / PIECE_BYTES;

/// Most bytes that are cut off at either end of a piece, so that it begins and ends between words.
const MAX_CUT_BYTES: usize = 32;

/// Returns the parts of a text that are read: the text itself, or [`PIECES`] pieces at equal
/// distances, the first at the beginning and the last at the end. Together they have at most
/// [`MAX_WHOLE_BYTES`] bytes.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let (count, size) =
        if text.len() <= MAX_WHOLE_BYTES { (1, text.len()) } else { (PIECES, PIECE_BYTES) };
    let step = (text.len() - size) / (count - 1).max(1);
    (0..count).map(move |number| {
        let start = text.ceil_char_boundary(number * step);
        let until = text.floor_char_boundary((number * step + size).min(text.len()));
        let piece = text.get(start..until).unwrap_or_default();
        let begin = if start == 0 { 0 } else { after_blank(piece) };
        let end = if until == text.len() { piece.len() } else { before_blank(piece) };
        piece.get(begin..end).unwrap_or_default()
    })
}

/// Returns the offset after the first blank, if it is near the start. Scripts without blanks do not
/// need it.
fn after_blank(piece: &str) -> usize {
    let near = &piece.as_bytes()[..MAX_CUT_BYTES.min(piece.len())];
    near.iter().position(u8::is_ascii_whitespace).map_or(0, |offset| offset + 1)
}

/// Returns the offset of the last blank, if it is near the end.
fn before_blank(piece: &str) -> usize {
    let tail_start = piece.len().saturating_sub(MAX_CUT_BYTES);
    let near = &piece.as_bytes()[tail_start..];
    near.iter().rposition(u8::is_ascii_whitespace).map_or(piece.len(), |offset| tail_start + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_read_whole() {
        for text in ["", "a", "a b c", &"ab ".repeat(MAX_WHOLE_BYTES / 3)] {
            assert_eq!(pieces(text).collect::<Vec<_>>(), [text]);
        }
    }

    #[test]
    fn long_texts_are_read_from_beginning_to_end() {
        let text = (0..4_000).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
        let padded = format!(" {text} ");
        let read: Vec<&str> = pieces(&text).collect();
        assert_eq!(read.len(), PIECES);
        assert!(text.starts_with(read[0]) && text.ends_with(read[PIECES - 1]));
        for piece in read {
            assert!(piece.len() <= PIECE_BYTES && piece.len() > PIECE_BYTES - 2 * MAX_CUT_BYTES);
            assert!(piece.split_whitespace().all(|word| padded.contains(&format!(" {word} "))));
        }
    }

    #[test]
    fn letters_are_never_cut() {
        for size in 200..1_500 {
            let text = "語".repeat(size);
            assert!(pieces(&text).map(str::len).sum::<usize>() <= MAX_WHOLE_BYTES);
        }
    }
}
