//! Places the labels of points so that each label covers neither another label nor a point.
//!
//! Greedy: from left to right, each point tries the places around it, near ones first, and its
//! label takes the first free one. Cost: O(points^2) times a constant number of places; intended
//! for tens of points.

/// A rectangle; `y` grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rectangle {
    pub(super) fn overlaps(&self, other: &Rectangle) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    fn contains(&self, other: &Rectangle) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.x + other.width <= self.x + self.width
            && other.y + other.height <= self.y + self.height
    }
}

/// Half the side of the square around a point that labels keep free.
const POINT_MARGIN: f64 = 6.0;
/// Height of a label.
pub(super) const LABEL_HEIGHT: f64 = 15.0;
/// The possible distances of a label from its point.
const DISTANCES: [f64; 12] =
    [8.0, 13.0, 18.0, 24.0, 30.0, 37.0, 45.0, 54.0, 64.0, 76.0, 92.0, 120.0];
/// A label further away than this gets a line to its point.
const MAX_DISTANCE_WITHOUT_LINE: f64 = 18.0;
/// Right, left, above, below, and the diagonals.
const DIRECTIONS: [(f64, f64); 8] = [
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.0, 1.0),
    (0.8, -0.6),
    (0.8, 0.6),
    (-0.8, -0.6),
    (-0.8, 0.6),
];

/// The place of a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Label {
    pub(super) area: Rectangle,
    /// Whether it is so far from its point that it needs a line to it.
    pub(super) is_far: bool,
}

/// Finds places inside `plot` and outside `kept_free` for labels of the given widths; `None` for a
/// label without a free place.
pub(super) fn place_labels(
    points: &[(f64, f64)],
    widths: &[f64],
    plot: Rectangle,
    kept_free: Rectangle,
) -> Vec<Option<Label>> {
    let mut taken_areas: Vec<Rectangle> = points
        .iter()
        .map(|(x, y)| Rectangle {
            x: x - POINT_MARGIN,
            y: y - POINT_MARGIN,
            width: 2.0 * POINT_MARGIN,
            height: 2.0 * POINT_MARGIN,
        })
        .chain([kept_free])
        .collect();
    let mut order: Vec<usize> = (0..points.len().min(widths.len())).collect();
    order.sort_by(|a, b| points[*a].0.total_cmp(&points[*b].0));
    let mut labels = vec![None; points.len()];
    for index in order {
        let free_label = places_around(points[index], widths[index]).find(|label| {
            plot.contains(&label.area) && !taken_areas.iter().any(|area| area.overlaps(&label.area))
        });
        if let Some(label) = free_label {
            taken_areas.push(label.area);
            labels[index] = Some(label);
        }
    }
    labels
}

/// Returns the places around a point, near ones first.
fn places_around((x, y): (f64, f64), width: f64) -> impl Iterator<Item = Label> {
    DISTANCES.into_iter().flat_map(move |distance| {
        DIRECTIONS.into_iter().map(move |(right, down)| {
            // The nearest edge or corner of the label is at this distance from the point.
            let edge = |direction: f64, size: f64| match direction {
                d if d > 0.1 => 0.0,
                d if d < -0.1 => -size,
                _ => -size / 2.0,
            };
            let area = Rectangle {
                x: x + right * distance + edge(right, width),
                y: y + down * distance + edge(down, LABEL_HEIGHT),
                width,
                height: LABEL_HEIGHT,
            };
            Label { area, is_far: distance > MAX_DISTANCE_WITHOUT_LINE }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NONE: Rectangle = Rectangle { x: 0.0, y: 0.0, width: 0.0, height: 0.0 };
    const PLOT: Rectangle = Rectangle { x: 0.0, y: 0.0, width: 600.0, height: 400.0 };

    proptest! {
        #[test]
        fn labels_cover_nothing_and_stay_inside(
            points in prop::collection::vec((0.0..600.0, 0.0..400.0, 20.0..140.0), 0..25),
        ) {
            let widths: Vec<f64> = points.iter().map(|point| point.2).collect();
            let points: Vec<(f64, f64)> = points.iter().map(|point| (point.0, point.1)).collect();
            let labels = place_labels(&points, &widths, PLOT, NONE);
            prop_assert_eq!(labels.len(), points.len());
            let areas: Vec<Rectangle> = labels.iter().flatten().map(|label| label.area).collect();
            for (index, area) in areas.iter().enumerate() {
                prop_assert!(PLOT.contains(area));
                prop_assert!(!areas[..index].iter().any(|other| other.overlaps(area)));
                let covers = |(x, y): &(f64, f64)| *x > area.x && *x < area.x + area.width && *y > area.y && *y < area.y + area.height;
                prop_assert!(!points.iter().any(covers));
            }
        }
    }

    #[test]
    fn all_points_of_a_crowd_get_labels() {
        let points: Vec<(f64, f64)> =
            (0..12).map(|n| (300.0 + f64::from(n % 3), 200.0 + f64::from(n))).collect();
        let labels = place_labels(&points, &[90.0; 12], PLOT, NONE);
        assert!(labels.iter().all(Option::is_some));
        assert!(!labels[0].unwrap().is_far);
    }

    #[test]
    fn a_label_that_does_not_fit_is_omitted() {
        assert_eq!(place_labels(&[(5.0, 5.0)], &[601.0], PLOT, NONE), [None]);
        assert_eq!(place_labels(&[(5.0, 5.0)], &[60.0], PLOT, PLOT), [None]);
    }
}
