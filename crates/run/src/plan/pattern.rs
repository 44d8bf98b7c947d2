//! Patterns of paths, for inputs that no shell has expanded, such as those of `huller.toml`.

use huller_archive::is_remote;
use std::fmt;
use std::path::{Path, PathBuf};

/// The reason why a pattern gives no paths.
#[derive(Debug)]
#[non_exhaustive]
pub enum PatternError {
    /// No path matches.
    NoMatch {
        /// The pattern.
        pattern: PathBuf,
    },
    /// The pattern is not valid.
    Invalid {
        /// The pattern.
        pattern: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A folder cannot be listed.
    Unreadable(glob::GlobError),
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::NoMatch { pattern } => {
                write!(f, "no path matches the pattern '{}' of the inputs", pattern.display())
            }
            PatternError::Invalid { pattern, problem } => {
                write!(
                    f,
                    "the pattern '{}' of the inputs is not valid: {problem}",
                    pattern.display()
                )
            }
            PatternError::Unreadable(error) => {
                write!(f, "cannot list '{}': {}", error.path().display(), error.error())
            }
        }
    }
}

impl std::error::Error for PatternError {}

/// Returns the paths that match a pattern, in ascending order, as a shell passes them to a program.
/// `*` matches any characters of a name, `?` one of them, `[a-c]` one of these and `[!a-c]` one of
/// the others. A `**` as a whole name matches folders of any depth. A name that begins with a dot
/// matches no pattern. A path without these characters, a path that exists and a URL are returned
/// as they are.
///
/// # Errors
///
/// No path matches, the pattern is not valid, or a folder cannot be listed.
pub fn paths_of(pattern: &Path) -> Result<Vec<PathBuf>, PatternError> {
    let itself = || Ok(vec![pattern.to_owned()]);
    let Some(text) = pattern.to_str() else { return itself() };
    let has_marks = text.contains(['*', '?', '[']) && !is_remote(pattern);
    if !has_marks || pattern.symlink_metadata().is_ok() {
        return itself();
    }
    let options = glob::MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let found = glob::glob_with(text, options).map_err(|error| PatternError::Invalid {
        pattern: pattern.to_owned(),
        problem: error.msg.to_owned(),
    })?;
    let mut paths = found.collect::<Result<Vec<_>, _>>().map_err(PatternError::Unreadable)?;
    // `.*` matches the folder itself and the one above it.
    let is_folder = |path: &PathBuf| {
        let path = path.as_os_str().as_encoded_bytes();
        path.ends_with(b"/.") || path.ends_with(b"/..")
    };
    paths.retain(|path| !is_folder(path));
    paths.sort_unstable();
    if paths.is_empty() {
        return Err(PatternError::NoMatch { pattern: pattern.to_owned() });
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn patterns_match_as_in_a_shell() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b/c")).unwrap();
        for name in ["a2.gz", "a10.gz", ".a3.gz", "b/a4.gz", "b/c/a5.gz", "odd[1].gz", "x"] {
            fs::write(root.join(name), "").unwrap();
        }
        let names = |pattern: &str| {
            let found = paths_of(&root.join(pattern)).unwrap();
            let names = found.iter().map(|path| path.strip_prefix(root).unwrap().to_owned());
            names.map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("*.gz"), ["a10.gz", "a2.gz", "odd[1].gz"]);
        assert_eq!(names("a?.gz"), ["a2.gz"]);
        assert_eq!(names("[!a]*"), ["b", "odd[1].gz", "x"]);
        assert_eq!(names("b/*"), ["b/a4.gz", "b/c"]);
        assert_eq!(names("**/a[45].gz"), ["b/a4.gz", "b/c/a5.gz"]);
        assert_eq!(names(".a3.gz"), [".a3.gz"]);
        // A path that exists is returned as it is, and so is a path without marks.
        assert_eq!(names("odd[1].gz"), ["odd[1].gz"]);
        assert_eq!(names("missing.gz"), ["missing.gz"]);
        let url = Path::new("https://a.test/x?y=*");
        assert_eq!(paths_of(url).unwrap(), [url]);
    }

    #[test]
    fn a_pattern_that_gives_no_paths_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let problem =
            |pattern: &str| paths_of(&folder.path().join(pattern)).unwrap_err().to_string();
        for pattern in ["*.gz", ".*"] {
            assert!(problem(pattern).starts_with("no path matches the pattern '"), "{pattern}");
        }
        assert!(problem("a[").contains("is not valid: "));
    }
}
