//! The settings of DVPS.

use crate::visual::forest::Segments;
use crate::visual::importance::{ImportanceTerm, Weights};
use huller_page::{Tag, TagTable};
use serde::{Deserialize, Serialize};

/// The settings of DVPS that a user can change in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Options {
    /// The weights w1 to w3 of equation (5) and w4 to w6 of equation (9). Each group of three is
    /// divided by its sum.
    pub(crate) weights: [f64; 6],
    /// Elements that the third term of equation (9) counts.
    pub(crate) third_term: ImportanceTerm,
    /// Weight of the spatial importance (5), 0 to 1, on a page whose text is in blocks with
    /// declared widths [C-10].
    pub(crate) spatial: f64,
    /// Weight of the spatial importance on every page, 0 to 1, in place of that share of `spatial`.
    pub(crate) lambda: Option<f64>,
    /// Permitted degree of coherence (`PDoC`), 1 to 10. Neighbours are joined over a separator that
    /// weighs at most 9 minus this.
    pub(crate) permitted_coherence: f64,
    /// The elements that may become blocks.
    pub(crate) segments: SegmentTags,
    /// Whether rule 5 cuts tables whose cells look different, and makes the cells of a cut table
    /// blocks [C-12].
    pub(crate) cut_tables: bool,
    /// Whether separators weigh the gap and the fonts beside them [C-13].
    pub(crate) gaps_and_fonts: bool,
    /// Whether blocks with different backgrounds or fonts are unlike, even if their tag and class
    /// are equal [C-16].
    pub(crate) differing_properties: bool,
    /// Whether an `hr` anywhere within a segment divides it by rule 1 [C-18].
    pub(crate) inner_rules: bool,
    /// Share of the largest importance that a block needs to be selected, 0 to 1. With 1, only the
    /// first block with the largest importance is selected.
    pub(crate) chosen: f64,
    /// Smallest cosine, 0 to 1, between the words of a block and those of the best block at which
    /// the block is selected too.
    pub(crate) pull_in: Option<f64>,
    /// Phrases that mark function blocks, in addition to the shipped ones.
    pub(crate) phrases: Vec<String>,
}

/// The elements that may become blocks, in addition to the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SegmentTags {
    /// `div`, as in the paper.
    Div,
    /// `div`, and the elements that newer pages use in its place:
    /// `article aside footer header main nav section`.
    Sections,
}

static DIV: Segments = Segments::from_tags(TagTable::NONE.with(&[Tag::DIV]));
static SECTIONS: Segments = Segments::from_tags(TagTable::NONE.with(&[
    Tag::DIV,
    Tag::ARTICLE,
    Tag::ASIDE,
    Tag::FOOTER,
    Tag::HEADER,
    Tag::MAIN,
    Tag::NAV,
    Tag::SECTION,
]));

impl SegmentTags {
    pub(super) fn segments(self) -> &'static Segments {
        match self {
            SegmentTags::Div => &DIV,
            SegmentTags::Sections => &SECTIONS,
        }
    }
}

impl Options {
    /// The settings of the paper, as far as it gives them.
    pub(super) const PAPER: Options = Options {
        weights: [0.5, 0.2, 0.3, 0.7, 0.2, 0.1],
        third_term: ImportanceTerm::Tags,
        spatial: 0.0,
        lambda: None,
        permitted_coherence: 5.5,
        segments: SegmentTags::Div,
        cut_tables: true,
        gaps_and_fonts: true,
        differing_properties: true,
        inner_rules: true,
        chosen: 1.0,
        pull_in: None,
        phrases: Vec::new(),
    };

    /// The settings with the best measured results.
    pub(super) const TUNED: Options = Options {
        weights: [0.5, 0.2, 0.3, 0.6, 0.3, 0.1],
        third_term: ImportanceTerm::Tags,
        spatial: 0.0,
        lambda: None,
        permitted_coherence: 5.5,
        segments: SegmentTags::Div,
        cut_tables: true,
        gaps_and_fonts: false,
        differing_properties: false,
        inner_rules: false,
        chosen: 0.82,
        pull_in: Some(0.4),
        phrases: Vec::new(),
    };

    /// Returns the settings of the specification's reference program:
    ///
    /// * (5) counts with (9);
    /// * tables are not cut;
    /// * neither gaps nor fonts count;
    /// * an `hr` divides only where it is directly in a segment.
    #[cfg(test)]
    pub(crate) fn reference_settings() -> Options {
        Options {
            spatial: 0.5,
            cut_tables: false,
            gaps_and_fonts: false,
            differing_properties: false,
            inner_rules: false,
            ..Options::PAPER
        }
    }

    /// Returns the weights as shares of their sums.
    pub(super) fn shares(&self) -> Weights {
        let [w1, w2, w3, w4, w5, w6] = self.weights;
        let (spatial, semantic) = (w1 + w2 + w3, w4 + w5 + w6);
        Weights {
            spatial: [w1, w2, w3].map(|weight| weight / spatial),
            semantic: [w4, w5, w6].map(|weight| weight / semantic),
            third: self.third_term,
            spatial_part: self.spatial,
            lambda: self.lambda,
        }
    }

    /// Refuses settings that are out of their range.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let sums = self.weights.chunks(3).map(|three| three.iter().sum::<f64>());
        let are_weights = self.weights.iter().all(|weight| (0.0..=1e6).contains(weight));
        match () {
            () if !are_weights || sums.into_iter().any(|sum| sum <= 0.0) => {
                Err("`weights` must be six numbers from 0 to 1000000; neither the first three nor \
                    the last three may all be 0")
            }
            () if !is_share(self.spatial) => Err("`spatial` must be a number from 0 to 1"),
            () if !self.lambda.is_none_or(is_share) => {
                Err("`lambda` must be a number from 0 to 1, or null")
            }
            () if !(1.0..=10.0).contains(&self.permitted_coherence) => {
                Err("`permitted_coherence` must be a number from 1 to 10")
            }
            () if !is_share(self.chosen) => Err("`chosen` must be a number from 0 to 1"),
            () if !self.pull_in.is_none_or(is_share) => {
                Err("`pull_in` must be a number from 0 to 1, or null")
            }
            () => Ok(()),
        }
        .map_err(str::to_owned)
    }
}
