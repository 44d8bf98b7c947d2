//! Finds the signatures of each input, or makes them.

use crate::corpus::{CorpusFile, stored_signatures};
use crate::error::DedupError;
use crate::file_pass::{Event, FilePass, PassEnding, ReadToEnd, open};
use crate::folder::Folder;
use crate::journal::{Milestone, SignedInput};
use crate::matched_lines::ParsedRow;
use crate::monitor::{Phase, Reporter};
use crate::pool::Pool;
use crate::settings::Settings;
use crate::signed_file::SignedFile;
use huller_corpus::{RowChunk, RowFault};
use huller_provenance::seconds;
use huller_refine::Text;
use huller_refine::signature::signature_file::{Header, Record};
use huller_refine::signature::{Signature, Signer};
use huller_run::counters::Counters;
use huller_run::output_file::OutputFile;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The signatures of an input.
pub(crate) struct InputSignatures {
    pub(crate) file: SignedFile,
    /// Its lines that are not rows, if it was signed here. Existing signatures do not record such
    /// lines.
    pub(crate) faults: Counters,
}

impl InputSignatures {
    /// Reports a problem of the input as a whole.
    fn report_unusable(&self, name: &str, reporter: &mut Reporter<'_>) {
        let mut read = self.faults.clone();
        read.records += self.file.rows;
        read.written += self.file.rows;
        if let Some(reason) = read.unusable_reason(true) {
            reporter.unusable(name, &reason);
        }
    }
}

/// Signs rows in one thread.
struct Worker {
    signer: Signer,
    text: Text,
    signature: Signature,
}

/// The signatures of a chunk.
struct SignedChunk {
    /// The records of signatures, one after another.
    records: Vec<u8>,
    /// Number of rows of the chunk.
    rows: u64,
    faults: Counters,
}

impl Worker {
    fn new(settings: &Settings) -> Result<Worker, DedupError> {
        let signer = Signer::new(settings.signatures)?;
        Ok(Worker { signer, text: Text::default(), signature: Signature::default() })
    }

    /// Signs the row in a line, and adds its record.
    fn sign(
        &mut self,
        settings: &Settings,
        (position, line): (u64, &[u8]),
        records: &mut Vec<u8>,
    ) -> Result<(), RowFault> {
        let ParsedRow { row, text, url, .. } = ParsedRow::parse(line, &settings.keys)?;
        self.text.begin().push_str(&text);
        self.signer.sign(&mut self.text, url.as_deref(), &mut self.signature);
        let fetched = row.date().and_then(|date| seconds(&date));
        let score = row.score().map(|score| score as f32);
        let (id, signature) = (row.uuid(), &self.signature);
        let record = Record { row_position: position, id, fetch_time: fetched, score, signature };
        Header::new(settings.signatures).push_record(records, &record);
        Ok(())
    }

    fn sign_chunk(&mut self, settings: &Settings, chunk: &RowChunk) -> SignedChunk {
        let mut signed = SignedChunk { records: Vec::new(), rows: 0, faults: Counters::default() };
        chunk.faults().iter().for_each(|(_, fault)| signed.faults.add_rejected(fault.reason));
        for line in chunk.rows() {
            match self.sign(settings, line, &mut signed.records) {
                Ok(()) => signed.rows += 1,
                Err(fault) => signed.faults.add_rejected(fault.reason),
            }
        }
        signed
    }
}

/// Most seconds by which a file may be newer than its signatures, since both are written together.
const MAX_SECONDS_NEWER: u64 = 10;

/// Returns whether signatures found for a file belong to its rows, as far as the settings, the
/// times of both files and the first row show. When rows are written, each row's place is checked,
/// and that all are signed.
fn is_valid_for(
    signed: &SignedFile,
    file: &CorpusFile,
    settings: &Settings,
    max_line_bytes: usize,
) -> bool {
    if signed.header.settings() != settings.signatures {
        return false;
    }
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    if let (Ok(signed), Ok(file)) = (changed(&signed.path), changed(&file.path))
        && file.duration_since(signed).is_ok_and(|younger| younger.as_secs() > MAX_SECONDS_NEWER)
    {
        return false;
    }
    let first = || -> Option<bool> {
        let chunk = open(file, max_line_bytes).ok()?.next_chunk().ok()?;
        let Some(chunk) = chunk else { return Some(signed.rows == 0) };
        let bytes = signed.read(0, signed.rows.min(1)).ok()?;
        let Some(record) = signed.header.records(&bytes).ok()?.next() else {
            let mut rows = chunk.rows();
            return Some(rows.all(|(_, row)| ParsedRow::parse(row, &settings.keys).is_err()));
        };
        if record.row_position() >= chunk.end() {
            return Some(true);
        }
        let (_, row) =
            chunk.rows().find(|(row_position, _)| *row_position == record.row_position())?;
        let row = ParsedRow::parse(row, &settings.keys).ok()?;
        let (mut text, mut signature) = (Text::default(), Signature::default());
        text.begin().push_str(&row.text);
        Signer::new(settings.signatures).ok()?.sign(&mut text, None, &mut signature);
        Some(signature.text == record.text())
    };
    first().unwrap_or(false)
}

