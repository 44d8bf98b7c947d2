//! The settings that decide the bytes of a run of `huller extract` or `huller refine`. The file
//! `_huller/run.config` holds them.

use crate::settings::{ROW_VERSION, Settings};
use crate::side_output::{SideContent, SideForm, SideOutput};
use crate::work::choice_rule::ChoiceRule;
use crate::work::include::Include;
use data_encoding::HEXLOWER;
use huller_archive::{JsonlKeys, Limits};
use huller_run::plan::Plan;
use huller_run::run_files::run_config::{RunConfig, Section, section};
use huller_run::run_files::side_tables::SideTables;
use huller_run::run_files::{checkpoint, journal};
use huller_select::{ExtractorFactory, MarkdownOptions, TextForm};
use serde_json::json;
use sha2::{Digest, Sha256};

/// Returns the configuration of a run with these settings over a plan. `folders` are those of the
/// side tables, relative to the folder of the rows.
pub(crate) fn run_config(
    settings: &Settings,
    plan: &Plan,
    folders: &SideTables<String>,
) -> RunConfig {
    let mut explicit = explicit_settings(settings);
    for (table, output) in settings.side_tables.iter() {
        if let Some(folder) = folders.get(table) {
            explicit.extend(side_settings(output, folder));
        }
    }
    let sections = [
        ("formats", versions()),
        ("models", models(settings)),
        ("settings", explicit),
        ("stages", stage_settings(settings)),
    ];
    RunConfig::from_sections(sections, plan.shard_rule.as_ref(), plan.selected.as_ref())
}

/// Returns the settings of a side table. A run without it has none of these lines.
fn side_settings(output: &SideOutput, folder: &str) -> Section {
    let SideForm { format, schema, index, compression } = output.form();
    let option = output.table().option();
    let compression = json!((compression.name(), compression.level()));
    let mut section = Section::new();
    let mut insert = |name: &str, value| _ = section.insert(format!("{option}{name}"), value);
    insert("", json!(folder));
    insert("_compress", compression);
    insert("_format", json!(format.name()));
    match output.content() {
        SideContent::Passages(passages) => {
            insert("_digest", json!(passages.digest()));
            insert("_index", json!(index));
            insert("_markdown_without", json!(omitted_names(passages.markdown())));
            insert("_schema", json!(schema.map(|schema| schema.name)));
            insert("_settings", json!(passages.settings()));
        }
        SideContent::Links => {}
        SideContent::Escalated { below } => {
            // As text, since a JSON number may be read back as its neighbour.
            section.insert("below".to_owned(), json!(below.to_string()));
        }
    }
    section
}

/// Returns the versions of the formats that a resumed run must continue with.
fn versions() -> Section {
    section([
        ("checkpoint", json!(checkpoint::VERSION)),
        ("journal", json!(journal::VERSION)),
        ("row", json!(ROW_VERSION)),
    ])
}

/// Returns the settings of each stage, and its version.
fn stage_settings(settings: &Settings) -> Section {
    let mut section = Section::new();
    for stage in settings.stages.iter() {
        let fingerprint = stage.fingerprint();
        let name = stage.name();
        section.insert(format!("{name}.version"), fingerprint["version"].clone());
        for (setting, value) in fingerprint["settings"].as_object().into_iter().flatten() {
            section.insert(format!("{name}.{setting}"), value.clone());
        }
    }
    section
}

/// Returns the digests of the extractors' models, and of the user's thesaurus.
fn models(settings: &Settings) -> Section {
    let digest = |extractor: &&'static dyn ExtractorFactory| {
        let trained = settings.trained.iter().find(|trained| trained.name == extractor.name());
        let digest = match trained {
            Some(trained) => trained.digest().to_owned(),
            None => HEXLOWER.encode(&Sha256::digest(extractor.model()?)),
        };
        Some((extractor.name().to_owned(), json!(format!("sha256:{digest}"))))
    };
    let thesaurus = settings
        .thesaurus
        .as_ref()
        .map(|own| ("thesaurus".to_owned(), json!(format!("sha256:{}", own.digest()))));
    settings.extractors.iter().filter_map(digest).chain(thesaurus).collect()
}

