//! Turns a configuration into settings.

use super::choices::{
    ALL, IncludeChoice, MarkdownChoice, ProfileChoice, RuleChoice, StatusChoice, TextChoice,
};
use super::error::ConfigError;
use super::fields::Config;
use super::file::ConfigFile;
use super::outputs::{Outputs, RawOutputOptions};
use super::presets::Preset;
use super::side_tables::{RawSideOptions, names_index};
use super::stages::stages;
use crate::budget::{page_bytes_within, record_bytes_within};
use crate::settings::{RowKeys, Settings};
use crate::work::choice_rule::ChoiceRule;
use crate::work::include::Include;
use crate::work::page_row::STAGE_FIELDS;
use huller_archive::{JsonlKeys, Limits};
use huller_extract::EXTRACTORS;
use huller_page::MAX_INPUT_LEN;
use huller_row::Format;
use huller_run::split::Split;
use huller_select::{ExtractorFactory, MarkdownOptions, Profile, TextForm};
use std::num::NonZeroU64;
use std::ops::RangeInclusive;

/// The window sizes of zstd, as powers of two.
const ZSTD_WINDOWS: RangeInclusive<u32> = 10..=31;

/// Most bytes of a page. Decoding turns a byte into three at most, and the parser can address so
/// many.
const MAX_PAGE_BYTES: usize = 1 << 30;
const _: () = assert!(MAX_PAGE_BYTES * 3 <= MAX_INPUT_LEN);

impl Config {
    /// Returns the settings of a run with these options. Absent options get their defaults.
    ///
    /// A model, a thesaurus and tombstones are files, which this function does not read. The caller
    /// puts them into [`Settings::trained`], [`Settings::thesaurus`] and [`Settings::withdrawn`].
    ///
    /// ```
    /// use huller_pipeline::Config;
    ///
    /// let config = Config { min_chars: Some(200), ..Config::default() };
    /// assert_eq!(config.settings()?.min_chars, 200);
    /// let config = Config { extractor: Some(vec!["pvalu".to_owned()]), ..Config::default() };
    /// assert!(config.settings().unwrap_err().to_string().starts_with("unknown extractor 'pvalu'"));
    /// # Ok::<(), huller_pipeline::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A name is unknown, a value is out of its range, or two options do not fit together.
    pub fn settings(self) -> Result<Settings, ConfigError> {
        self.settings_for(None)
    }

    /// Does the same as [`Config::settings`] for a run that sends existing rows through the stages.
    /// `keys` are the names of their texts and URLs.
    ///
    /// # Errors
    ///
    /// As [`Config::settings`]. A format has the records of pages, which existing rows lack.
    pub fn settings_of_rows(self, keys: RowKeys) -> Result<Settings, ConfigError> {
        self.settings_for(Some(keys))
    }

    /// Returns the limits of the archive reader.
    fn limits(&self) -> Result<Limits, ConfigError> {
        let known = Limits::default();
        let header_bytes = size("max_header_bytes", self.max_header_bytes, known.header_bytes)?;
        Ok(Limits {
            header_bytes,
            header_line_bytes: known.header_line_bytes.min(header_bytes),
            record_bytes: size("max_record_bytes", self.max_record_bytes, known.record_bytes)?,
            body_bytes: size("max_body_bytes", self.max_body_bytes, known.body_bytes)?,
            decode_ratio: size("max_decode_ratio", self.max_decode_ratio, known.decode_ratio)?,
            content_encodings: self.max_encodings.unwrap_or(known.content_encodings),
            zstd_window_log: window(self.max_zstd_window, known.zstd_window_log)?,
            batch_bytes: known.batch_bytes,
        })
    }

    /// Returns the keys of JSONL inputs.
    fn json_keys(&self) -> JsonlKeys {
        let known = JsonlKeys::default();
        let only = |key: &Option<String>, known| key.clone().map_or(known, |key| vec![key]);
        JsonlKeys {
            html: only(&self.html_key, known.html),
            url: only(&self.url_key, known.url),
            id: only(&self.id_key, known.id),
            date: known.date,
            kept: self.keep_keys.clone().unwrap_or_default(),
        }
    }

