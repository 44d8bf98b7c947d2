//! What the documents say of the methods.

use huller_extract::METHODS;

#[test]
fn the_table_of_methods_has_a_row_for_each_in_their_order() {
    let table = include_str!("../../../docs/methods.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let names: Vec<_> = METHODS.iter().map(|method| method.name).collect();
    assert_eq!(rows.collect::<Vec<_>>(), names);
}
