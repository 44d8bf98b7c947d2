//! Compression of outputs.
//!
//! An output is a sequence of frames, and each frame can be decompressed alone. So workers compress
//! batches independently, a run that was killed continues after the last whole frame, and a reader
//! may start at any frame.
//!
//! ```
//! use huller_row::{Compression, Compressor};
//!
//! let mut compressor = Compressor::new(Compression::Zstd { level: 3 });
//! let mut file = Vec::new();
//! compressor.frame(b"{\"id\":1}\n", &mut file);
//! compressor.frame(b"{\"id\":2}\n", &mut file);
//! assert_eq!(zstd::decode_all(file.as_slice())?, b"{\"id\":1}\n{\"id\":2}\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use flate2::bufread::MultiGzDecoder;
use libdeflater::CompressionLvl;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use zstd_safe::zstd_sys::ZSTD_EndDirective::ZSTD_e_end;
use zstd_safe::{CCtx, CParameter, InBuffer, OutBuffer, ResetDirective};

/// The compression of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// zstd frames (RFC 8878).
    Zstd {
        /// Level of the library, from -131,072 (fastest) to 22. A value outside this range means
        /// the nearest level. Level 1 uses smaller tables than the library's.
        level: i32,
    },
    /// gzip members (RFC 1952).
    Gzip {
        /// Level of libdeflate, from 0 (stored) to 12. A value outside this range means the nearest
        /// level.
        level: i32,
    },
    /// No compression.
    None,
}

impl Compression {
    /// zstd at level 1. Level 3 makes the rows of pages an eighth smaller, and the fastest runs an
    /// eighth slower.
    pub const DEFAULT_ZSTD: Compression = Compression::Zstd { level: 1 };

    /// gzip at the default level of the program gzip.
    pub const DEFAULT_GZIP: Compression = Compression::Gzip { level: 6 };

    /// All kinds of compression, at their default levels.
    pub const KINDS: [Compression; 3] =
        [Compression::DEFAULT_ZSTD, Compression::DEFAULT_GZIP, Compression::None];

    /// Returns the compression of this name in settings, at this level or the default one.
    ///
    /// ```
    /// use huller_row::Compression;
    ///
    /// assert_eq!(Compression::of_setting("gzip", Some(9)), Some(Compression::Gzip { level: 9 }));
    /// assert_eq!(Compression::of_setting("none", None), Some(Compression::None));
    /// ```
    pub fn of_setting(name: &str, level: Option<i32>) -> Option<Compression> {
        let kind = Compression::KINDS.into_iter().find(|kind| kind.name() == name)?;
        Some(match (kind, level) {
            (Compression::Zstd { .. }, Some(level)) => Compression::Zstd { level },
            (Compression::Gzip { .. }, Some(level)) => Compression::Gzip { level },
            (kind, _) => kind,
        })
    }

    /// Returns its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Zstd { .. } => "zstd",
            Compression::Gzip { .. } => "gzip",
            Compression::None => "none",
        }
    }

    /// Returns the level, if there is one.
    pub fn level(self) -> Option<i32> {
        match self {
            Compression::Zstd { level } | Compression::Gzip { level } => Some(level),
            Compression::None => None,
        }
    }

    /// Returns the compression of a file by the end of its name (`.zst`, `.gz`), at the default
    /// level.
    pub fn from_path(path: &Path) -> Compression {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("zst") => Compression::DEFAULT_ZSTD,
            Some("gz") => Compression::DEFAULT_GZIP,
            _ => Compression::None,
        }
    }

    /// Returns a reader that decompresses a file of frames.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the library cannot allocate its tables.
    pub fn reader<'a>(self, file: &'a mut dyn BufRead) -> io::Result<Box<dyn BufRead + 'a>> {
        Ok(match self {
            Compression::Zstd { .. } => {
                let decoder = zstd::stream::read::Decoder::with_buffer(file)?;
                Box::new(BufReader::with_capacity(CHUNK, decoder))
            }
            Compression::Gzip { .. } => {
                Box::new(BufReader::with_capacity(CHUNK, MultiGzDecoder::new(file)))
            }
            Compression::None => Box::new(file),
        })
    }
}