    fn settings_for(self, refines: Option<RowKeys>) -> Result<Settings, ConfigError> {
        let config = self.with_preset()?;
        let (limits, keys) = (config.limits()?, config.json_keys());
        let Config {
            preset: _,
            stages: stage_names,
            lang,
            set,
            signals,
            rights,
            extractor,
            choose,
            profile,
            model: _,
            thesaurus: _,
            withdrawn: _,
            include,
            judge,
            min_chars,
            status,
            limit,
            text_without,
            markdown,
            markdown_without,
            html,
            source_html,
            blocks,
            digest,
            format,
            schema,
            fields,
            es_index,
            separator,
            bloom_filters,
            conversions,
            rows_per_file,
            bytes_per_file,
            compress,
            level,
            passages,
            passages_format,
            passages_schema,
            passages_set,
            links,
            links_format,
            escalate,
            below,
            // `json_keys` reads these.
            html_key: _,
            url_key: _,
            id_key: _,
            keep_keys: _,
            max_page_bytes,
            // `limits` reads these.
            max_record_bytes: _,
            max_header_bytes: _,
            max_body_bytes: _,
            max_decode_ratio: _,
            max_encodings: _,
            max_zstd_window: _,
        } = config;
        let stages = stages(stage_names.unwrap_or_default(), lang, set.unwrap_or_default())?;
        let defaults =
            Settings::new(extractor.as_deref().map_or(Ok(vec![EXTRACTORS[0]]), extractors)?);
        let markdown_options = markdown_options(&markdown_without.unwrap_or_default());
        let is_for_passages = names_index(passages_schema.as_deref());
        let is_for_rows = names_index(schema.as_deref()) || !is_for_passages;
        let side_tables = RawSideOptions {
            passages,
            passages_format,
            passages_schema,
            passages_set,
            links,
            links_format,
            escalate,
            below,
            index: es_index.clone(),
            compress,
            level,
            markdown: markdown_options,
        };
        let left_out = text_without.unwrap_or_default();
        let settings = Settings {
            profile: match profile {
                None => defaults.profile,
                Some(ProfileChoice::Tuned) => Profile::Tuned,
                Some(ProfileChoice::Paper) => Profile::Paper,
            },
            choose: choose.map_or(defaults.choose, choice_rule),
            include: include_parts(&include.unwrap_or_default()),
            split: Split {
                rows: per_file("rows_per_file", rows_per_file)?,
                bytes: per_file("bytes_per_file", bytes_per_file.map(|bytes| bytes as u64))?,
            },
            refines,
            any_status: status == Some(StatusChoice::Any),
            judge: judge.unwrap_or(defaults.judge),
            min_chars: min_chars.unwrap_or(defaults.min_chars),
            stages,
            signals: signals.unwrap_or(defaults.signals),
            rights: rights.unwrap_or(defaults.rights),
            limit: limit.or(defaults.limit),
            leave_out_headline: left_out.contains(&TextChoice::Title),
            text_form: text_form(&left_out),
            markdown: (markdown == Some(true)).then_some(markdown_options),
            side_tables: side_tables.outputs(format.as_deref())?,
            html: html.unwrap_or(defaults.html),
            source_html: source_html.unwrap_or(defaults.source_html),
            blocks: blocks.unwrap_or(defaults.blocks),
            digest: digest.unwrap_or(defaults.digest),
            bloom_filters: bloom_filters.unwrap_or(defaults.bloom_filters),
            conversions: conversions.unwrap_or(defaults.conversions),
            max_page_bytes: page_size(max_page_bytes, defaults.max_page_bytes)?,
            limits,
            keys,
            extractors: defaults.extractors,
            ..Settings::new(Vec::new())
        };
        let raw_options = RawOutputOptions {
            format,
            schema,
            fields,
            index: es_index.filter(|_| is_for_rows),
            separator,
            compress,
            level,
        };
        let Outputs { format, schema, fields, index, separator, compression, further_compressions } =
            raw_options.outputs(settings.extras())?;
        check_format(format, &settings)?;
        check_choice(&settings)?;
        check_fields_of_stages(&settings)?;
        Ok(Settings {
            format,
            schema,
            fields,
            index,
            separator,
            compression,
            further_compressions,
            ..settings
        })
    }