/// An input that is being signed.
struct SignaturesInProgress {
    out: OutputFile,
    faults: Counters,
}

/// Returns the existing signatures of the inputs: signatures by an earlier run, and signatures
/// stored with the inputs.
fn find_existing(
    settings: &Settings,
    pass: &FilePass<'_>,
    folder: &Folder<'_>,
    reporter: &mut Reporter<'_>,
) -> Vec<Option<InputSignatures>> {
    let earlier: HashMap<_, _> =
        folder.signed_inputs().map(|signed| (signed.input.as_str(), signed)).collect();
    let mut signatures = Vec::new();
    for file in pass.files {
        if let Some(signed) = earlier.get(file.name.as_str())
            && let Ok(file_of) = SignedFile::reopen(&folder.signed(&file.name))
        {
            let existing = InputSignatures { file: file_of, faults: signed.faults.clone() };
            existing.report_unusable(&file.name, reporter);
            signatures.push(Some(existing));
            continue;
        }
        let stored = stored_signatures(&file.path).and_then(|path| SignedFile::open(&path).ok());
        let stored =
            stored.filter(|stored| is_valid_for(stored, file, settings, pass.max_line_bytes));
        signatures.push(stored.map(|file| InputSignatures { file, faults: Counters::default() }));
    }
    signatures
}

/// Signs all inputs that have no signatures. An input that cannot be used remains without. Returns
/// `None` if the run was interrupted.
pub(crate) fn sign(
    settings: &Settings,
    pass: &FilePass<'_>,
    folder: &mut Folder<'_>,
    reporter: &mut Reporter<'_>,
) -> Result<Option<Vec<Option<InputSignatures>>>, DedupError> {
    let mut signed = find_existing(settings, pass, folder, reporter);
    let missing: Vec<_> = (0..signed.len()).filter(|index| signed[*index].is_none()).collect();
    if missing.is_empty() {
        return Ok(Some(signed));
    }
    reporter.phase(Phase::Sign, None);
    // The settings are tried once, so that workers cannot fail.
    Worker::new(settings)?;
    let workers = Pool::new(|| Worker::new(settings).expect("the settings were tried"));
    let (mut making, mut rows_signed): (Option<SignaturesInProgress>, u64) = (None, 0);
    let ending = pass.run(
        missing,
        |_, _| Ok(()),
        |_, chunk, ()| workers.with_worker(|worker| worker.sign_chunk(settings, chunk)),
        |index, event| {
            let file = &pass.files[index];
            let state = if let Some(state) = &mut making {
                state
            } else {
                let mut out = folder.create_signed(&file.name)?;
                out.append(&Header::new(settings.signatures).to_bytes())?;
                making.insert(SignaturesInProgress { out, faults: Counters::default() })
            };
            match event {
                Event::Chunk(chunk) => {
                    state.out.append(&chunk.records)?;
                    state.faults += &chunk.faults;
                    rows_signed += chunk.rows;
                    reporter.progress(rows_signed);
                }
                Event::Failed(error) => {
                    reporter.unusable(&file.name, &error.to_string());
                    making.take().expect("it is being made").out.remove();
                }
                Event::End(read) => {
                    let in_progress = making.take().expect("it is being made");
                    let signatures = end_file(in_progress, file, folder, read)?;
                    signatures.report_unusable(&file.name, reporter);
                    signed[index] = Some(signatures);
                }
            }
            Ok(())
        },
    )?;
    if let Some(making) = making {
        making.out.remove();
    }
    Ok((ending == PassEnding::Done).then_some(signed))
}

/// Gives the signatures of an input their name, and notes that it is signed.
fn end_file(
    making: SignaturesInProgress,
    file: &CorpusFile,
    folder: &mut Folder<'_>,
    read: ReadToEnd,
) -> Result<InputSignatures, DedupError> {
    let SignaturesInProgress { out, faults } = making;
    out.finish()?;
    let input = file.name.clone();
    let (bytes, digest) = (read.seen.bytes, read.seen.digest());
    let entry = SignedInput { input, read: bytes, digest, faults: faults.clone() };
    if !folder.signed_inputs().any(|known| *known == entry) {
        folder.note_milestone(Milestone::Signed(Box::new(entry)))?;
    }
    folder.note_time(&file.name, read.version)?;
    Ok(InputSignatures { file: SignedFile::reopen(&folder.signed(&file.name))?, faults })
}
