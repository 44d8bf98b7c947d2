//! The documents that list the fields of the row agree with the table.

use huller_row::document::{documents, with_section};
use std::fs;
use std::path::Path;

#[test]
fn documents_list_the_fields_of_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, section) in documents() {
        let text = fs::read_to_string(root.join(path)).unwrap();
        let expected = with_section(&text, &section).unwrap();
        assert!(text == expected, "{path}: cargo run -p huller-row --example write-fields");
    }
}