/// Returns every setting by the name that a user gives it, and the settings that have no option.
fn explicit_settings(settings: &Settings) -> Section {
    // The pattern names every field, so the compiler reports a field that is missing here.
    let Settings {
        extractors,
        profile,
        trained: _,
        thesaurus: _,
        include,
        format,
        schema,
        fields,
        index,
        separator,
        split,
        compression,
        refines,
        any_status,
        judge,
        min_chars,
        stages,
        signals,
        limit,
        leave_out_headline,
        text_form,
        markdown,
        html,
        source_html,
        blocks,
        // `optional_settings` lists these.
        bloom_filters: _,
        rights: _,
        revisits: _,
        choose: _,
        withdrawn: _,
        conversions: _,
        further_compressions: _,
        // `side_settings` lists them.
        side_tables: _,
        // Runs have no terms.
        terms: _,
        digest,
        max_page_bytes,
        limits:
            Limits {
                header_bytes,
                header_line_bytes,
                record_bytes,
                body_bytes,
                decode_ratio,
                content_encodings,
                zstd_window_log,
                batch_bytes,
            },
        keys: JsonlKeys { html: html_keys, url: url_keys, id: id_keys, date: date_keys, kept },
    } = settings;
    let names: Vec<_> = extractors.iter().map(|extractor| extractor.name()).collect();
    let (compress, level) = (compression.name(), compression.level());
    let mut section = section([
        ("batch_bytes", json!(batch_bytes)),
        ("blocks", json!(blocks)),
        ("bytes_per_file", json!(split.bytes)),
        ("compress", json!(compress)),
        ("date_key", json!(date_keys)),
        ("digest", json!(digest)),
        ("extractor", json!(names)),
        ("fields", json!(fields)),
        ("format", json!(format.name())),
        ("html", json!(html)),
        ("html_key", json!(html_keys)),
        ("id_key", json!(id_keys)),
        ("include", json!(included_names(*include))),
        ("es_index", json!(index)),
        ("judge", json!(judge)),
        ("keep_keys", json!(kept)),
        ("level", json!(level)),
        ("limit", json!(limit)),
        ("markdown", json!(markdown.is_some())),
        ("markdown_without", json!(markdown.map_or(Vec::new(), omitted_names))),
        ("max_body_bytes", json!(body_bytes)),
        ("max_decode_ratio", json!(decode_ratio)),
        ("max_encodings", json!(content_encodings)),
        ("max_header_bytes", json!(header_bytes)),
        ("max_header_line_bytes", json!(header_line_bytes)),
        ("max_page_bytes", json!(max_page_bytes)),
        ("max_record_bytes", json!(record_bytes)),
        ("max_zstd_window", json!(zstd_window_log)),
        ("min_chars", json!(min_chars)),
        ("profile", json!(profile.name())),
        ("refines", json!(refines.as_ref().map(|keys| [&keys.text, &keys.url]))),
        ("rows_per_file", json!(split.rows)),
        ("schema", json!(schema.map(|schema| schema.name))),
        ("separator", json!(separator)),
        ("signals", json!(signals)),
        ("source_html", json!(source_html)),
        ("stages", json!(stages.names())),
        ("status", json!(if *any_status { "any" } else { "ok" })),
        ("text_without", json!(omitted_from_text(*text_form, *leave_out_headline))),
        ("url_key", json!(url_keys)),
    ]);
    section.extend(optional_settings(settings));
    section
}

/// Returns the settings whose lines a run at their defaults leaves out, so that its file equals
/// those of versions without them.
fn optional_settings(settings: &Settings) -> Section {
    let Settings {
        bloom_filters,
        rights,
        revisits,
        choose,
        withdrawn,
        conversions,
        further_compressions,
        ..
    } = settings;
    let mut section = Section::new();
    if *bloom_filters {
        section.insert("bloom_filters".to_owned(), json!(true));
    }
    if *rights {
        section.insert("rights".to_owned(), json!(true));
    }
    if let Some(revisits) = revisits {
        section.insert("revisits_from".to_owned(), json!(format!("sha256:{}", revisits.digest())));
    }
    if *choose != ChoiceRule::First {
        section.insert("choose".to_owned(), json!(choose.name()));
    }
    if !withdrawn.is_empty() {
        let digests: Vec<_> = withdrawn.iter().map(|list| list.digest()).collect();
        section.insert("withdrawn".to_owned(), json!(digests));
    }
    if *conversions {
        section.insert("conversions".to_owned(), json!(true));
    }
    if !further_compressions.is_empty() {
        // Compressions of the formats after the first.
        let further_compressions: Vec<_> = further_compressions
            .iter()
            .map(|compression| json!((compression.name(), compression.level())))
            .collect();
        section.insert("compress_also".to_owned(), json!(further_compressions));
    }
    section
}

