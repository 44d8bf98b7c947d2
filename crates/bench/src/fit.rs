//! Fits two causes by least squares without a constant: value = a · x + b · y.

use serde::Serialize;

/// The plane through the origin with the least sum of squares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LeastSquaresFit {
    /// The value that one unit of the first cause adds.
    pub a: f64,
    /// The value that one unit of the second cause adds.
    pub b: f64,
    /// The fraction of the variance of the values that the plane explains (R²), at most 1.
    pub r2: f64,
}

impl LeastSquaresFit {
    /// Fits a plane by the normal equations. Returns `None` if the causes are proportional to each
    /// other, or if all values are equal.
    ///
    /// ```
    /// use huller_bench::fit::LeastSquaresFit;
    ///
    /// // 2 for each of the first, 0.5 for each of the second.
    /// let points = [(1.0, 0.0, 2.0), (0.0, 4.0, 2.0), (3.0, 2.0, 7.0)];
    /// let plane = LeastSquaresFit::fit(&points).unwrap();
    /// assert!((plane.a - 2.0).abs() < 1e-12 && (plane.b - 0.5).abs() < 1e-12);
    /// assert!((plane.r2 - 1.0).abs() < 1e-12);
    /// ```
    pub fn fit(points: &[(f64, f64, f64)]) -> Option<LeastSquaresFit> {
        let sum = |term: fn((f64, f64, f64)) -> f64| points.iter().copied().map(term).sum::<f64>();
        let (xx, xy, yy) = (sum(|(x, ..)| x * x), sum(|(x, y, _)| x * y), sum(|(_, y, _)| y * y));
        let (xv, yv) = (sum(|(x, _, v)| x * v), sum(|(_, y, v)| y * v));
        let determinant = xx * yy - xy * xy;
        if determinant <= 1e-12 * xx * yy {
            return None;
        }
        let (a, b) = ((xv * yy - yv * xy) / determinant, (yv * xx - xv * xy) / determinant);
        let mean = sum(|(.., v)| v) / points.len() as f64;
        let residual_squares: f64 =
            points.iter().map(|(x, y, v)| (v - a * x - b * y).powi(2)).sum();
        let total_squares: f64 = points.iter().map(|(.., v)| (v - mean).powi(2)).sum();
        (total_squares > 0.0).then(|| LeastSquaresFit {
            a,
            b,
            r2: 1.0 - residual_squares / total_squares,
        })
    }

    /// Returns the value of the plane at a point.
    pub fn value_at(&self, x: f64, y: f64) -> f64 {
        self.a * x + self.b * y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: xx = 2, xy = 1, yy = 2, xv = 5, yv = 4, determinant = 3, so a = (10 - 4) / 3 = 2
    /// and b = (8 - 5) / 3 = 1. The plane gives 2, 1 and 3. The values are 1.5, .5 and 3.5, with
    /// mean 11/6, so rest = .75 and all = 14/3.
    #[test]
    fn values_off_the_plane_give_what_was_computed_by_hand() {
        let plane =
            LeastSquaresFit::fit(&[(1.0, 0.0, 1.5), (0.0, 1.0, 0.5), (1.0, 1.0, 3.5)]).unwrap();
        assert!((plane.a - 2.0).abs() < 1e-12 && (plane.b - 1.0).abs() < 1e-12, "{plane:?}");
        assert!((plane.r2 - (1.0 - 0.75 / (14.0 / 3.0))).abs() < 1e-12, "{plane:?}");
        assert!((plane.value_at(3.0, 2.0) - 8.0).abs() < 1e-12);
    }

    #[test]
    fn causes_that_cannot_be_told_apart_give_no_plane() {
        assert_eq!(
            LeastSquaresFit::fit(&[(1.0, 2.0, 1.0), (2.0, 4.0, 2.0), (3.0, 6.0, 3.5)]),
            None
        );
        assert_eq!(LeastSquaresFit::fit(&[]), None);
    }
}
