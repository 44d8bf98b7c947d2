use super::blocks::blocks;
use super::features::BlockCounts;
use super::model::ClassCounts;
use super::*;
use huller_page::PageBuf;
use huller_select::Renderer;
use proptest::prelude::*;

fn text(extractor: &NaiveBayes, html: &str) -> String {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    extractor.extract(&page, &mut Scratch::default(), &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    text
}

/// Returns naive Bayes trained on one long block as theme and three blocks of links as noise.
fn learned(options: Options) -> NaiveBayes {
    let mut counts = Counts::default();
    let prose = BlockCounts { unlinked: 300, linked: 0, punctuation: 9, paragraphs: 3 };
    let links = BlockCounts { unlinked: 0, linked: 40, punctuation: 0, paragraphs: 0 };
    for (block, is_theme) in [(prose, true), (links, false), (links, false), (links, false)] {
        counts.push(block.bins(), is_theme);
    }
    NaiveBayes::new(options, &counts).unwrap()
}

#[test]
fn the_built_in_model_is_readable_and_has_both_classes() {
    let model = Model::shipped();
    assert!(model.pages > 500, "trained on {} pages", model.pages);
    for definition in Definition::ALL {
        assert!(NaiveBayes::with_model(definition, model).is_ok(), "{definition:?}");
    }
    assert_eq!(Model::from_bytes(model.to_json().as_bytes()).as_ref(), Ok(model));
}

#[test]
fn unreadable_and_inconsistent_models_are_refused() {
    let good = Model::default().to_json();
    assert!(Model::from_bytes(good.as_bytes()).is_ok());
    let changed = |from: &str, to: &str| {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from} is not in a model");
        Model::from_bytes(bad.as_bytes())
    };
    for (from, to) in [
        ("huller-nb", "huller-topics"),
        ("\"version\":1", "\"version\":2"),
        ("\"pages\":0", "\"pages\":0,\"more\":1"),
        ("\"pages\":0", "\"pages\":-1"),
        ("[0,0,0,0]", "[0,0,0]"),
        ("\"paper\"", "\"papers\""),
        ("}", ""),
    ] {
        assert!(matches!(changed(from, to), Err(ModelError::Unreadable(_))), "{to}");
    }
    for (from, to) in [
        ("\"blocks\":0", "\"blocks\":1"),
        ("[0,0,0,0]", "[1,0,0,0]"),
        ("[0,0,0,0]", "[18446744073709551615,1,0,0]"),
        ("\"pages\":0", "\"pages\":18446744073709551615"),
    ] {
        assert_eq!(changed(from, to), Err(ModelError::Counts), "{to}");
    }
}

#[test]
fn a_model_of_one_class_is_refused() {
    let mut counts = Counts::default();
    counts.push(BlockCounts::default().bins(), true);
    assert_eq!(Classifier::new(&counts, &Options::TUNED).unwrap_err(), ModelError::OneClass);
}

#[test]
fn a_block_is_the_text_of_its_nearest_block_element() {
    let html = "<div id=a>before<div id=b>inner<p>one</div>after<p>two</div>rest<article><p>three</article>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let blocks = blocks(&page, &Options::TUNED);
    let counts: Vec<_> = blocks.iter().map(|b| (b.counts.unlinked, b.counts.paragraphs)).collect();
    assert_eq!(counts, [(14, 1), (8, 1), (9, 1)]);
    let mut inner = String::new();
    Renderer::default().text(&page, &blocks[1].selection(&page), &mut inner);
    assert_eq!(inner, "inner\none");
}

#[test]
fn with_more_tags_sections_and_lists_are_blocks_too() {
    let prose = "Rain fell all day long, and the roads were shut. ".repeat(7);
    let html =
        format!("<div><article>{prose}</article><ul><li><a href=/>Home of the news</a></ul></div>");
    let kind = BlockKind { more_tags: true, overlap: false };
    let more = Options::TUNED.with_blocks(kind);
    assert_eq!(text(&learned(more), &html).trim(), prose.trim());
    let four = text(&learned(Options::TUNED), &html);
    assert!(four.ends_with("Home of the news"), "{four}");
    // Tables stay the only blocks of `nb-table`.
    assert_eq!(Options::TUNED.for_tables().with_blocks(kind).tags, BlockTags::Tables);
    // The setting is in the model's file, and only there.
    let model = Model::of_blocks(kind);
    assert!(model.to_json().contains("\"more_tags\""));
    assert_eq!(model.blocks(), kind);
    assert_eq!(Model::shipped().blocks(), BlockKind::default());
}

#[test]
fn overlapping_blocks_are_whole_subtrees_and_text_is_written_once() {
    let html =
        "<div id=a>before<div id=b>inner<p>one <a href=/>two</a></div>after<p>three</div>rest";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let options = Options { overlap: true, ..Options::TUNED };
    let blocks = blocks(&page, &options);
    let counts = |b: &blocks::Block| {
        let BlockCounts { unlinked, linked, paragraphs, .. } = b.counts;
        (unlinked, linked, paragraphs, b.runs.len())
    };
    // a: before 6, inner 5, one 3, after 5, three 5; b: inner 5, one 3; the body: all and rest 4.
    // Two is linked.
    let counts: Vec<_> = blocks.iter().map(counts).collect();
    assert_eq!(counts, [(24, 3, 2, 6), (8, 3, 1, 3), (28, 3, 2, 7)]);

    let prose = "Rain fell all day long, and the roads were shut. ".repeat(7);
    let html = format!("<div>{prose}<div><a href=/>Home of the news</a></div></div>");
    let partition = text(&learned(Options::TUNED), &html);
    assert_eq!(partition.trim(), prose.trim());
    let overlapping = text(&learned(options), &html);
    assert_eq!(overlapping, format!("{}\nHome of the news", prose.trim()));
}

