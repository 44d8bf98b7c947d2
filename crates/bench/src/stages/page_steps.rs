//! The steps of one page, as a worker takes them, with the clock read between them.

use super::stopwatch::Stopwatch;
use huller_archive::charset::decode_page;
use huller_archive::{
    Decoder, Fault, JsonlKeys, JsonlReader, Limits, PageRecord, Position, Record, Visitor,
    WarcHeader,
};
use huller_extract::{Extractor, Renderer, Selection, Verdict};
use huller_metadata::{Metadata, MetadataReader};
use huller_page::PageBuf;
use huller_pipeline::Settings;
use huller_refine::{Chain, Draft, Needs, Signals, Text};
use huller_row::{BatchEncoder, Compressor, Extras, Row};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Numbers of the steps, from the first of a page on. Those of methods, stages and formats follow.
const BODY: usize = 0;
const CHARSET: usize = 1;
const PARSING: usize = 2;
const METADATA: usize = 3;
const METHODS: usize = 4;

/// All memory of a page's steps, and what was counted.
pub(super) struct PageSteps {
    limits: Limits,
    max_page_bytes: usize,
    jsonl: JsonlReader,
    decoder: Decoder,
    tools: Tools,
    settings: (Vec<Settings>, Vec<Settings>),
    pages: u64,
    panicked: u64,
    raw_bytes: u64,
    members: Vec<Range<u64>>,
}

/// What a panic may leave in any state.
struct Tools {
    utf8: String,
    columns: PageBuf,
    methods: Vec<(&'static str, Box<dyn Extractor>)>,
    selection: Selection,
    renderer: Renderer,
    texts: Vec<String>,
    comments: String,
    metadata_reader: MetadataReader,
    metadata: Metadata,
    stages: Vec<(&'static str, Chain)>,
    stage_text: Text,
    formats: Vec<FormatTools>,
}

struct FormatTools {
    name: &'static str,
    extras: Extras,
    encoder: Box<dyn BatchEncoder>,
    compressor: Compressor,
    piece: Vec<u8>,
}

impl Tools {
    fn new(methods: &[Settings], formats: &[Settings]) -> Tools {
        let each = methods.iter().flat_map(|settings| {
            let names = settings.methods.iter().map(|method| method.name());
            names.zip(settings.extractors())
        });
        let each: Vec<_> = each.collect();
        let stages = methods[0].stages.iter().map(|stage| {
            let mut chain = Chain::default();
            chain.push(stage);
            (stage.name(), chain)
        });
        let formats = formats.iter().map(|settings| FormatTools {
            name: settings.format.name(),
            extras: settings.extras(),
            encoder: settings.format.encoder(&settings.layout(String::new())),
            compressor: Compressor::new(settings.compression),
            piece: Vec::new(),
        });
        Tools {
            utf8: String::new(),
            columns: PageBuf::default(),
            texts: vec![String::new(); each.len()],
            methods: each,
            selection: Selection::default(),
            renderer: Renderer::default(),
            comments: String::new(),
            metadata_reader: MetadataReader::default(),
            metadata: Metadata::default(),
            stages: stages.collect(),
            stage_text: Text::default(),
            formats: formats.collect(),
        }
    }
}

/// What is known of a page besides its bytes.
#[derive(Clone, Copy, Default)]
struct Facts<'a> {
    id: &'a str,
    url: Option<&'a str>,
    date: Option<&'a str>,
    content_type: Option<&'a str>,
    status: Option<u16>,
    position: Position,
}

impl PageSteps {
    pub(super) fn new(methods: &[Settings], formats: &[Settings]) -> PageSteps {
        let first = &methods[0];
        PageSteps {
            limits: first.limits.clone(),
            max_page_bytes: first.max_page_bytes,
            jsonl: JsonlReader::new(first.keys.clone()),
            decoder: Decoder::new(),
            tools: Tools::new(methods, formats),
            settings: (methods.to_vec(), formats.to_vec()),
            pages: 0,
            panicked: 0,
            raw_bytes: 0,
            members: Vec::new(),
        }
    }

