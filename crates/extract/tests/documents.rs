//! The documents list the extractors that the program has, as their cards describe them.

use huller_extract::document::with_table;

#[test]
fn the_table_of_extractors_is_made_of_the_cards() {
    let document = include_str!("../../../docs/methods.md");
    let written = with_table(document).expect("the document has a table of extractors");
    assert!(
        written == document,
        "run `cargo run -p huller-extract --example write-methods`, which makes docs/methods.md anew"
    );
}
