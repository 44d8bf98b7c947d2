//! Reads the versions of the peers from the lock file of their build.

const LOCK: &str = include_str!("../Cargo.lock");

/// Returns the version of a package in our lock file, or `unknown`.
pub fn package_version(package: &str) -> &'static str {
    in_lock(LOCK, package)
}

/// Returns the version of a package in a lock file, or `unknown`.
///
/// If the lock file has two versions of a package, it returns the first. The packages queried here
/// are pinned and occur once.
pub fn in_lock<'a>(lock: &'a str, package: &str) -> &'a str {
    let wanted = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != wanted);
    lines
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \""))
        .and_then(|line| line.strip_suffix('"'))
        .unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_peer_has_a_version() {
        assert_eq!(super::of("tl"), "0.7.8");
        assert_eq!(super::of("fastwarc"), "2.0.0");
        assert_eq!(super::of("no such package"), "unknown");
    }
}