impl Compression {
    /// Returns a reader that owns and decompresses a file of frames, so that it can be kept and
    /// sent to another thread.
    ///
    /// # Errors
    ///
    /// The library cannot allocate its tables.
    pub fn into_reader(
        self,
        file: impl BufRead + Send + 'static,
    ) -> io::Result<Box<dyn BufRead + Send>> {
        Ok(match self {
            Compression::Zstd { .. } => {
                let decoder = zstd::stream::read::Decoder::with_buffer(file)?;
                Box::new(BufReader::with_capacity(CHUNK, decoder))
            }
            Compression::Gzip { .. } => {
                Box::new(BufReader::with_capacity(CHUNK, MultiGzDecoder::new(file)))
            }
            Compression::None => Box::new(file),
        })
    }
}

/// Most bytes that a reader decompresses at a time.
const CHUNK: usize = 1 << 17;

/// A compressor of frames, which do not depend on one another. Each worker has one, since it keeps
/// the tables of the library.
pub struct Compressor(Kind);

enum Kind {
    Zstd(CCtx<'static>),
    Gzip(libdeflater::Compressor),
    None,
}

/// Parameters of level 1 in place of the library's. A small table leaves the first-level cache to
/// the pages, and shorter matches compensate for it. On rows of the gold pages this takes 10 % less
/// time for 2 % more bytes.
const SMALL_TABLES: [CParameter; 2] = [CParameter::HashLog(12), CParameter::MinMatch(6)];

impl Compressor {
    /// Creates a compressor of this kind.
    ///
    /// # Panics
    ///
    /// If the library cannot allocate its tables.
    pub fn new(compression: Compression) -> Self {
        Compressor(match compression {
            Compression::Zstd { level } => {
                let level = level.clamp(zstd_safe::min_c_level(), zstd_safe::max_c_level());
                let mut context = CCtx::create();
                let common = [
                    CParameter::CompressionLevel(level),
                    CParameter::ContentSizeFlag(true),
                    CParameter::ChecksumFlag(true),
                ];
                let small_tables: &[CParameter] = if level == 1 { &SMALL_TABLES } else { &[] };
                for parameter in common.iter().chain(small_tables) {
                    context
                        .set_parameter(*parameter)
                        .expect("the level was clamped to what zstd takes");
                }
                Kind::Zstd(context)
            }
            Compression::Gzip { level } => {
                let level = CompressionLvl::new(level.clamp(0, 12));
                Kind::Gzip(libdeflater::Compressor::new(level.expect("libdeflate takes 0 to 12")))
            }
            Compression::None => Kind::None,
        })
    }

    /// Appends one frame that holds `rows` to `out`. Without rows it appends no frame.
    ///
    /// The bytes depend on `rows` alone, not on earlier frames. A zstd frame states its content
    /// size and has a checksum; a gzip member has no name and no time.
    ///
    /// # Panics
    ///
    /// If the library cannot allocate its tables.
    pub fn frame(&mut self, rows: &[u8], out: &mut Vec<u8>) {
        if !rows.is_empty() {
            self.append(rows, out);
        }
    }

    /// Appends an empty frame, for a file without rows. Most readers (`zstd -d` and `gzip -d` among
    /// them) treat a file without a frame as truncated.
    ///
    /// # Panics
    ///
    /// As [`Compressor::frame`].
    pub fn empty_frame(&mut self, out: &mut Vec<u8>) {
        self.append(b"", out);
    }