/// Returns the names of the parts that the text includes besides the body.
fn included_names(Include { title, byline, comments, captions }: Include) -> Vec<&'static str> {
    names_of([(title, "title"), (byline, "byline"), (comments, "comments"), (captions, "captions")])
}

/// Returns the names of the parts that texts lack.
fn omitted_from_text(form: TextForm, title: bool) -> Vec<&'static str> {
    let TextForm { lists, empty_lines, scripts } = form;
    names_of([
        (!lists, "lists"),
        (!empty_lines, "empty-lines"),
        (!scripts, "scripts"),
        (title, "title"),
    ])
}

/// Returns the names of the parts that Markdown lacks.
fn omitted_names(MarkdownOptions { links, images }: MarkdownOptions) -> Vec<&'static str> {
    names_of([(!links, "links"), (!images, "images")])
}

fn names_of<const N: usize>(parts: [(bool, &'static str); N]) -> Vec<&'static str> {
    parts.into_iter().filter(|(is_in, _)| *is_in).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::config::tests::{everything, everything_at_once};
    use serde_json::Value;

    fn from_config(config: Config) -> RunConfig {
        let settings = config.settings().unwrap();
        let folders = settings.side_tables.map(|table, _| format!("../{}", table.option()));
        run_config(&settings, &Plan::default(), &folders)
    }

    #[test]
    fn the_file_has_one_form() {
        let pvalue = Config { extractor: Some(vec!["pvalue".to_owned()]), ..Config::default() };
        let expected = r#"{
  "formats": {
    "checkpoint": 2,
    "journal": 2,
    "row": 28
  },
  "models": {},
  "settings": {
    "batch_bytes": 1048576,
    "blocks": false,
    "bytes_per_file": null,
    "compress": "zstd",
"#;
        let json = from_config(pvalue).to_json();
        let json = std::str::from_utf8(&json).unwrap();
        assert!(json.starts_with(expected), "{json}");
        assert!(json.ends_with("\n  }\n}\n"), "{json}");
        assert!(!json.contains(env!("CARGO_PKG_VERSION")), "the version decides no byte");
    }

    #[test]
    fn every_option_is_named_when_it_differs() {
        let all = serde_json::to_value(everything()).unwrap();
        let defaults = from_config(Config::default());
        // This test reads no files. The test below covers the digest of a model.
        let said = all.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        for name in said
            .map(|(name, _)| name)
            .filter(|name| !["model", "thesaurus", "withdrawn"].contains(&name.as_str()))
        {
            let mut alone = everything();
            // `markdown_without` takes effect only with Markdown, and a setting of a stage only
            // with its stage.
            let is_asked = |option: &str| {
                name == "markdown_without" && option == "markdown"
                    || name == "set" && option == "stages"
                    || name == "choose" && option == "extractor"
                    || name.starts_with("passages_") && option == "passages"
                    || name == "links_format" && option == "links"
                    || name == "escalate" && option == "below"
                    || name == "below" && option == "escalate"
            };
            alone.retain(|option| option == name || is_asked(option));
            let differences = from_config(alone).differences(&defaults);
            let named = match name.as_str() {
                "lang" | "preset" | "set" => "stages",
                "passages_set" => "passages_settings",
                name => name,
            };
            assert!(
                differences
                    .iter()
                    .any(|difference| difference.starts_with(&format!("{named} is "))),
                "{name}: {differences:?}"
            );
        }
    }

    #[test]
    fn differences_are_said_in_words() {
        let now = from_config(Config { limit: Some(3), ..everything_at_once() });
        let then =
            from_config(Config { limit: None, include: Some(Vec::new()), ..everything_at_once() });
        assert_eq!(
            now.differences(&then),
            ["include is byline,captions, was empty", "limit is 3, was not set"]
        );
        assert!(now.differences(&now).is_empty());
        let stricter =
            Config { set: Some(vec!["length.min_chars=9".to_owned()]), ..everything_at_once() };
        assert_eq!(
            from_config(stricter).differences(&from_config(everything_at_once())),
            ["length.min_chars is 9, was 5"]
        );
    }

    #[test]
    fn a_model_is_known_by_its_digest() {
        let shipped = from_config(Config::default());
        let model = shipped.get("models", "hull").and_then(Value::as_str).unwrap();
        assert!(model.starts_with("sha256:") && model.len() == 71, "{model}");
    }
}
