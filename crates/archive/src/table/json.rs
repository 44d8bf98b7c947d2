//! Writes values as JSON.

use super::footer::TimeUnit;
use super::schema::{LeafColumn, Physical, ValueMeaning};
use super::values::StoredValue;
use crate::jsonl::{is_json, push_text, push_value};
use huller_provenance::civil;
use std::io::Write;

/// Size in bytes of the memory that is kept from value to value.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// Writes values as JSON. It keeps the memory for decoding text in other encodings.
#[derive(Debug, Default)]
pub(super) struct ValueWriter {
    decoded: String,
}

impl ValueWriter {
    /// Appends a value.
    pub(super) fn push(&mut self, leaf: &LeafColumn, value: StoredValue<'_>, out: &mut Vec<u8>) {
        match (leaf.meaning, value) {
            (ValueMeaning::Null, _) => out.extend_from_slice(b"null"),
            (_, StoredValue::Flag(flag)) => {
                out.extend_from_slice(if flag { b"true" } else { b"false" });
            }
            (ValueMeaning::Date, StoredValue::Int(days)) => date(days, out),
            (ValueMeaning::Time(unit), StoredValue::Int(time)) => {
                let (seconds, nanos) = split(time, unit);
                out.push(b'"');
                clock(seconds, nanos, out);
                out.push(b'"');
            }
            (ValueMeaning::Timestamp { unit, is_utc }, StoredValue::Int(time)) => {
                let (seconds, nanos) = split(time, unit);
                timestamp(seconds, nanos, is_utc, out);
            }
            (ValueMeaning::Decimal { scale }, StoredValue::Int(value)) => {
                decimal(&value.to_be_bytes(), scale, out);
            }
            (ValueMeaning::Decimal { scale }, StoredValue::Bytes(bytes)) => {
                decimal(bytes, scale, out);
            }
            (ValueMeaning::Unsigned, StoredValue::Int(value))
                if leaf.physical == Physical::Int32 =>
            {
                push(out, format_args!("{}", value.cast_unsigned() as u32));
            }
            (ValueMeaning::Unsigned, StoredValue::Int(value)) => {
                push(out, format_args!("{}", value.cast_unsigned()));
            }
            (_, StoredValue::Int(value)) => push(out, format_args!("{value}")),
            (_, StoredValue::Float(value)) => float(value, value.is_finite(), out),
            (_, StoredValue::Double(value)) => float(value, value.is_finite(), out),
            (ValueMeaning::Half, StoredValue::Bytes(&[low, high])) => {
                let value = half_to_f32(u16::from_le_bytes([low, high]));
                float(value, value.is_finite(), out);
            }
            (ValueMeaning::Uuid, StoredValue::Bytes(bytes)) => uuid(bytes, out),
            (ValueMeaning::Plain, StoredValue::Bytes(bytes))
                if leaf.physical == Physical::Int96 =>
            {
                int96(bytes, out);
            }
            (meaning, StoredValue::Bytes(bytes)) => {
                self.text(bytes, meaning == ValueMeaning::Json, out);
            }
        }
    }

    /// Appends bytes as a string, or unchanged if they may be and are a JSON value. Bytes that are
    /// not UTF-8 are decoded like those of a page.
    fn text(&mut self, bytes: &[u8], may_be_json: bool, out: &mut Vec<u8>) {
        if may_be_json
            && let Ok(text) = simdutf8::basic::from_utf8(bytes)
            && is_json(text)
        {
            self.decoded.clear();
            push_value(text, &mut self.decoded);
            out.extend_from_slice(self.decoded.as_bytes());
        } else {
            push_text(bytes, &mut self.decoded, out);
        }
        self.decoded.shrink_to(MAX_KEPT_BYTES);
    }
}

fn push(out: &mut Vec<u8>, value: std::fmt::Arguments<'_>) {
    // Writing to memory cannot fail.
    let _ = out.write_fmt(value);
}

