//! `--shard`: the index of a shard of the inputs, and the number of shards.
//!
//! A task that runs again must take the same shard as before. Slurm gives a task the size of its
//! array, but an array that was submitted again for a few failed tasks is smaller. So `auto`
//! accepts only arrays whose numbers run from 0 or 1 without gaps, which such a rest rarely has.
//! `auto/N` does not use the size of the array.

use crate::usage_error::UsageError;
use huller_pipeline::ShardBy;

/// The value of `--shard`, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shard {
    /// `i/N`.
    Fixed(usize, usize),
    /// `auto` or `auto/N`.
    Auto(Option<usize>),
}

/// The rule that assigns inputs to shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ShardByChoice {
    /// The position in the list
    Position,
    /// The name, as listed
    Name,
}

impl From<ShardByChoice> for ShardBy {
    fn from(choice: ShardByChoice) -> ShardBy {
        match choice {
            ShardByChoice::Position => ShardBy::Position,
            ShardByChoice::Name => ShardBy::Name,
        }
    }
}

const EXPECTED: &str = "expected i/N with i from 0 to N-1, such as 0/8, or auto, or auto/8";

pub(super) fn parse(text: &str) -> Result<Shard, String> {
    let number = |text: &str| text.parse::<usize>().map_err(|_| EXPECTED.to_owned());
    let shard = match text.split_once('/') {
        None if text == "auto" => Shard::Auto(None),
        None => return Err(EXPECTED.to_owned()),
        Some(("auto", count)) => Shard::Auto(Some(number(count)?)),
        Some((index, count)) => Shard::Fixed(number(index)?, number(count)?),
    };
    match shard {
        Shard::Fixed(index, count) if index >= count => Err(EXPECTED.to_owned()),
        Shard::Auto(Some(0)) => Err(EXPECTED.to_owned()),
        shard => Ok(shard),
    }
}

impl Shard {
    /// Returns the index of the shard and the number of shards. `variable` reads a variable of the
    /// environment.
    pub(super) fn resolve(
        self,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(usize, usize), UsageError> {
        let number = |name: &str| variable(name).and_then(|value| value.parse::<usize>().ok());
        let count = match self {
            Shard::Fixed(index, count) => return Ok((index, count)),
            Shard::Auto(count) => count,
        };
        let (name, index) = match (number("SLURM_ARRAY_TASK_ID"), number("PARALLEL_SEQ"), count) {
            (Some(id), _, Some(_)) => ("SLURM_ARRAY_TASK_ID", id),
            (Some(id), _, None) => return slurm_shard(id, &number),
            (None, Some(sequence), Some(_)) => ("PARALLEL_SEQ less 1", sequence.saturating_sub(1)),
            (None, Some(_), None) => {
                let message = "GNU parallel does not report the number of jobs: use --shard auto/N";
                return Err(UsageError(message.to_owned()));
            }
            (None, None, _) => {
                let message = "--shard auto needs SLURM_ARRAY_TASK_ID; auto/N needs SLURM_ARRAY_TASK_ID or \
                     PARALLEL_SEQ";
                return Err(UsageError(message.to_owned()));
            }
        };
        let count = count.expect("all cases without it have returned");
        if index < count {
            Ok((index, count))
        } else {
            let message = format!(
                "--shard auto/{count}: {name} is {index}, but shards are numbered from 0 to {}",
                count - 1
            );
            Err(UsageError(message))
        }
    }
}

/// Returns the shard of a task, if its array is complete.
fn slurm_shard(
    id: usize,
    number: &dyn Fn(&str) -> Option<usize>,
) -> Result<(usize, usize), UsageError> {
    let variable_value = |name: &str| number(&format!("SLURM_ARRAY_TASK_{name}"));
    match (variable_value("MIN"), variable_value("MAX"), variable_value("COUNT")) {
        (Some(first @ (0 | 1)), Some(last), Some(count))
            if count > 1
                && last.checked_sub(first) == Some(count - 1)
                && (first..=last).contains(&id) =>
        {
            Ok((id - first, count))
        }
        _ => {
            let message = "--shard auto cannot number the shards of this array, which may be a \
                           part of a larger one: use --array=0-63 with --shard auto, or --shard \
                           auto/64 with any part of it";
            Err(UsageError(message.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str, environment: &[(&str, &str)]) -> Result<(usize, usize), String> {
        let variable = |name: &str| {
            let found = environment.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        parse(text)?.resolve(&variable).map_err(|error| error.to_string())
    }

    fn array<'a>(
        id: &'a str,
        min: &'a str,
        max: &'a str,
        count: &'a str,
    ) -> [(&'a str, &'a str); 4] {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_MAX", max),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    }

    #[test]
    fn a_share_is_what_it_says() {
        assert_eq!(resolved("3/8", &[]), Ok((3, 8)));
        for wrong in ["8/8", "1", "a/b", "1/0", "-1/2", "auto/0", "auto/", "Auto", "auto/x", ""] {
            assert!(resolved(wrong, &[]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_whole_array_tells_its_shares() {
        assert_eq!(resolved("auto", &array("5", "0", "63", "64")), Ok((5, 64)));
        assert_eq!(resolved("auto", &array("1", "1", "64", "64")), Ok((0, 64)));
        assert_eq!(resolved("auto", &array("64", "1", "64", "64")), Ok((63, 64)));
    }

    #[test]
    fn a_rest_of_an_array_is_not_taken_for_a_whole_one() {
        for rest in [
            array("3", "3", "3", "1"),
            array("0", "0", "0", "1"),
            array("7", "3", "7", "2"),
            array("4", "0", "62", "32"),
            array("70", "0", "63", "64"),
            array("3", "x", "7", "2"),
        ] {
            assert!(resolved("auto", &rest).unwrap_err().contains("auto/64"), "{rest:?}");
        }
        assert_eq!(resolved("auto/64", &array("3", "3", "3", "1")), Ok((3, 64)));
        assert!(resolved("auto/64", &array("64", "1", "64", "64")).is_err());
    }

    #[test]
    fn parallel_counts_jobs_from_one() {
        assert_eq!(resolved("auto/4", &[("PARALLEL_SEQ", "1")]), Ok((0, 4)));
        assert_eq!(resolved("auto/4", &[("PARALLEL_SEQ", "4")]), Ok((3, 4)));
        assert!(resolved("auto/4", &[("PARALLEL_SEQ", "5")]).is_err());
        assert!(resolved("auto", &[("PARALLEL_SEQ", "1")]).unwrap_err().contains("auto/N"));
        assert!(resolved("auto/4", &[]).is_err());
    }
}
