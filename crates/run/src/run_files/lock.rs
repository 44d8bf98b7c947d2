//! Locks files, so that two runs never write the same file.

use crate::error::RunError;
use rustix::io::Errno;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Errors of file systems without locks, such as Lustre without `-o flock`, or NFS without its lock
/// service.
const WITHOUT_LOCKS: [Errno; 4] = [Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOLCK];

/// Locks a file until it is closed. Errors name `path`. Returns false if the file system has no
/// locks.
///
/// # Errors
///
/// * [`RunError::Locked`]: another process holds the lock.
/// * [`RunError::Output`]: the system refuses the lock for another reason.
pub fn lock(file: &File, path: &Path) -> Result<bool, RunError> {
    is_locked(file.try_lock(), path)
}

/// Returns a note for the user on a file that could not be locked.
pub fn without_lock(path: &Path) -> String {
    let path = path.display();
    format!(
        "the file system of '{path}' does not support locks: make sure that no other run \
        writes there"
    )
}

fn is_locked(result: Result<(), TryLockError>, path: &Path) -> Result<bool, RunError> {
    match result {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked { path: path.to_owned() }),
        Err(TryLockError::Error(error)) if has_no_locks(&error) => Ok(false),
        Err(TryLockError::Error(error)) => Err(RunError::output("lock", path)(error)),
    }
}

fn has_no_locks(error: &io::Error) -> bool {
    Errno::from_io_error(error).is_some_and(|errno| WITHOUT_LOCKS.contains(&errno))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_without_locks_ends_no_run() {
        let failed =
            |errno: Errno| is_locked(Err(TryLockError::Error(errno.into())), Path::new("x"));
        assert!(WITHOUT_LOCKS.into_iter().all(|errno| matches!(failed(errno), Ok(false))));
        assert!(matches!(failed(Errno::IO), Err(RunError::Output { .. })));
        let held = is_locked(Err(TryLockError::WouldBlock), Path::new("x"));
        assert!(matches!(held, Err(RunError::Locked { .. })));
    }
}