    /// Lays this configuration over a lower one. Settings of stages in the lower one stay unless
    /// this one sets them too.
    #[must_use]
    pub fn merge_over(self, lower: Config) -> Config {
        let set = match (&lower.set, &self.set) {
            (Some(lower), Some(own)) => Some([lower.as_slice(), own].concat()),
            (lower, own) => own.clone().or_else(|| lower.clone()),
        };
        Config { set, ..self.or(lower) }
    }

    /// Lays this configuration over the preset that it names.
    fn with_preset(self) -> Result<Config, ConfigError> {
        let Some(name) = &self.preset else { return Ok(self) };
        let preset =
            Preset::find(name).ok_or_else(|| ConfigError::UnknownPreset { name: name.clone() })?;
        let lower = ConfigFile::parse(preset.text)?.config;
        // Drops settings of stages that the user took out of the preset's list.
        let names = self.stages.clone();
        let is_in_use = |entry: &String| {
            let stage = entry.split('.').next();
            names.as_ref().is_none_or(|names| names.iter().any(|name| Some(name.as_str()) == stage))
        };
        let set = lower.set.map(|set| set.into_iter().filter(is_in_use).collect());
        Ok(self.merge_over(Config { set, ..lower }))
    }

    /// Lowers those limits on records, bodies and pages that the user did not give, if the largest
    /// giant would not fit into `memory` bytes. Returns a note of the lowered limits.
    pub fn fit_into(&self, memory: usize, settings: &mut Settings) -> Option<String> {
        let mut lowered = Vec::new();
        let mut lower_default =
            |limit: &mut usize, given: Option<usize>, most: usize, flag: &str| {
                if given.is_none() && most < *limit {
                    *limit = most;
                    lowered.push(format!("{flag} is {}K", most >> 10));
                }
            };
        let most = record_bytes_within(memory);
        lower_default(
            &mut settings.limits.record_bytes,
            self.max_record_bytes,
            most,
            "--max-record-bytes",
        );
        lower_default(
            &mut settings.limits.body_bytes,
            self.max_body_bytes,
            most,
            "--max-body-bytes",
        );
        let most = page_bytes_within(memory, settings.limits.record_bytes, settings.texts());
        lower_default(&mut settings.max_page_bytes, self.max_page_bytes, most, "--max-page-bytes");
        (!lowered.is_empty()).then(|| lowered.join(", "))
    }
}

/// Refuses a stage that looks at a field which pages do not have. Existing rows may have any.
fn check_fields_of_stages(settings: &Settings) -> Result<(), ConfigError> {
    if settings.refines.is_some() {
        return Ok(());
    }
    for stage in settings.stages.iter() {
        if let Some(field) = stage.fields().iter().find(|field| !STAGE_FIELDS.contains(field)) {
            let (stage, field) = (stage.name(), (*field).to_owned());
            return Err(ConfigError::FieldOfStage { stage, field });
        }
    }
    Ok(())
}

/// Refuses a choice among the texts of one extractor.
fn check_choice(settings: &Settings) -> Result<(), ConfigError> {
    let is_choice = settings.choose != ChoiceRule::First;
    if is_choice && settings.extractors.len() < 2 && settings.refines.is_none() {
        return Err(ConfigError::NoChoice { rule: settings.choose.name() });
    }
    Ok(())
}

/// Returns the rule of this word.
fn choice_rule(choice: RuleChoice) -> ChoiceRule {
    match choice {
        RuleChoice::First => ChoiceRule::First,
        RuleChoice::Surviving => ChoiceRule::Surviving,
        RuleChoice::Longest => ChoiceRule::Longest,
        RuleChoice::Expected => ChoiceRule::Expected,
    }
}