    /// The names of the steps in the order of their numbers, and whether the sum has them.
    pub(super) fn names(&self) -> Vec<(String, bool)> {
        let fixed = ["HTTP head and body", "charset", "parsing", "metadata"];
        let mut names: Vec<_> = fixed.map(|name| (name.to_owned(), true)).into();
        for (number, (name, _)) in self.tools.methods.iter().enumerate() {
            names.push((format!("method {name}"), number == 0));
            names.push((format!("rendering {name}"), number == 0));
        }
        names.extend(self.tools.stages.iter().map(|(name, _)| (format!("stage {name}"), true)));
        for (number, format) in self.tools.formats.iter().enumerate() {
            names.push((format!("encoding {}", format.name), number == 0));
            names.push((format!("compressing {}", format.name), number == 0));
        }
        names
    }

    /// Takes the records of a batch; `other` is the stage of what happens between them, `first` the number of a page's first step.
    pub(super) fn visitor<'s>(
        &'s mut self,
        watch: &'s mut Stopwatch,
        other: usize,
        first: usize,
    ) -> impl Visitor + 's {
        Pages { steps: self, watch, other, first }
    }

    /// Ends the piece of the output that a batch makes.
    pub(super) fn end_batch(&mut self, watch: &mut Stopwatch, first: usize) {
        let number = first + METHODS + 2 * self.tools.methods.len() + self.tools.stages.len();
        for (place, format) in self.tools.formats.iter_mut().enumerate() {
            format.piece.clear();
            watch.restart();
            format.encoder.finish(&mut format.compressor, &mut format.piece);
            watch.lap(number + 2 * place + 1);
        }
    }

    /// Bytes of the last batch's records, and where its members lie.
    pub(super) fn take_batch(&mut self) -> (u64, Vec<Range<u64>>) {
        (std::mem::take(&mut self.raw_bytes), std::mem::take(&mut self.members))
    }

    /// Pages since the last call, and those that panicked.
    pub(super) fn take_counts(&mut self) -> (u64, u64) {
        (std::mem::take(&mut self.pages), std::mem::take(&mut self.panicked))
    }

    /// One page from its bytes to its rows.
    fn page(
        &mut self,
        bytes: &[u8],
        charset: Option<&[u8]>,
        facts: Facts<'_>,
        watch: &mut Stopwatch,
        first: usize,
    ) {
        let (tools, most) = (&mut self.tools, self.max_page_bytes);
        let done = catch_unwind(AssertUnwindSafe(|| {
            tools.page(bytes, charset, facts, most, watch, first);
        }));
        self.pages += 1;
        if done.is_err() {
            self.panicked += 1;
            self.tools = Tools::new(&self.settings.0, &self.settings.1);
        }
    }
}

impl Tools {
    fn page(
        &mut self,
        bytes: &[u8],
        charset: Option<&[u8]>,
        facts: Facts<'_>,
        max_page_bytes: usize,
        watch: &mut Stopwatch,
        first: usize,
    ) {
        let Facts { id, url, date, content_type, status, position } = facts;
        let decoded = decode_page(bytes, charset, url, max_page_bytes, &mut self.utf8);
        watch.lap(first + CHARSET);
        let page = self.columns.fill(decoded.text);
        watch.lap(first + PARSING);
        self.metadata_reader.read(&page, url, &mut self.metadata);
        watch.lap(first + METADATA);
        let mut number = first + METHODS;
        let mut verdict = Verdict::default();
        for (place, ((_, method), text)) in self.methods.iter_mut().zip(&mut self.texts).enumerate()
        {
            let judged = method.extract(&page, &mut self.selection);
            watch.lap(number);
            text.clear();
            self.renderer.text(&page, &self.selection, text);
            if place == 0 {
                verdict = judged;
                self.comments.clear();
                self.renderer.comments(&page, &self.selection, &mut self.comments);
            }
            watch.lap(number + 1);
            number += 2;
        }
        let mut signals = Signals::off();
        self.stage_text.begin().push_str(&self.texts[0]);
        let mut draft = Draft { url, ..Draft::of_text(&mut self.stage_text, &mut signals) };
        draft.has_article = verdict.has_article;
        draft.page_type = verdict.page_type.map(huller_extract::PageType::name);
        draft.score = verdict.score;
        self.stages.iter_mut().for_each(|(_, chain)| chain.begin());
        watch.restart();
        for needs in [Needs::Address, Needs::Verdict, Needs::Text, Needs::Final] {
            for (place, (_, chain)) in self.stages.iter_mut().enumerate() {
                // A row that a stage drops goes on all the same, so that each stage is measured on all rows.
                let _ = chain.apply(needs, &mut draft);
                watch.lap(number + place);
            }
        }
        number += self.stages.len();
        let (offset, length) = position.member.unzip();
        let Metadata { title, author, published, site_name, description } = &self.metadata;
        watch.restart();
        for (place, format) in self.formats.iter_mut().enumerate() {
            format.encoder.row(&Row {
                id,
                url,
                date,
                title: stated(title),
                text: &self.texts[0],
                language: None,
                language_script: None,
                language_score: None,
                author: stated(author),
                published: stated(published),
                site_name: stated(site_name),
                description: stated(description),
                extractor: self.methods[0].0,
                score: verdict.score,
                page_type: verdict.page_type.map(huller_extract::PageType::name),
                has_article: verdict.has_article,
                comments: stated(&self.comments),
                charset: decoded.charset.label(),
                charset_source: decoded.charset.source.name(),
                replaced: decoded.replaced,
                content_type,
                status,
                digest: None,
                file_path: "",
                warc_filename: None,
                warc_record_offset: offset,
                warc_record_length: length,
                stream_offset: position.stream_offset,
                truncated: None,
                texts: None,
                markdown: None,
                html: None,
                source_html: None,
                blocks: None,
                signals: None,
                tokens: None,
                source: None,
                extras: format.extras,
            });
            watch.lap(number + 2 * place);
        }
    }
}

