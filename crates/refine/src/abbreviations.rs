//! Abbreviations that keep their dot, for the splitter of sentences.

/// Words after which spaCy's English tokenizer keeps the dot, besides words that end with one
/// capital. The list is a fact of that program (`lang/en/tokenizer_exceptions.py`).
const ABBREVIATIONS: &[&str] = &[
    "Adm", "Ak", "Ala", "Apr", "Ariz", "Ark", "Aug", "Bros", "Calif", "Co", "Colo", "Conn", "Corp",
    "Dec", "Del", "Dr", "E.g", "Feb", "Fla", "Ga", "Gen", "Gov", "I.e", "Ia", "Id", "Ill", "Inc",
    "Ind", "Jan", "Jr", "Jul", "Jun", "Kan", "Kans", "Ky", "La", "Ltd", "Mar", "Mass", "Md",
    "Messrs", "Mich", "Minn", "Miss", "Mo", "Mont", "Mr", "Mrs", "Ms", "Mt", "Neb", "Nebr", "Nev",
    "Nov", "Oct", "Okla", "Ore", "Pa", "Prof", "Rep", "Rev", "Sen", "Sep", "Sept", "St", "Tenn",
    "Va", "Wash", "Wis", "a.m", "co", "e.g", "i.e", "p.m", "v.s", "vs",
];

/// Returns whether a dot directly after `word` belongs to it.
pub(crate) fn is_abbreviation(word: &str) -> bool {
    ABBREVIATIONS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_ascends_and_minds_capitals() {
        assert!(ABBREVIATIONS.is_sorted_by(|a, b| a < b));
        assert!(is_abbreviation("Mr") && is_abbreviation("e.g") && !is_abbreviation("mr"));
    }
}