#[test]
fn a_run_has_the_probability_of_its_likeliest_block() {
    let html =
        "<div>Short.<div><a href=/>Home of the news and of the weather, today</a></div></div>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let probabilities = |options| {
        let extractor = learned(options);
        let (mut scratch, mut figures) = (Scratch::default(), RunFigures::default());
        extractor.extract(&page, &mut scratch, &mut Selection::default());
        figures.clear(&page);
        extractor.figures(&page, &scratch, &mut figures);
        [0, 1].map(|run| f64::from(figures.probability(run).unwrap()))
    };
    // Theme: one block with the bins 6, 1, 3, 2. Noise: three with 1, 4, 1, 1. Smoothed by one,
    // summed up to the bin for text outside links and punctuation. The first div has the bins 1, 1,
    // 3, 1, the second one 1, 4, 1, 1.
    let first = (1.0 / 7.0) * (2.0 / 5.0) * (4.0 / 4.0) * (1.0 / 4.0);
    let first_noise = (4.0 / 9.0) * (1.0 / 7.0) * (6.0 / 6.0) * (4.0 / 6.0);
    let second = (1.0 / 7.0) * (1.0 / 5.0) * (1.0 / 4.0) * (1.0 / 4.0);
    let second_noise = (4.0 / 9.0) * (4.0 / 7.0) * (4.0 / 6.0) * (4.0 / 6.0);
    let share = |theme: f64, noise: f64| theme / (theme + noise);
    let options = Options { merge: Merge::None, ..Options::PAPER };
    let [one, two] = probabilities(options);
    assert!((one - share(first, first_noise)).abs() < 1e-6, "{one}");
    // With 36 linked scalars and one comma the share of punctuation is over .02.
    let second = second * 2.0;
    let second_noise = second_noise * 5.0 / 4.0;
    assert!((two - share(second, second_noise)).abs() < 1e-6, "{two}");
    // If blocks overlap, the first div also has the link. Its bins 1, 4, 2, 1 are then those of the
    // second one.
    let [one, two] = probabilities(Options { overlap: true, ..options });
    assert!((one - two).abs() < 1e-6 && (one - share(second, second_noise)).abs() < 1e-6);
}

#[test]
fn siblings_merge_by_the_option_and_only_when_nothing_stands_between() {
    let html = "<div class=x>a</div><div class=x>b</div><div class=y>c</div>body<div class=y>d</div><table><tr><td>e</td></tr></table>";
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let sizes = |merge| {
        let options = Options { merge, ..Options::PAPER };
        blocks(&page, &options).iter().map(|block| block.runs.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(Merge::None), [1, 1, 1, 1, 1, 1]);
    assert_eq!(sizes(Merge::SameSignature), [2, 1, 1, 1, 1]);
    assert_eq!(sizes(Merge::SameTag), [3, 1, 1, 1]);
    assert_eq!(sizes(Merge::Siblings), [3, 1, 1, 1]);
}

#[test]
fn the_tuned_profile_selects_the_nearest_block_where_none_is_theme() {
    let html = "<div><a href=/>Home</a></div><div>Short, but text.</div>";
    let tuned = learned(Options::TUNED);
    assert_eq!(text(&tuned, html), "Short, but text.");
    assert_eq!(text(&learned(Options { take_nearest: false, ..Options::TUNED }), html), "");
    assert_eq!(text(&tuned, "<header>Only this</header>"), "");
}

#[test]
fn plain_bins_use_the_probability_of_the_bin_alone() {
    let counts = |unlinked| BlockCounts { unlinked, linked: 0, punctuation: 1, paragraphs: 1 };
    let odds =
        |options, unlinked: u32| learned(options).classifier.log_odds(counts(unlinked).bins());
    assert!((odds(Options::PAPER, 100) - odds(Options::PAPER, 1000)).abs() < 1e-12);
    let plain = Options { plain_bins: true, ..Options::PAPER };
    // The last bin alone favours theme. All bins up to the last hold all blocks of both classes, so
    // they favour neither.
    assert!(odds(plain, 100) > odds(Options::PAPER, 100));
}

proptest! {
    #[test]
    fn models_add_up(blocks in prop::collection::vec((0..200u32, 0..200u32, 0..20u32, 0..6u32, any::<bool>()), 0..40), cut in 0..40usize) {
        let train = |blocks: &[(u32, u32, u32, u32, bool)]| {
            let mut model = Model::default();
            for (unlinked, linked, punctuation, paragraphs, is_theme) in blocks.iter().copied() {
                let counts = BlockCounts { unlinked, linked, punctuation, paragraphs };
                model.counts_mut(Definition::Tuned).push(counts.bins(), is_theme);
            }
            model.pages = blocks.len() as u64;
            model
        };
        let cut = cut.min(blocks.len());
        let mut sum = train(&blocks[..cut]);
        sum.add(&train(&blocks[cut..]));
        prop_assert_eq!(&sum, &train(&blocks));
        prop_assert_eq!(Model::from_bytes(sum.to_json().as_bytes()), Ok(sum.clone()));
        let ClassCounts { blocks: theme, .. } = sum.counts(Definition::Tuned).theme;
        prop_assert_eq!(theme + sum.counts(Definition::Tuned).noise.blocks, blocks.len() as u64);
    }
}
