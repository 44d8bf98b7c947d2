//! Generated Markdown.

use proptest::prelude::*;

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => "[a-z]{1,9}",
        2 => "[A-Z][a-z]{2,7}",
        1 => "[0-9]{1,6}",
        1 => "\\*\\*[a-z]{2,6}\\*\\*",
        1 => "\\[[a-z]{2,6}\\]\\(http://[a-z]{3}\\.org/[a-z]{1,20}\\)",
        1 => "`[a-z_]{2,8}`",
        1 => "(日本語|京都|雨が降る){1,8}",
        1 => "(é|ü|e\u{301}|👩‍👩‍👧|\u{a0}){1,4}",
        1 => "[a-z]{40,90}",
    ]
}

fn sentence() -> impl Strategy<Value = String> {
    (prop::collection::vec(word(), 1..14), "[.!?。]{1}")
        .prop_map(|(words, end)| format!("{}{end}", words.join(" ")))
}

fn paragraph() -> impl Strategy<Value = String> {
    (
        prop::collection::vec(sentence(), 1..7),
        prop::sample::select(vec![" ", " ", " ", "\n", "  \n"]),
    )
        .prop_map(|(sentences, joint)| sentences.join(joint))
}

fn heading() -> impl Strategy<Value = String> {
    (1_usize..5, prop::collection::vec(word(), 1..6))
        .prop_map(|(level, words)| format!("{} {}", "#".repeat(level), words.join(" ")))
}

fn code() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![4 => "( {0,8}[a-z(){};=]{1,24}){1,2}", 1 => "", 1 => "# [a-z]{3}"],
        1..14,
    )
    .prop_map(|lines| format!("```rust\n{}\n```", lines.join("\n")))
}

fn table() -> impl Strategy<Value = String> {
    (
        1_usize..5,
        prop::collection::vec(prop::collection::vec("[a-zé]{0,7}( [a-z]{1,5}){0,3}", 5), 1..9),
    )
        .prop_map(|(columns, rows)| {
            let line = |cells: &[String]| format!("| {} |", cells[..columns].join(" | "));
            let mut lines = vec![line(&rows[0]), format!("|{}", "---|".repeat(columns))];
            lines.extend(rows[1..].iter().map(|row| line(row)));
            lines.join("\n")
        })
}

/// Indents all lines but the first.
fn indented(block: &str, first: &str, rest: &str) -> String {
    let mut lines = block.lines();
    let mut out = format!("{first}{}", lines.next().unwrap_or_default());
    for line in lines {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(rest);
        }
        out.push_str(line);
    }
    out
}

fn leaf() -> impl Strategy<Value = String> {
    prop_oneof![6 => paragraph(), 2 => code(), 2 => table()]
}

fn nested() -> impl Strategy<Value = String> {
    leaf().prop_recursive(3, 20, 4, |inner| {
        let item = prop::collection::vec(prop_oneof![3 => inner.clone(), 1 => heading()], 1..3);
        prop_oneof![
            2 => prop::collection::vec(item, 1..5).prop_map(|items| {
                let items = items.iter().map(|blocks| indented(&blocks.join("\n\n"), "- ", "  "));
                items.collect::<Vec<_>>().join("\n")
            }),
            1 => prop::collection::vec(inner.clone(), 1..4).prop_map(|items| {
                let items = items.iter().zip(1..);
                let items = items.map(|(block, at)| indented(block, &format!("{at}. "), "   "));
                items.collect::<Vec<_>>().join("\n")
            }),
            1 => prop::collection::vec(inner, 1..3).prop_map(|blocks| {
                let lines = blocks.join("\n\n");
                lines.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n")
            }),
        ]
    })
}

/// Markdown of blocks that are apart, as huller writes it.
pub(crate) fn markdown() -> impl Strategy<Value = String> {
    let block =
        prop_oneof![3 => heading(), 5 => leaf(), 4 => nested(), 1 => Just("---".to_owned())];
    prop::collection::vec(block, 0..16).prop_map(|blocks| blocks.join("\n\n"))
}

/// Any text with many signs of Markdown.
pub(crate) fn noise() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => "[a-zé日 ]{1,12}",
        2 => "\n{1,3}",
        1 => "\r\n|\r|\t|\u{0}|\u{feff}|\u{2028}",
        2 => "> |- |1\\. |\\+ |    |\\* \\* \\*|---|===|# |###### ",
        2 => "```|~~~~|\\| a \\| b \\|\n\\|---\\|---\\|\n|<div>|<!--|-->|<pre>",
        1 => "\\[a\\]\\(b\\)|!\\[c\\]\\(d|\\{#id\\}|\\\\",
        1 => "\\PC{1,6}",
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}
