//! The matrices of a model: rows of numbers, plain or quantised.

use crate::bytes::{Reader, fetch};
use crate::error::ModelError;
use std::ops::Range;

/// The largest number that a model may hold. Numbers of trained models are below 100. With this
/// limit no sum and no product of a model overflows.
const MAX_VALUE: f32 = 1e6;

/// The centroids of each part of a row.
const CENTROIDS: usize = 256;

/// Rows of numbers. The numbers stay in the file.
#[derive(Debug)]
pub(super) struct Matrix {
    rows: u64,
    columns: usize,
    values: Values,
}

#[derive(Debug)]
enum Values {
    /// Numbers of 32 bits.
    Plain(Range<usize>),
    /// Codes of a product quantiser.
    Quantised(Quantised),
}

/// A product quantiser (Jégou et al. 2011) and the codes of all rows.
#[derive(Debug)]
struct Quantised {
    /// The codes, `parts` of each row.
    codes: Range<usize>,
    /// Number of parts of a row.
    parts: usize,
    /// The columns of a part, and those of the last.
    width: usize,
    last_width: usize,
    /// The centroids of each part.
    centroids: Vec<f32>,
    /// The code of each row's norm, and the norms. `None` if rows were not normalised.
    norms: Option<(Range<usize>, Vec<f32>)>,
}

/// The rows whose quantised parts are added together.
const ROWS: usize = 16;

impl Matrix {
    /// Reads a matrix of plain numbers.
    pub(super) fn read_plain(reader: &mut Reader<'_>, bytes: &[u8]) -> Result<Matrix, ModelError> {
        let (rows, columns) = read_size(reader)?;
        let len = rows.checked_mul(columns as u64).and_then(|numbers| numbers.checked_mul(4));
        let range = reader.range(len.unwrap_or(u64::MAX))?;
        let (numbers, _) = bytes[range.clone()].as_chunks::<4>();
        if !numbers.iter().all(|number| is_sound(f32::from_le_bytes(*number))) {
            return Err(reader.damaged(UNSOUND));
        }
        Ok(Matrix { rows, columns, values: Values::Plain(range) })
    }

