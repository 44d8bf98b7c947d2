//! Medians and spreads of runs.

use serde::Serialize;

/// The median of several figures and their bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The median of the figures.
    pub median: f64,
    /// The least figure.
    pub least: f64,
    /// The greatest figure.
    pub greatest: f64,
}

impl Spread {
    /// Returns the spread of these figures; zeros if there are none.
    ///
    /// ```
    /// use huller_bench::statistics::Spread;
    ///
    /// let spread = Spread::from_figures([4.0, 1.0, 2.0, 9.0]);
    /// assert_eq!((spread.median, spread.least, spread.greatest), (3.0, 1.0, 9.0));
    /// assert_eq!(spread.relative(), 8.0 / 3.0);
    /// ```
    pub fn from_figures(figures: impl IntoIterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Spread::default();
        };
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        };
        Spread { median, least: min, greatest: max }
    }

    /// Returns the distance between least and greatest as a fraction of the median; 0 if the median
    /// is 0.
    pub fn relative(&self) -> f64 {
        if self.median == 0.0 { 0.0 } else { (self.greatest - self.least) / self.median }
    }
}

/// Returns the median; 0 without figures.
pub fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    Spread::from_figures(figures).median
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_odd_number_is_one_of_them_and_of_an_even_number_lies_between_two() {
        let medians = [&[3.0, 1.0, 2.0][..], &[3.0, 1.0, 2.0, 10.0], &[7.0]];
        let medians = medians.map(|figures| median(figures.iter().copied()).to_string());
        assert_eq!(medians, ["2", "2.5", "7"]);
    }

    #[test]
    fn of_nothing_everything_is_zero() {
        let nothing = Spread::from_figures([]);
        assert_eq!(nothing, Spread { median: 0.0, least: 0.0, greatest: 0.0 });
        assert!(nothing.relative().abs() < 1e-12);
    }

    #[test]
    fn the_spread_is_a_share_of_the_median() {
        assert!((Spread::from_figures([9.0, 10.0, 12.0]).relative() - 0.3).abs() < 1e-12);
    }
}