    fn append(&mut self, rows: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        match &mut self.0 {
            Kind::Zstd(context) => {
                // With space for the worst case, zstd compresses from `rows` to `out` in one call.
                out.reserve(zstd_safe::compress_bound(rows.len()));
                // A frame that a panic aborted must not leak into this one.
                context.reset(ResetDirective::SessionOnly).expect("a session can always be reset");
                let mut source = InBuffer::around(rows);
                let mut target = OutBuffer::around_pos(out, start);
                let left = context
                    .compress_stream2(&mut target, &mut source, ZSTD_e_end)
                    .expect("zstd fails only for want of memory");
                debug_assert_eq!((left, source.pos()), (0, rows.len()));
            }
            Kind::Gzip(compressor) => {
                out.resize(start + compressor.gzip_compress_bound(rows.len()), 0);
                let length = compressor
                    .gzip_compress(rows, &mut out[start..])
                    .expect("there is room for the worst case");
                out.truncate(start + length);
            }
            Kind::None => out.extend_from_slice(rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Read;

    const ALL: [Compression; 3] = Compression::KINDS;

    fn decode(compression: Compression, mut file: &[u8]) -> Vec<u8> {
        let mut rows = Vec::new();
        if !file.is_empty() {
            compression.reader(&mut file).unwrap().read_to_end(&mut rows).unwrap();
        }
        rows
    }

    #[test]
    fn names_tell_compression() {
        let names = ["a.zst", "b/a.jsonl.gz", "a", "b/.gz", ".zst", "a.gz.part"];
        let expected = [ALL[0], ALL[1], ALL[2], ALL[2], ALL[2], ALL[2]];
        assert_eq!(names.map(|name| Compression::from_path(Path::new(name))), expected);
    }

    #[test]
    fn no_rows_make_no_frame_unless_one_is_asked_for() {
        for compression in ALL {
            let mut compressor = Compressor::new(compression);
            let mut out = b"before".to_vec();
            compressor.frame(b"", &mut out);
            assert_eq!(out, b"before");
            compressor.empty_frame(&mut out);
            assert_eq!(out.len() > 6, compression != Compression::None);
            assert_eq!(decode(compression, &out[6..]), b"");
        }
    }

    #[test]
    fn frames_say_what_they_hold() {
        let mut out = b"before".to_vec();
        let rows = b"row\n".repeat(1000);
        Compressor::new(ALL[0]).frame(&rows, &mut out);
        let frame = &out[6..];
        assert_eq!(zstd_safe::get_frame_content_size(frame).ok().flatten(), Some(4000));
        assert_eq!(zstd_safe::find_frame_compressed_size(frame).ok(), Some(frame.len()));
        assert_ne!(frame[4] & 4, 0, "checksum flag");
        let mut broken = frame.to_vec();
        *broken.last_mut().unwrap() ^= 1;
        assert!(zstd::decode_all(broken.as_slice()).is_err());

        out.clear();
        Compressor::new(ALL[1]).frame(&rows, &mut out);
        assert_eq!(out[..8], *b"\x1f\x8b\x08\0\0\0\0\0", "no flags, no time");
    }

    #[test]
    fn levels_beyond_the_last_are_the_last() {
        let rows = b"some rows, some rows\n".repeat(10);
        for level in [i32::MIN, -5, 0, 1, 9, 12, 22, i32::MAX] {
            for compression in [Compression::Zstd { level }, Compression::Gzip { level }] {
                let mut out = Vec::new();
                Compressor::new(compression).frame(&rows, &mut out);
                assert_eq!(decode(compression, &out), rows, "{compression:?}");
            }
        }
    }

    #[test]
    fn the_same_rows_give_the_same_bytes() {
        let noise: Vec<u8> =
            (0..300_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let rows = [b"{\"text\":\"some text\"}\n".repeat(5000), noise.clone()].concat();
        for compression in ALL {
            let mut fresh = Vec::new();
            Compressor::new(compression).frame(&rows, &mut fresh);
            let mut used = Compressor::new(compression);
            for before in [noise.as_slice(), b"x", &rows, &noise[..70_000]] {
                used.frame(before, &mut Vec::new());
                let mut again = Vec::with_capacity(before.len());
                used.frame(&rows, &mut again);
                assert!(again == fresh, "{compression:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn frames_come_back(batches in prop::collection::vec(any::<Vec<u8>>(), 0..6), which in 0_usize..3) {
            let mut compressor = Compressor::new(ALL[which]);
            let mut file = Vec::new();
            for batch in &batches {
                compressor.frame(batch, &mut file);
            }
            prop_assert_eq!(decode(ALL[which], &file), batches.concat());
        }
    }
}