    /// Reads a matrix of quantised rows.
    pub(super) fn read_quantised(
        reader: &mut Reader<'_>,
        bytes: &[u8],
    ) -> Result<Matrix, ModelError> {
        let has_norms = reader.flag()?;
        let (rows, columns) = read_size(reader)?;
        let codes = u64::from(reader.count()?);
        let codes_of_rows = reader.range(codes)?;
        let (parts, width, last_width, centroids) = read_quantiser(reader, bytes, columns)?;
        if rows.checked_mul(parts as u64) != Some(codes) {
            return Err(reader.damaged("the codes do not fit the rows"));
        }
        let norms = if has_norms {
            let codes = reader.range(rows)?;
            let (.., norms) = read_quantiser(reader, bytes, 1)?;
            Some((codes, norms))
        } else {
            None
        };
        let codes = codes_of_rows;
        let values = Quantised { codes, parts, width, last_width, centroids, norms };
        Ok(Matrix { rows, columns, values: Values::Quantised(values) })
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Adds rows to a sum, one after another.
    pub(super) fn add_rows(&self, bytes: &[u8], rows: &[u32], sum: &mut [f32]) {
        match &self.values {
            Values::Plain(range) => {
                let numbers = &bytes[range.clone()];
                let len = sum.len() * 4;
                fetch(rows.iter().map(|row| &numbers[*row as usize * len..][..len]));
                for row in rows {
                    let (numbers, _) = plain_row(numbers, *row as usize, sum.len()).as_chunks();
                    for (sum, number) in sum.iter_mut().zip(numbers) {
                        *sum += f32::from_le_bytes(*number);
                    }
                }
            }
            Values::Quantised(quantised) => {
                fetch(rows.iter().map(|row| quantised.codes(bytes, *row as usize)));
                if let Some((codes, _)) = &quantised.norms {
                    let codes = &bytes[codes.clone()];
                    fetch(rows.iter().map(|row| &codes[*row as usize..][..1]));
                }
                if quantised.width == 2 && quantised.last_width == 2 {
                    let (groups, rest) = rows.as_chunks::<ROWS>();
                    for rows in groups {
                        quantised.add_pairs(bytes, rows, sum);
                    }
                    for row in rest {
                        quantised.add_pairs(bytes, &[*row], sum);
                    }
                } else {
                    for row in rows {
                        quantised.add_row(bytes, *row as usize, sum);
                    }
                }
            }
        }
    }

    /// Returns the product of a row and a vector.
    pub(super) fn product(&self, bytes: &[u8], row: u32, vector: &[f32]) -> f32 {
        match &self.values {
            Values::Plain(range) => {
                let row = plain_row(&bytes[range.clone()], row as usize, vector.len());
                let (numbers, _) = row.as_chunks();
                let products = numbers.iter().zip(vector);
                products.fold(0., |sum, (number, x)| sum + f32::from_le_bytes(*number) * x)
            }
            Values::Quantised(quantised) => quantised.product(bytes, row as usize, vector),
        }
    }

    /// Writes the product of each row and a vector.
    pub(super) fn products(&self, bytes: &[u8], vector: &[f32], out: &mut [f32]) {
        /// The rows at a time. Each sum adds one number after another; several sums at a time hide
        /// the latency of additions.
        const ROWS: usize = 8;
        let mut first_row = 0;
        if let Values::Plain(range) = &self.values {
            let numbers = &bytes[range.clone()];
            let (groups, _) = out.as_chunks_mut::<ROWS>();
            for group in groups {
                let rows: [&[[u8; 4]]; ROWS] = std::array::from_fn(|index| {
                    plain_row(numbers, first_row + index, vector.len()).as_chunks().0
                });
                let mut sums = [0f32; ROWS];
                for (column, x) in vector.iter().enumerate() {
                    for (sum, row) in sums.iter_mut().zip(rows) {
                        *sum += f32::from_le_bytes(row[column]) * x;
                    }
                }
                *group = sums;
                first_row += ROWS;
            }
        }
        for (row, out) in out.iter_mut().enumerate().skip(first_row) {
            *out = self.product(bytes, row as u32, vector);
        }
    }
}

/// Returns the bytes of a row of plain numbers.
fn plain_row(numbers: &[u8], row: usize, columns: usize) -> &[u8] {
    &numbers[row * columns * 4..][..columns * 4]
}

const UNSOUND: &str = "a number is not finite or over a million";

fn is_sound(number: f32) -> bool {
    number.abs() <= MAX_VALUE
}

/// Reads the rows and columns of a matrix.
fn read_size(reader: &mut Reader<'_>) -> Result<(u64, usize), ModelError> {
    let (rows, columns) = (reader.long_count()?, reader.long_count()?);
    // The centroids or the rows of the output justify the columns later.
    match usize::try_from(columns) {
        Ok(columns @ 1..) if columns <= 1 << 20 => Ok((rows, columns)),
        _ => Err(reader.damaged("a matrix has no columns or too many")),
    }
}

/// Reads the centroids of a product quantiser of this many columns. Returns the parts, the columns
/// of a part and of the last part, and the centroids.
fn read_quantiser(
    reader: &mut Reader<'_>,
    bytes: &[u8],
    columns: usize,
) -> Result<(usize, usize, usize, Vec<f32>), ModelError> {
    let fields = [reader.count()?, reader.count()?, reader.count()?, reader.count()?];
    let [dim, parts, width, last_width] = fields.map(|field| field as usize);
    let is_consistent = dim == columns
        && (1..=columns).contains(&width)
        && parts == columns.div_ceil(width)
        && last_width == columns - (parts - 1) * width;
    if !is_consistent {
        return Err(reader.damaged("the parts of the quantiser do not fit the columns"));
    }
    let range = reader.range((columns * CENTROIDS * 4) as u64)?;
    let (numbers, _) = bytes[range].as_chunks();
    let centroids: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
    if !centroids.iter().all(|number| is_sound(*number)) {
        return Err(reader.damaged(UNSOUND));
    }
    Ok((parts, width, last_width, centroids))
}

impl Quantised {
    fn codes<'f>(&self, bytes: &'f [u8], row: usize) -> &'f [u8] {
        &bytes[self.codes.clone()][row * self.parts..][..self.parts]
    }

    fn norm(&self, bytes: &[u8], row: usize) -> f32 {
        let norms = self.norms.as_ref();
        norms.map_or(1., |(codes, norms)| norms[usize::from(bytes[codes.clone()][row])])
    }

    /// Adds rows whose parts have two columns each. Sums of neighbouring parts stay in registers
    /// over all rows, and their additions do not wait for each other.
    fn add_pairs<const N: usize>(&self, bytes: &[u8], rows: &[u32; N], sum: &mut [f32]) {
        /// The parts at a time.
        const PARTS: usize = 8;
        let norms = rows.map(|row| self.norm(bytes, row as usize));
        let codes = rows.map(|row| self.codes(bytes, row as usize));
        let (centroids, _) = self.centroids.as_chunks::<2>();
        let (centroids, _) = centroids.as_chunks::<CENTROIDS>();
        let (sums, _) = sum.as_chunks_mut::<2>();
        let (groups, rest_of_sums) = sums.as_chunks_mut::<PARTS>();
        let (tables, rest_of_tables) = centroids.as_chunks::<PARTS>();
        for (group_index, (sums, tables)) in groups.iter_mut().zip(tables).enumerate() {
            let mut register_sums = *sums;
            for (codes, norm) in codes.iter().zip(norms) {
                let codes = codes.as_chunks::<PARTS>().0[group_index];
                for ((sum, table), code) in register_sums.iter_mut().zip(tables).zip(codes) {
                    let [first, second] = table[usize::from(code)];
                    sum[0] += norm * first;
                    sum[1] += norm * second;
                }
            }
            *sums = register_sums;
        }
        for (codes, norm) in codes.iter().zip(norms) {
            let codes = codes.as_chunks::<PARTS>().1;
            for ((sum, table), code) in rest_of_sums.iter_mut().zip(rest_of_tables).zip(codes) {
                let [first, second] = table[usize::from(*code)];
                sum[0] += norm * first;
                sum[1] += norm * second;
            }
        }
    }

    fn add_row(&self, bytes: &[u8], row: usize, sum: &mut [f32]) {
        let norm = self.norm(bytes, row);
        let codes = self.codes(bytes, row);
        for (part_index, (sum, code)) in sum.chunks_mut(self.width).zip(codes).enumerate() {
            let centroid = self.centroid(part_index, *code);
            for (sum, number) in sum.iter_mut().zip(centroid) {
                *sum += norm * number;
            }
        }
    }

    fn product(&self, bytes: &[u8], row: usize, vector: &[f32]) -> f32 {
        let codes = self.codes(bytes, row);
        let mut product = 0.;
        for (part_index, (vector, code)) in vector.chunks(self.width).zip(codes).enumerate() {
            for (x, number) in vector.iter().zip(self.centroid(part_index, *code)) {
                product += x * number;
            }
        }
        product * self.norm(bytes, row)
    }

    fn centroid(&self, part_index: usize, code: u8) -> &[f32] {
        let width = if part_index + 1 == self.parts { self.last_width } else { self.width };
        &self.centroids[part_index * CENTROIDS * self.width + usize::from(code) * width..][..width]
    }
}