/// Refuses a format that lacks a capability these settings need: signatures, a split, Bloom
/// filters, or pages of this length.
fn check_format(format: &dyn Format, settings: &Settings) -> Result<(), ConfigError> {
    if settings.refines.is_some() && format.has_records() {
        return Err(ConfigError::RecordsOfRows { format: format.name() });
    }
    let has_signatures = settings.signatures().is_some();
    if has_signatures && !format.has_places() {
        return Err(ConfigError::SignaturesOfFormat { format: format.name() });
    }
    if has_signatures && settings.split.is_asked() {
        return Err(ConfigError::SignaturesOfFiles);
    }
    let has = |name| format.name().split(',').any(|one| one == name);
    for (option, is_asked, needed) in [
        ("bloom_filters", settings.bloom_filters, "parquet"),
        ("conversions", settings.conversions, "warc"),
    ] {
        if is_asked && !has(needed) {
            return Err(ConfigError::NotOfFormat { option, format: format.name() });
        }
    }
    if !format.formats().is_empty() && settings.split.is_asked() {
        return Err(ConfigError::FilesOfFormats);
    }
    if let Some((table, _)) = settings.side_tables.iter().next()
        && settings.split.is_asked()
    {
        return Err(ConfigError::FilesOfSideTable { table: table.option() });
    }
    match format.longest_page() {
        Some(longest) if settings.max_page_bytes > longest => {
            let range = 1..=longest as u64;
            Err(ConfigError::OutOfRange { option: "max_page_bytes", range })
        }
        _ => Ok(()),
    }
}

/// Returns the form of Markdown without these parts.
fn markdown_options(without: &[MarkdownChoice]) -> MarkdownOptions {
    MarkdownOptions {
        links: !without.contains(&MarkdownChoice::Links),
        images: !without.contains(&MarkdownChoice::Images),
    }
}

/// Returns the parts that the text includes besides the body.
fn include_parts(choices: &[IncludeChoice]) -> Include {
    Include {
        title: choices.contains(&IncludeChoice::Title),
        byline: choices.contains(&IncludeChoice::Byline),
        comments: choices.contains(&IncludeChoice::Comments),
        captions: choices.contains(&IncludeChoice::Captions),
    }
}

/// Returns the form of a text without these parts.
fn text_form(without: &[TextChoice]) -> TextForm {
    TextForm {
        lists: !without.contains(&TextChoice::Lists),
        empty_lines: !without.contains(&TextChoice::EmptyLines),
        scripts: !without.contains(&TextChoice::Scripts),
    }
}

/// Returns the extractors of these names. [`ALL`] adds every extractor that is not named besides.
fn extractors(names: &[String]) -> Result<Vec<&'static dyn ExtractorFactory>, ConfigError> {
    let mut extractors: Vec<&'static dyn ExtractorFactory> = Vec::new();
    for name in names {
        if name == ALL {
            let others =
                EXTRACTORS.iter().filter(|extractor| !names.iter().any(|n| n == extractor.name()));
            extractors.extend(others);
            continue;
        }
        let extractor = huller_extract::find(name)
            .ok_or_else(|| ConfigError::UnknownExtractor { name: name.clone() })?;
        if extractors.iter().any(|known| known.name() == extractor.name()) {
            return Err(ConfigError::RepeatedExtractor { name: name.clone() });
        }
        extractors.push(extractor);
    }
    if extractors.is_empty() { Err(ConfigError::NoExtractor) } else { Ok(extractors) }
}

/// Returns a size, which must not be 0.
fn size(option: &'static str, given: Option<usize>, default: usize) -> Result<usize, ConfigError> {
    match given {
        Some(0) => Err(ConfigError::OutOfRange { option, range: 1..=u64::MAX }),
        said => Ok(said.unwrap_or(default)),
    }
}

/// Returns the most rows or bytes of one file, which must not be 0.
fn per_file(option: &'static str, given: Option<u64>) -> Result<Option<NonZeroU64>, ConfigError> {
    let range = 1..=u64::MAX;
    given
        .map(|most| NonZeroU64::new(most).ok_or(ConfigError::OutOfRange { option, range }))
        .transpose()
}

/// Returns the most bytes of a page, and refuses more than the parser can address.
fn page_size(given: Option<usize>, default: usize) -> Result<usize, ConfigError> {
    match size("max_page_bytes", given, default)? {
        bytes if bytes <= MAX_PAGE_BYTES => Ok(bytes),
        _ => {
            let range = 1..=MAX_PAGE_BYTES as u64;
            Err(ConfigError::OutOfRange { option: "max_page_bytes", range })
        }
    }
}

fn window(given: Option<u32>, default: u32) -> Result<u32, ConfigError> {
    let window = given.unwrap_or(default);
    if ZSTD_WINDOWS.contains(&window) {
        return Ok(window);
    }
    let range = u64::from(*ZSTD_WINDOWS.start())..=u64::from(*ZSTD_WINDOWS.end());
    Err(ConfigError::OutOfRange { option: "max_zstd_window", range })
}