/// Appends the shortest digits that read back as the same number. JSON has no infinity and NaN, so
/// they become null.
fn float(value: impl serde::Serialize, is_finite: bool, out: &mut Vec<u8>) {
    if is_finite {
        serde_json::to_writer(out, &value).expect("writing to memory cannot fail");
    } else {
        out.extend_from_slice(b"null");
    }
}

/// Converts a number of 16 bits (IEEE 754, binary16).
fn half_to_f32(bits: u16) -> f32 {
    let (exponent, fraction) = (bits >> 10 & 0x1F, f32::from(bits & 0x3FF));
    let size = match exponent {
        0 => fraction * 2_f32.powi(-24),
        0x1F if fraction == 0.0 => f32::INFINITY,
        0x1F => f32::NAN,
        exponent => (1.0 + fraction / 1024.0) * 2_f32.powi(i32::from(exponent) - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Splits a time into seconds and the nanoseconds after them.
fn split(time: i64, unit: TimeUnit) -> (i64, u32) {
    let (per_second, nanos) = match unit {
        TimeUnit::Millis => (1_000, 1_000_000),
        TimeUnit::Micros => (1_000_000, 1_000),
        TimeUnit::Nanos => (1_000_000_000, 1),
    };
    let rest = time.rem_euclid(per_second);
    (time.div_euclid(per_second), (rest * nanos).cast_unsigned() as u32)
}

fn push_date(days: i64, out: &mut Vec<u8>) {
    let (year, month, day) = civil(days);
    match year {
        0..=9999 => push(out, format_args!("{year:04}-{month:02}-{day:02}")),
        // ISO 8601 requires a sign and six digits for these years.
        _ => push(out, format_args!("{year:+07}-{month:02}-{day:02}")),
    }
}

fn date(days: i64, out: &mut Vec<u8>) {
    out.push(b'"');
    push_date(days, out);
    out.push(b'"');
}

/// Appends the time of day, with as many digits after the second as needed: none, 3, 6 or 9.
fn clock(seconds: i64, nanos: u32, out: &mut Vec<u8>) {
    let (hours, minutes) = (seconds.div_euclid(3600), seconds.rem_euclid(3600) / 60);
    push(out, format_args!("{hours:02}:{minutes:02}:{:02}", seconds.rem_euclid(60)));
    match nanos {
        0 => {}
        _ if nanos.is_multiple_of(1_000_000) => {
            push(out, format_args!(".{:03}", nanos / 1_000_000));
        }
        _ if nanos.is_multiple_of(1_000) => push(out, format_args!(".{:06}", nanos / 1_000)),
        _ => push(out, format_args!(".{nanos:09}")),
    }
}

fn timestamp(seconds: i64, nanos: u32, is_utc: bool, out: &mut Vec<u8>) {
    const DAY: i64 = 86_400;
    out.push(b'"');
    push_date(seconds.div_euclid(DAY), out);
    out.push(b'T');
    clock(seconds.rem_euclid(DAY), nanos, out);
    out.extend_from_slice(if is_utc { b"Z\"" } else { b"\"" });
}

/// Appends a timestamp in the older form: nanoseconds of a day, then the number of the Julian day.
/// This form does not state whether it is in UTC.
fn int96(bytes: &[u8], out: &mut Vec<u8>) {
    const EPOCH: i64 = 2_440_588;
    let Some((nanos, days)) = bytes.split_first_chunk::<8>() else {
        return out.extend_from_slice(b"null");
    };
    let Ok(days) = <[u8; 4]>::try_from(days) else {
        return out.extend_from_slice(b"null");
    };
    let nanos = i64::from_le_bytes(*nanos);
    let days = i64::from(u32::from_le_bytes(days)) - EPOCH;
    let (seconds, nanos) = split(nanos, TimeUnit::Nanos);
    timestamp(days * 86_400 + seconds, nanos, false, out);
}

fn uuid(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for (place, byte) in bytes.iter().enumerate() {
        let hyphen = if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" };
        push(out, format_args!("{hyphen}{byte:02x}"));
    }
    out.push(b'"');
}

/// Appends all digits of a number, divided by ten to the power of `scale`, as a JSON number. The
/// bytes are in two's complement, most significant first.
fn decimal(bytes: &[u8], scale: u32, out: &mut Vec<u8>) {
    /// Longest plausible number in bytes; no type of a library has more than 32.
    const MAX_NUMBER_BYTES: usize = 64;
    if bytes.len() > MAX_NUMBER_BYTES {
        return out.extend_from_slice(b"null");
    }
    let is_negative = bytes.first().is_some_and(|byte| *byte >= 0x80);
    let mut size = bytes.to_vec();
    if is_negative {
        let mut carry = true;
        for byte in size.iter_mut().rev() {
            let (negated, more) = (!*byte).overflowing_add(carry.into());
            *byte = negated;
            carry = more;
        }
    }
    let mut digits = Vec::new();
    while size.iter().any(|byte| *byte > 0) {
        let mut rest = 0_u32;
        for byte in &mut size {
            let value = rest << 8 | u32::from(*byte);
            *byte = (value / 10) as u8;
            rest = value % 10;
        }
        digits.push(b'0' + rest as u8);
    }
    let scale = scale as usize;
    digits.resize(digits.len().max(scale + 1), b'0');
    if is_negative {
        out.push(b'-');
    }
    let (fraction, whole) = digits.split_at(scale);
    out.extend(whole.iter().rev());
    if scale > 0 {
        out.push(b'.');
        out.extend(fraction.iter().rev());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(push: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        push(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn times_are_iso_8601() {
        assert_eq!(written(|out| date(0, out)), r#""1970-01-01""#);
        assert_eq!(written(|out| date(-719_528, out)), r#""0000-01-01""#);
        assert_eq!(written(|out| date(i32::MAX.into(), out)), r#""+5881580-07-11""#);
        assert_eq!(written(|out| date(i64::from(i32::MIN), out)), r#""-5877641-06-23""#);
        assert_eq!(written(|out| date(19_782, out)), r#""2024-02-29""#);
        let at = |time, unit, is_utc| {
            let (seconds, nanos) = split(time, unit);
            written(|out| timestamp(seconds, nanos, is_utc, out))
        };
        assert_eq!(at(1_709_210_096_789, TimeUnit::Millis, true), r#""2024-02-29T12:34:56.789Z""#);
        assert_eq!(at(-1, TimeUnit::Micros, false), r#""1969-12-31T23:59:59.999999""#);
        assert_eq!(at(1, TimeUnit::Nanos, false), r#""1970-01-01T00:00:00.000000001""#);
        assert_eq!(at(i64::MIN, TimeUnit::Nanos, true), r#""1677-09-21T00:12:43.145224192Z""#);
        assert!(at(i64::MAX, TimeUnit::Millis, true).starts_with("\"+292278994-08-17T"));
    }

    #[test]
    fn decimals_have_all_their_digits() {
        let of = |bytes: &[u8], scale| written(|out| decimal(bytes, scale, out));
        assert_eq!(of(&1250_i64.to_be_bytes(), 2), "12.50");
        assert_eq!(of(&(-5_i32).to_be_bytes(), 3), "-0.005");
        assert_eq!(
            (of(&[], 0), of(&[0], 2), of(&[0x80], 0)),
            ("0".into(), "0.00".into(), "-128".into())
        );
        assert_eq!(of(&i128::MIN.to_be_bytes(), 0), i128::MIN.to_string());
        assert_eq!(of(&[0xFF; 65], 0), "null");
    }

    #[test]
    fn halves_are_numbers() {
        for (bits, value) in
            [(0x3C00, 1.0), (0xC000, -2.0), (1, 2_f32.powi(-24)), (0x7BFF, 65504.0)]
        {
            assert_eq!(half_to_f32(bits).to_bits(), value.to_bits());
        }
        assert!(half_to_f32(0x7C01).is_nan() && half_to_f32(0xFC00) == f32::NEG_INFINITY);
    }
}