/// A field of the metadata, if anything was found.
fn stated(field: &str) -> Option<&str> {
    (!field.is_empty()).then_some(field)
}

/// Takes the records of one batch.
struct Pages<'s> {
    steps: &'s mut PageSteps,
    watch: &'s mut Stopwatch,
    other: usize,
    first: usize,
}

impl Visitor for Pages<'_> {
    fn record(&mut self, record: Record<'_>) {
        self.watch.lap(self.other);
        let Record { header, block, position, .. } = record;
        self.steps.raw_bytes += (header.len() + block.len()) as u64 + 4;
        if let Some((offset, length)) = position.member {
            self.steps.members.push(offset..offset + length);
        }
        let limits = self.steps.limits.clone();
        let mut decoder = std::mem::take(&mut self.steps.decoder);
        self.watch.restart();
        let header = WarcHeader::parse(header);
        let page = header.as_ref().and_then(|header| {
            PageRecord::new(header, block, false, &limits).ok()?.decode(&mut decoder, &limits).ok()
        });
        self.watch.lap(self.first + BODY);
        if let (Some(header), Some(page)) = (&header, page) {
            let text = |bytes: &[u8]| str::from_utf8(bytes).ok().map(str::to_owned);
            let [id, url, date] = [header.record_id(), header.target_uri(), header.date()]
                .map(|of| of.and_then(text));
            let content_type = page.content_type.and_then(text);
            let facts = Facts {
                id: id.as_deref().unwrap_or_default(),
                url: url.as_deref(),
                date: date.as_deref(),
                content_type: content_type.as_deref(),
                status: page.status,
                position,
            };
            self.watch.restart();
            self.steps.page(page.bytes, page.http_charset, facts, self.watch, self.first);
        }
        self.steps.decoder = decoder;
        self.watch.restart();
    }

    fn line(&mut self, line: &[u8], position: Position) {
        self.watch.lap(self.other);
        self.steps.raw_bytes += line.len() as u64 + 1;
        let mut jsonl =
            std::mem::replace(&mut self.steps.jsonl, JsonlReader::new(JsonlKeys::default()));
        self.watch.restart();
        let page = jsonl.read(line);
        self.watch.lap(self.first + BODY);
        if let Ok(page) = page {
            let facts = Facts {
                id: page.id.unwrap_or_default(),
                url: page.url,
                date: page.date,
                position,
                ..Facts::default()
            };
            self.steps.page(page.html.as_bytes(), Some(b"utf-8"), facts, self.watch, self.first);
        }
        self.steps.jsonl = jsonl;
        self.watch.restart();
    }

    fn fault(&mut self, _: &Fault) {}
}
