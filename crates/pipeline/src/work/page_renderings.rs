//! Renders the selections of a worker's extractors for one page: texts, Markdown, HTML, links.

use crate::probe::{PageStep, Probe};
use crate::settings::Settings;
use crate::work::agreement::Agreement;
use crate::work::block_list::BlockList;
use crate::work::choice_rule::ChoiceRule;
use crate::work::dropped_rows::RowSinks;
use crate::work::heading_anchors::HeadingLines;
use crate::work::link_list::{LinkList, LinkSource};
use crate::work::page_context::{PageContext, PlacedPage};
use crate::work::page_results::{PageResults, non_empty};
use crate::work::plain_text;
use crate::work::stages::{StageWork, StagedRow};
use huller_archive::Truncation;
use huller_extract::{LinkPage, PageFacts};
use huller_metadata::Metadata;
use huller_page::Page;
use huller_page::memory::clear_and_shrink;
use huller_refine::{Language, Reason, RowFields, StagePhase};
use huller_row::{HeadingAnchor, Link, Row, Texts};
use huller_select::{Extractor, PageType, Renderer, Selection, TextStyle, Verdict};

/// The extractors of a worker, and the renderings of their selections of one page.
pub(crate) struct PageRenderings {
    /// The names of the extractors.
    names: Vec<&'static str>,
    /// A worker of every extractor.
    extractors: Vec<Box<dyn Extractor>>,
    /// The extractor whose text the row gets.
    rule: ChoiceRule,
    /// Index in `extractors` of the extractor whose text the row gets.
    chosen: usize,
    /// Index in `extractors` of the P value, which judges whether a page has an article.
    pvalue: Option<usize>,
    /// Whether its verdict replaces that of other extractors.
    judges: bool,
    /// The extractor for pages that are articles as a whole.
    whole: Box<dyn Extractor>,
    /// Whether the page is the article that another page states.
    is_stated: bool,
    /// Whether the selections lack the headline at their start.
    leave_out_headline: bool,
    selection: Selection,
    /// The selection of an extractor of which only the verdict is wanted.
    unused_selection: Selection,
    /// The selection of the best extractor so far.
    best: Selection,
    agreement: Agreement,
    renderer: Renderer,
    /// The text of the row, and those of the other extractors if the row has them.
    texts: Vec<String>,
    comments: String,
    markdown: String,
    heading_lines: HeadingLines,
    html: String,
    source_html: String,
    blocks: BlockList,
    links: LinkList,
}

/// Name of the extractor whose purpose is also to judge pages.
const PVALUE: &str = "pvalue";

/// Name of the extractor in rows whose text no extractor made.
const NO_EXTRACTOR: &str = "none";

/// A page whose text is sought, and what is known of it before.
pub(crate) struct Candidate<'p, 'a> {
    pub(crate) page: &'a Page<'p>,
    /// The text of a page that is text already.
    pub(crate) plain: Option<&'a str>,
    pub(crate) metadata: &'a Metadata,
    /// The fields that stages see besides the text.
    pub(crate) fields: &'p dyn RowFields,
    pub(crate) settings: &'a Settings,
}

impl PageRenderings {
    pub(crate) fn new(settings: &Settings) -> PageRenderings {
        let mut renderer = Renderer::new(match TextStyle::for_profile(settings.profile) {
            TextStyle::Formed(_) => TextStyle::Formed(settings.text_form),
            TextStyle::Specification => TextStyle::Specification,
        });
        if settings.lists_blocks() || settings.has_links() {
            renderer.note_places();
        }
        if settings.passages().is_some() {
            renderer.note_headings();
        }
        let names: Vec<_> = settings.extractors.iter().map(|extractor| extractor.name()).collect();
        PageRenderings {
            texts: vec![String::new(); settings.texts_of_row()],
            rule: settings.choose,
            chosen: 0,
            pvalue: names.iter().position(|name| *name == PVALUE),
            judges: settings.judge,
            names,
            extractors: settings.extractors(),
            whole: huller_extract::WHOLE.worker(settings.profile),
            is_stated: false,
            leave_out_headline: settings.leave_out_headline,
            selection: Selection::default(),
            unused_selection: Selection::default(),
            best: Selection::default(),
            agreement: Agreement::default(),
            renderer,
            comments: String::new(),
            markdown: String::new(),
            heading_lines: HeadingLines::default(),
            html: String::new(),
            source_html: String::new(),
            blocks: BlockList::new(settings),
            links: LinkList::new(settings),
        }
    }

