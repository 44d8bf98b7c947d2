//! Exponentials and logarithms that do not depend on the C library of the machine.

/// Steps of the table per power of two.
const STEPS_PER_DOUBLING: usize = 32;

/// The bits of 2^(i/32), less i/32 of the exponent's unit.
#[rustfmt::skip]
const POWERS: [u64; STEPS_PER_DOUBLING] = [
    0x3ff0_0000_0000_0000, 0x3fef_d9b0_d315_8574, 0x3fef_b558_6cf9_890f, 0x3fef_9301_d012_5b51,
    0x3fef_72b8_3c7d_517b, 0x3fef_5487_3168_b9aa, 0x3fef_387a_6e75_6238, 0x3fef_1e9d_f51f_dee1,
    0x3fef_06fe_0a31_b715, 0x3fee_f1a7_373a_a9cb, 0x3fee_dea6_4c12_3422, 0x3fee_ce08_6061_892d,
    0x3fee_bfda_d536_2a27, 0x3fee_b42b_569d_4f82, 0x3fee_ab07_dd48_5429, 0x3fee_a47e_b03a_5585,
    0x3fee_a09e_667f_3bcd, 0x3fee_9f75_e8ec_5f74, 0x3fee_a114_73eb_0187, 0x3fee_a589_994c_ce13,
    0x3fee_ace5_422a_a0db, 0x3fee_b737_b0cd_c5e5, 0x3fee_c491_82a3_f090, 0x3fee_d503_b23e_255d,
    0x3fee_e89f_995a_d3ad, 0x3fee_ff76_f2fb_5e47, 0x3fef_199b_dd85_529c, 0x3fef_3720_dcef_9069,
    0x3fef_5818_dcfb_a487, 0x3fef_7c97_337b_9b5f, 0x3fef_a4af_a2a4_90da, 0x3fef_d076_5b6e_4540,
];

/// Returns e^x in single precision as glibc (from 2.28) computes it for fastText. musl and Bionic
/// compute it so too. The algorithm and its numbers are those of Arm's optimized-routines (MIT).
/// One result in 500 differs from the correctly rounded one.
pub(super) fn exp(x: f32) -> f32 {
    const N: f64 = STEPS_PER_DOUBLING as f64;
    /// Adding it rounds to a whole number.
    const SHIFT: f64 = 6_755_399_441_055_744.;
    const CUBIC: f64 = 0.055_503_615_593_415_35 / N / N / N;
    const SQUARE: f64 = 0.240_228_452_244_572_2 / N / N;
    const LINEAR: f64 = 0.693_147_180_691_620_3 / N;
    if x > 88.722_83 {
        return f32::INFINITY;
    }
    if x < -103.972_08 {
        return 0.;
    }
    let z = std::f64::consts::LOG2_E * N * f64::from(x);
    let shifted = z + SHIFT;
    let bits = shifted.to_bits();
    let r = z - (shifted - SHIFT);
    let power = POWERS[bits as usize % STEPS_PER_DOUBLING]
        .wrapping_add(bits << (52 - STEPS_PER_DOUBLING.ilog2()));
    let power = f64::from_bits(power);
    let square = r * r;
    (((CUBIC * r + SQUARE) * square + (LINEAR * r + 1.)) * power) as f32
}

/// Returns fastText's logarithm of a probability, which is finite for 0.
pub(super) fn log(probability: f32) -> f32 {
    libm::log(f64::from(probability) + 1e-5) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_those_of_the_c_library() {
        // Digests of the bits of expf of glibc 2.36 over a grid, by a C program.
        let mut digest = 0u64;
        for step in -110_000i32..=89_000 {
            let bits = exp(step as f32 / 1000.).to_bits();
            digest = digest.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(bits));
        }
        assert_eq!(digest, 11_892_275_036_083_348_495);
        assert!(exp(-200.) == 0. && exp(200.) == f32::INFINITY);
    }
}
