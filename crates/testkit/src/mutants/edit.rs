//! Values that readers may not expect.

use crate::random::Random;

/// Another number than this one.
pub(super) fn number(random: &mut Random, old: i64) -> i64 {
    let near = [old.wrapping_add(1), old.wrapping_sub(1), old.wrapping_mul(2), old / 2, -old];
    let far = [
        0,
        1,
        -1,
        2,
        i32::MAX.into(),
        i32::MIN.into(),
        i64::MAX,
        i64::MIN,
        u32::MAX.into(),
        random.word().into(),
    ];
    let all: Vec<i64> = near.into_iter().chain(far).filter(|number| *number != old).collect();
    all[random.within(0, all.len())]
}

/// One of these.
pub(super) fn any<'a, T>(random: &mut Random, all: &'a [T]) -> &'a T {
    &all[random.within(0, all.len())]
}