    /// Returns the bytes of all renderings.
    pub(crate) fn bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(String::len).sum();
        let markup = self.markdown.len() + self.html.len() + self.source_html.len();
        texts + self.comments.len() + markup + self.blocks.json().len() + self.links.bytes()
    }

    /// Begins a page. `is_stated` says that the page is the article that another page states.
    pub(crate) fn begin(&mut self, is_stated: bool) {
        self.is_stated = is_stated;
        self.chosen = 0;
        self.texts.iter_mut().for_each(clear);
    }

    /// Finds the text of the row, and lets the stages decide about it.
    ///
    /// # Errors
    ///
    /// A stage refused the text, and by [`ChoiceRule::Surviving`] that of each extractor. The
    /// reason is the one for the first extractor.
    pub(crate) fn find_text<'p, P: Probe>(
        &mut self,
        candidate: &Candidate<'p, '_>,
        staged: &mut StagedRow<'p>,
        sinks: &RowSinks<'_>,
        probe: &mut P,
    ) -> Result<Verdict, Reason> {
        // All extractors give the same text of a stated article and of plain text.
        let has_one_text = self.is_stated || candidate.plain.is_some();
        if has_one_text || self.extractors.len() == 1 {
            return self.try_extractor(0, candidate, staged, sinks, probe);
        }
        match self.rule {
            ChoiceRule::First => self.try_extractor(0, candidate, staged, sinks, probe),
            ChoiceRule::Surviving => self.first_surviving(candidate, staged, sinks, probe),
            ChoiceRule::Longest | ChoiceRule::Expected => {
                let verdict = self.select_best(candidate, probe);
                self.pass_text(verdict, candidate, staged, sinks, probe)
            }
        }
    }

    /// Notes the extractor whose text the row kept, in runs that choose one.
    pub(crate) fn note_choice(&self, stages: &mut StageWork) {
        if self.rule != ChoiceRule::First {
            stages.note_choice(self.names[self.chosen], &self.texts[0]);
        }
    }

    /// Lets the stages decide about the text of each extractor, until one survives.
    fn first_surviving<'p, P: Probe>(
        &mut self,
        candidate: &Candidate<'p, '_>,
        staged: &mut StagedRow<'p>,
        sinks: &RowSinks<'_>,
        probe: &mut P,
    ) -> Result<Verdict, Reason> {
        let mut first_refusal = None;
        staged.begin_trials();
        for index in 0..self.extractors.len() {
            match self.try_extractor(index, candidate, staged, sinks, probe) {
                Ok(verdict) => return Ok(verdict),
                Err(reason) => {
                    first_refusal.get_or_insert_with(|| (reason, staged.trace().clone()));
                    staged.next_trial();
                }
            }
        }
        let (reason, trace) = first_refusal.expect("a run has an extractor");
        if staged.end_trials(reason, sinks) {
            // The row is kept for inspection, as the first extractor makes it.
            return self.try_extractor(0, candidate, staged, sinks, probe);
        }
        staged.restore(&trace);
        Err(reason)
    }

    /// Lets the extractor at this place select, and the stages decide about its text.
    fn try_extractor<'p, P: Probe>(
        &mut self,
        index: usize,
        candidate: &Candidate<'p, '_>,
        staged: &mut StagedRow<'p>,
        sinks: &RowSinks<'_>,
        probe: &mut P,
    ) -> Result<Verdict, Reason> {
        self.chosen = index;
        let mut verdict = self.select(candidate.page, index);
        if candidate.plain.is_some() {
            // A text that was extracted earlier gets no verdict.
            verdict = Verdict::default();
        }
        probe.lap(PageStep::Extractor(index));
        self.pass_text(verdict, candidate, staged, sinks, probe)
    }

    /// Writes the text of the current selection, and lets the stages decide about it.
    fn pass_text<'p, P: Probe>(
        &mut self,
        verdict: Verdict,
        candidate: &Candidate<'p, '_>,
        staged: &mut StagedRow<'p>,
        sinks: &RowSinks<'_>,
        probe: &mut P,
    ) -> Result<Verdict, Reason> {
        clear(&mut self.texts[0]);
        let verdict = self.write_text(candidate, verdict);
        probe.lap(PageStep::Rendering(self.chosen));
        staged.note_verdict(&verdict);
        staged.note_fields(candidate.fields);
        staged.pass(StagePhase::Verdict, sinks, probe)?;
        staged.pass_text(&mut self.texts[0], sinks, probe)?;
        Ok(verdict)
    }

    /// Lets all extractors select, and restores the best selection by the rule. Of equal ones the
    /// first is the best.
    fn select_best<P: Probe>(&mut self, candidate: &Candidate<'_, '_>, probe: &mut P) -> Verdict {
        let (page, mut longest) = (candidate.page, None);
        let mut verdicts = Vec::with_capacity(self.extractors.len());
        self.agreement.begin();
        for index in 0..self.extractors.len() {
            verdicts.push(self.select(page, index));
            probe.lap(PageStep::Extractor(index));
            if self.rule == ChoiceRule::Expected {
                self.agreement.add(page, &self.selection);
                continue;
            }
            let PageRenderings { selection, renderer, texts, best, .. } = self;
            let text = &mut texts[0];
            clear(text);
            candidate.settings.include.write(page, selection, candidate.metadata, renderer, text);
            let chars = text.chars().count();
            if longest.is_none_or(|(max_chars, _)| chars > max_chars) {
                longest = Some((chars, index));
                best.copy_from(selection);
            }
            probe.lap(PageStep::Rendering(index));
        }
        self.chosen = longest.map_or_else(|| self.agreement.best_extractor(), |(_, index)| index);
        if longest.is_some() {
            self.selection.copy_from(&self.best);
        } else {
            self.extract(page, self.chosen);
        }
        verdicts[self.chosen]
    }

    /// Lets an extractor select, and returns its verdict. If the P value is one of the extractors,
    /// it judges whether the page has an article. This extractor judges instead if it can and the
    /// run does not ask for judgement.
    fn select(&mut self, page: &Page<'_>, index: usize) -> Verdict {
        let mut verdict = self.extract(page, index);
        let judge = self.pvalue.filter(|judge| *judge != index);
        if let Some(judge) = judge.filter(|_| self.judges || verdict.has_article.is_none()) {
            std::mem::swap(&mut self.selection, &mut self.unused_selection);
            verdict.has_article = self.extract(page, judge).has_article;
            std::mem::swap(&mut self.selection, &mut self.unused_selection);
        }
        verdict
    }

    /// Lets an extractor select. Of an article that a page states everything is selected, without
    /// regard to the extractor's judgement of the parts.
    fn extract(&mut self, page: &Page<'_>, index: usize) -> Verdict {
        let PageRenderings { extractors, whole, selection, is_stated, leave_out_headline, .. } =
            self;
        let verdict = extractors[index].extract(page, selection);
        if *leave_out_headline {
            selection.leave_out_headline();
        }
        if !*is_stated {
            return verdict;
        }
        whole.extract(page, selection);
        let has_article = verdict.has_article.map(|_| true);
        let page_type = verdict.page_type.map(|_| PageType::Article);
        Verdict { has_article, page_type, ..verdict }
    }

    /// Writes the text of that selection and the included parts. Returns the verdict on a page with
    /// this text.
    fn write_text(&mut self, candidate: &Candidate<'_, '_>, verdict: Verdict) -> Verdict {
        let Candidate { page, plain, settings, metadata, .. } = *candidate;
        let PageRenderings { extractors, chosen, selection, renderer, texts, blocks, .. } = self;
        let text = &mut texts[0];
        let before_body = match plain {
            Some(plain) => {
                plain_text::write(plain, text);
                0
            }
            None => settings.include.write(page, selection, metadata, renderer, text),
        };
        if lists_blocks(settings, &verdict) {
            blocks.begin(page, renderer, text, before_body);
            blocks.add(page, &mut *extractors[*chosen], selection);
        }
        match plain {
            Some(_) => verdict.with_text(text),
            None => verdict.with_selection(page, selection, &text[before_body..]),
        }
    }

    /// Writes the other renderings of that selection that the run asks for, and its comments.
    pub(crate) fn write_markup(&mut self, page: &Page<'_>, url: Option<&str>, settings: &Settings) {
        let PageRenderings { selection, renderer, comments, markdown, html, source_html, .. } =
            self;
        [&mut *markdown, &mut *html, &mut *source_html, &mut *comments].into_iter().for_each(clear);
        if let Some(options) = settings.markdown_options() {
            renderer.markdown(page, selection, url, options, markdown);
        }
        if settings.html {
            renderer.html(page, selection, url, html);
        }
        if settings.source_html {
            renderer.source_html(page, selection, source_html);
        }
        renderer.comments(page, selection, comments);
    }

    /// Lets the other extractors select, and writes their texts, if the row has them.
    pub(crate) fn write_other_texts<P: Probe>(
        &mut self,
        candidate: &Candidate<'_, '_>,
        probe: &mut P,
    ) {
        let Candidate { page, plain, settings, metadata, .. } = *candidate;
        for index in 1..self.texts.len() {
            self.extract(page, index);
            probe.lap(PageStep::Extractor(index));
            let PageRenderings { extractors, selection, renderer, texts, blocks, .. } = self;
            let (first, other_texts) = texts.split_at_mut(index);
            if plain.is_some() {
                other_texts[0].push_str(&first[0]);
            } else {
                settings.include.write(page, selection, metadata, renderer, &mut other_texts[0]);
            }
            if settings.blocks {
                blocks.add(page, &mut *extractors[index], selection);
            }
            probe.lap(PageStep::Rendering(index));
        }
    }

    /// Writes the list of blocks. It needs the text as the stages left it, and title and author as
    /// the page has them.
    pub(crate) fn write_blocks(
        &mut self,
        page: &Page<'_>,
        metadata: &Metadata,
        stages: &mut StageWork,
    ) {
        let Metadata { title, author, .. } = metadata;
        let facts = PageFacts { text: &self.texts[0], title, author };
        let names = match self.rule {
            ChoiceRule::First => &self.names[..],
            _ => &self.names[self.chosen..=self.chosen],
        };
        self.blocks.write(page, facts, names, &mut self.renderer, &mut stages.chain);
    }

    /// Lists the links of the whole page.
    pub(crate) fn write_links(
        &mut self,
        page: &Page<'_>,
        source: LinkSource<'_>,
        metadata: &Metadata,
        stages: &mut StageWork,
    ) {
        let PageRenderings { is_stated, selection, extractors, chosen, links, renderer, .. } = self;
        let Metadata { title, author, .. } = metadata;
        let facts = PageFacts { text: "", title, author };
        // The selection and the blocks of a stated article are those of another page.
        let none = Selection::default();
        let whole = match is_stated {
            true => LinkPage { page, segmentation: None, selection: &none, facts },
            false => LinkPage {
                page,
                segmentation: extractors[*chosen].segmentation(),
                selection,
                facts,
            },
        };
        links.fill(whole, source, renderer, &mut stages.chain);
    }

    /// Returns the links that were listed, in runs that write them.
    pub(crate) fn links(&self) -> Vec<Link<'_>> {
        self.links.links()
    }

    /// Applies to every form with words of the page the changes that the stages made to the
    /// characters of its text.
    pub(crate) fn rewrite(&mut self, metadata: &mut Metadata, stages: &mut StageWork) {
        let StageWork { chain, spare, .. } = stages;
        if chain.is_empty() {
            return;
        }
        let Metadata { title, author, site_name, description, .. } = metadata;
        let of_page = [title, author, site_name, description];
        [&mut self.markdown, &mut self.html, &mut self.source_html, &mut self.comments]
            .into_iter()
            .chain(of_page)
            .chain(&mut self.texts[1..])
            .for_each(|form| _ = chain.rewrite(form, spare));
    }

    /// Finds the lines of the headings in the Markdown, before stages change its characters.
    pub(crate) fn find_headings(&mut self) {
        self.heading_lines.fill(self.renderer.headings(), &self.markdown);
    }

    /// Returns the identifiers of the headings in the Markdown, in runs that write passages.
    pub(crate) fn anchors<'p>(
        &self,
        page: &Page<'p>,
        settings: &Settings,
    ) -> Vec<HeadingAnchor<'p>> {
        match settings.passages() {
            Some(_) => self.heading_lines.anchors(self.renderer.headings(), page, &self.markdown),
            None => Vec::new(),
        }
    }

    /// Returns the row of the page.
    pub(crate) fn row<'r>(
        &'r self,
        context: &PageContext<'r>,
        facts: &PlacedPage<'r>,
        found: &'r PageResults<'r>,
        stages: &'r StageWork,
    ) -> Row<'r> {
        let settings = context.settings;
        let PageResults { url, record, metadata, decoded, verdict, language, kept, .. } = found;
        let PageResults { anchors, links, rights, .. } = found;
        let cut = decoded.truncated.then_some("page_limit");
        let (offset, length) = facts.position.member.unzip();
        let is_plain = facts.page.is_plain_text();
        Row {
            id: record.id,
            url: *url,
            date: record.date,
            title: non_empty(&metadata.title),
            text: &self.texts[0],
            language: language.as_ref().map(Language::code),
            language_script: language.as_ref().map(Language::script),
            language_score: language.map(|language| language.score),
            author: non_empty(&metadata.author),
            published: non_empty(&metadata.published),
            site_name: non_empty(&metadata.site_name),
            description: non_empty(&metadata.description),
            extractor: if is_plain { NO_EXTRACTOR } else { self.names[self.chosen] },
            score: verdict.score,
            page_type: verdict.page_type.map(PageType::name),
            has_article: verdict.with_text(&self.texts[0]).has_article,
            comments: non_empty(&self.comments),
            charset: decoded.charset.label(),
            charset_source: decoded.charset.source.name(),
            replaced: decoded.replacements,
            content_type: record.content_type,
            status: facts.page.status,
            digest: record.digest,
            file_path: context.input,
            warc_filename: facts.archive,
            warc_record_offset: offset,
            warc_record_length: length,
            stream_offset: facts.position.stream_offset.filter(|_| offset.is_none()),
            truncated: cut.or(facts.page.truncated.map(Truncation::name)),
            texts: (self.texts.len() > 1)
                .then_some(Texts { names: &self.names, texts: &self.texts }),
            markdown: settings.markdown_options().is_some().then_some(&self.markdown),
            html: settings.html.then_some(&self.html),
            source_html: settings.source_html.then_some(&self.source_html),
            blocks: lists_blocks(settings, verdict).then(|| self.blocks.json()),
            signals: settings.signals.then(|| stages.signals_json()),
            classes: stages.text.classes(),
            perplexity: stages.text.perplexity().and_then(|perplexity| perplexity.value),
            bucket: stages.text.perplexity().map(|perplexity| perplexity.bucket.name()),
            tokens: stages.text.tokens(),
            rights: stages.text.rights().or(*rights),
            source: *kept,
            record: facts.record,
            anchors,
            links,
            link: None,
            passage: None,
            extras: settings.extras(),
        }
    }
}

/// Returns whether the blocks of a page with this verdict are listed: the run lists those of all
/// pages, or the page is escalated.
pub(crate) fn lists_blocks(settings: &Settings, verdict: &Verdict) -> bool {
    let is_escalated = || settings.escalated_below().zip(verdict.score);
    settings.blocks || is_escalated().is_some_and(|(below, score)| score < below)
}

/// Empties a text, and frees its buffer if that is large.
fn clear(text: &mut String) {
    const MAX_KEPT_BYTES: usize = 1 << 20;
    let mut bytes = std::mem::take(text).into_bytes();
    clear_and_shrink(&mut bytes, MAX_KEPT_BYTES);
    *text = String::from_utf8(bytes).expect("no bytes are UTF-8");
}
