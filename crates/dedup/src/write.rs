//! Writes the outputs: one for each input, and the signatures of its rows.

use crate::cluster_table::DropsByReason;
use crate::corpus::CorpusFile;
use crate::decide::Decisions;
use crate::error::DedupError;
use crate::file_pass::{Event, FilePass, PassEnding, ReadToEnd};
use crate::folder::Folder;
use crate::host_lines::HostLines;
use crate::kept_records::Archives;
use crate::matched_lines::{ChunkRecords, MatchedLine, ParsedRow, RecordReader, for_each_line};
use crate::monitor::{Phase, Reporter};
use crate::paragraphs::{LeftOutParagraphs, ParagraphReader, Paragraphs};
use crate::pool::Pool;
use crate::rows::{CorpusRows, Locator};
use crate::rows_file::{RowsFile, RowsPiece};
use crate::settings::{DedupStep, DroppedBy, Outputs, RowsFormat, Settings};
use crate::signed_file::SignedFile;
use huller_corpus::{RowChunk, RowEdit};
use huller_refine::signature::signature_file::{Header, Record, RecordView};
use huller_refine::signature::{Signature, Signer};
use huller_refine::{Reason, Text};
use huller_row::{Compression, Compressor, Layout, WarcWriter};
use huller_run::counters::Counters;
use huller_run::output_file::OutputFile;
use huller_run::run_files::journal::JournalEntry as FinishedInputs;
use huller_run::run_files::marks::SignatureMark;
use std::collections::HashSet;
use std::path::Path;

/// The data from which outputs are made.
pub(crate) struct OutputData<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) rows: &'a CorpusRows,
    /// For each input, the index of its file among those of all rows; `None` without signatures.
    pub(crate) signature_indexes: &'a [Option<usize>],
    pub(crate) decisions: &'a Decisions,
    pub(crate) lines: Option<&'a HostLines>,
    pub(crate) paragraphs: Option<&'a Paragraphs>,
    pub(crate) layouts: &'a EncodedOutputs<'a>,
}

/// The properties of outputs that are not lines.
pub(crate) struct EncodedOutputs<'a> {
    /// The format of outputs whose rows are encoded.
    pub(crate) rows: Option<RowsFormat>,
    /// The folder of archives, and the layout of files of records, if outputs are WARC.
    pub(crate) records: Option<(&'a Path, Layout)>,
}

/// Makes outputs in one thread.
struct Worker<'a> {
    locator: Locator<'a>,
    signer: Signer,
    text: Text,
    signature: Signature,
    /// A compressor of each kind that was needed.
    compressors: Vec<(Compression, Compressor)>,
    /// The rows of a chunk.
    plain: Vec<u8>,
    /// Their places in the input.
    places: Vec<u64>,
    /// The changes of the current row.
    edit: RowEdit,
}

/// The result for a chunk.
struct WrittenChunk {
    /// The rows as a compressed frame.
    frame: Vec<u8>,
    /// The number of rows.
    rows: u64,
    /// Length of the rows in the unit of their places: bytes before compression, or rows.
    length: u64,
    /// Their signatures. Places count from the beginning of the chunk's rows.
    records: Vec<u8>,
    counters: Counters,
    left_out: DropsByReason,
    /// Number of rows that have signatures.
    signed_rows: u64,
}

impl OutputData<'_> {
    fn write_chunk(
        &self,
        worker: &mut Worker<'_>,
        pass: &FilePass<'_>,
        (input, chunk): (usize, &RowChunk),
        (records, left_out): &(ChunkRecords, LeftOutParagraphs),
    ) -> Result<WrittenChunk, DedupError> {
        let mut written = WrittenChunk {
            frame: Vec::new(),
            rows: 0,
            length: 0,
            records: Vec::new(),
            counters: Counters::default(),
            left_out: DropsByReason::default(),
            signed_rows: 0,
        };
        worker.plain.clear();
        worker.places.clear();
        let file = &pass.files[input];
        let signed = &self.rows.files[self.signature_indexes[input].expect("it has signatures")];
        for_each_line(self.settings, (file, signed), chunk, records, |line| {
            match line {
                MatchedLine::Fault(reason) => written.counters.add_rejected(reason),
                MatchedLine::Row { row, record, line, parsed } => {
                    written.signed_rows += 1;
                    self.add_row(worker, (row, record, line, &parsed), left_out, &mut written)?;
                }
            }
            Ok(())
        })?;
        written.rows = written.counters.written;
        self.encode_outputs(worker, file, signed, &mut written);
        worker.plain.shrink_to(chunk.row_bytes().max(8 << 20));
        Ok(written)
    }

    /// Encodes and compresses the rows of a chunk.
    fn encode_outputs(
        &self,
        worker: &mut Worker<'_>,
        file: &CorpusFile,
        signed: &SignedFile,
        written: &mut WrittenChunk,
    ) {
        let compression = match &self.layouts.rows {
            // The writer needs the rows themselves, to find their records.
            _ if self.layouts.records.is_some() => Compression::None,
            Some(rows) => rows.layout.compression,
            None => Compression::from_path(Path::new(&file.output)),
        };
        let known = worker.compressors.iter().position(|(known, _)| *known == compression);
        let known = known.unwrap_or_else(|| {
            worker.compressors.push((compression, Compressor::new(compression)));
            worker.compressors.len() - 1
        });
        let compressor = &mut worker.compressors[known].1;
        let lines = (worker.plain.as_slice(), worker.places.as_slice());
        if let Some(rows) = &self.layouts.rows {
            let names = (file.name.as_str(), &self.settings.keys);
            let piece = RowsPiece::new(rows, names, lines, compressor);
            set_positions(
                &mut written.records,
                signed.header.record_bytes(),
                piece.marks.into_iter(),
            );
            (written.frame, written.length) = (piece.bytes, piece.end);
            return;
        }
        compressor.frame(&worker.plain, &mut written.frame);
        written.length = worker.plain.len() as u64;
        if self.layouts.records.is_some() {
            written.length = written.rows;
            set_positions(&mut written.records, signed.header.record_bytes(), 0..);
        }
    }

    /// Adds a row to the rows of its chunk, or drops it.
    fn add_row(
        &self,
        worker: &mut Worker<'_>,
        (row, record, line, parsed): (u32, RecordView<'_>, &[u8], &ParsedRow<'_>),
        left_out: &LeftOutParagraphs,
        written: &mut WrittenChunk,
    ) -> Result<(), DedupError> {
        let is_marked = self.settings.outputs == Outputs::Marked;
        let dropped = self.decisions.dropped_by(row);
        if let Some(dropped_by) = dropped
            && (!is_marked || !matches!(dropped_by, DroppedBy::Step(_)))
        {
            written.counters.add_rejected(dropped_by.counted_as());
            return Ok(());
        }
        let line_offset = worker.plain.len() as u64;
        let url = parsed.url.as_deref();
        let cut = if dropped.is_none() {
            self.cut_paragraphs(parsed, row, left_out, written)
        } else {
            None
        };
        let kept_row = self.decisions.kept_for(row);
        let original = if is_marked && kept_row != row {
            Some(worker.locator.address(kept_row)?.name())
        } else {
            None
        };
        worker.edit.clear();
        if let Some((text, step)) = &cut {
            if text.trim().is_empty() {
                written.counters.add_rejected(step.counted_as());
                return Ok(());
            }
            worker.edit.set(parsed.text_at, text);
            worker.text.begin().push_str(text);
            worker.signer.sign(&mut worker.text, url, &mut worker.signature);
            let (id, fetched, score) = (record.id(), record.fetch_time(), record.score());
            let record = Record {
                row_position: line_offset,
                id,
                fetch_time: fetched,
                score,
                signature: &worker.signature,
            };
            Header::new(self.settings.signatures).push_record(&mut written.records, &record);
        } else {
            push_moved(record, line_offset, &mut written.records);
        }
        if is_marked {
            worker.edit.put("duplicate_of", original);
        }
        if self.settings.outputs != Outputs::Kept {
            worker.edit.put("cluster_size", self.decisions.size(kept_row));
        }
        if worker.edit.is_empty() {
            worker.plain.extend_from_slice(line);
        } else {
            worker.edit.write(&parsed.row, &mut worker.plain);
        }
        worker.plain.push(b'\n');
        worker.places.push(record.row_position());
        written.counters.add_written();
        Ok(())
    }

    /// Returns the text of a row without the lines and paragraphs to leave out, and the last step
    /// that left something out. Returns `None` if the text does not change.
    fn cut_paragraphs(
        &self,
        parsed: &ParsedRow<'_>,
        row: u32,
        left_out: &LeftOutParagraphs,
        written: &mut WrittenChunk,
    ) -> Option<(String, DedupStep)> {
        let without = self
            .lines
            .and_then(|host_lines| host_lines.without_repeats(&parsed.text, parsed.url.as_deref()));
        if let Some(text) = &without {
            written.left_out.add(DedupStep::Lines, &parsed.text, text);
        }
        let text = without.as_deref().unwrap_or(&parsed.text);
        let Some(unrepeated) = left_out.without_paragraphs(row, text) else {
            return without.map(|text| (text, DedupStep::Lines));
        };
        written.left_out.add(DedupStep::Paragraphs, text, &unrepeated);
        Some((unrepeated, DedupStep::Paragraphs))
    }

    /// Writes all outputs that are not yet written. An input that cannot be read to its end gets
    /// none.
    pub(crate) fn run(
        &self,
        pass: &FilePass<'_>,
        folder: &mut Folder<'_>,
        reporter: &mut Reporter<'_>,
    ) -> Result<PassEnding, DedupError> {
        let count = self.decisions.rows() - self.decisions.earlier;
        reporter.phase(Phase::Write, Some(u64::from(count)));
        let written_names: HashSet<_> =
            folder.written_inputs().iter().map(|written| written.input.clone()).collect();
        let todo = (0..self.signature_indexes.len())
            .filter(|input| {
                self.signature_indexes[*input].is_some()
                    && !written_names.contains(&pass.files[*input].name)
            })
            .collect();
        let folder_name = folder.temporary();
        Signer::new(self.settings.signatures)?;
        let workers = Pool::new(|| Worker {
            locator: Locator::new(self.rows),
            signer: Signer::new(self.settings.signatures).expect("the settings were tried"),
            text: Text::default(),
            signature: Signature::default(),
            compressors: Vec::new(),
            plain: Vec::new(),
            places: Vec::new(),
            edit: RowEdit::default(),
        });
        let mut reader = RecordReader::new(self.rows, self.signature_indexes);
        let read_back = || DedupError::output_error("read back paragraphs from", &folder_name);
        let mut paragraphs =
            self.paragraphs.map(ParagraphReader::new).transpose().map_err(read_back())?;
        let mut archives = self.layouts.records.as_ref().map(|(folder, _)| Archives::new(folder));
        let (mut making, mut progress) = (OutputInProgress::default(), 0);
        let ending = pass.run(
            todo,
            |input, chunk| {
                let records = reader.take(input, chunk)?;
                let signed =
                    &self.rows.files[self.signature_indexes[input].expect("it has signatures")];
                let left_out = match &mut paragraphs {
                    None => LeftOutParagraphs::default(),
                    Some(reader) => reader.take(records.rows(signed)).map_err(read_back())?,
                };
                Ok((records, left_out))
            },
            |input, chunk, attached| {
                workers
                    .with_worker(|worker| self.write_chunk(worker, pass, (input, chunk), &attached))
            },
            |input, event| {
                let file = &pass.files[input];
                match event {
                    Event::Chunk(written) => {
                        let written = written?;
                        progress += written.signed_rows;
                        let of = (self.settings, self.layouts.rows.as_ref());
                        match (&mut archives, &self.layouts.records) {
                            (Some(archives), Some((_, layout))) => {
                                let of = (self.settings, layout);
                                making.add_records(folder, (input, file), of, archives, written)?;
                            }
                            _ => making.add(folder, (input, file), of, written)?,
                        }
                        reporter.progress(progress);
                    }
                    Event::Failed(error) => {
                        reporter.unusable(&file.name, &error.to_string());
                        std::mem::take(&mut making).remove();
                    }
                    Event::End(read) => {
                        let making = std::mem::take(&mut making);
                        self.end_file(making, (input, file), folder, read, reporter)?;
                    }
                }
                Ok(())
            },
        );
        making.remove();
        ending
    }

    /// Ends the output of an input that was read to its end. The output is removed if the input has
    /// changed since it was opened.
    fn end_file(
        &self,
        making: OutputInProgress,
        (input, file): (usize, &CorpusFile),
        folder: &mut Folder<'_>,
        read: ReadToEnd,
        reporter: &mut Reporter<'_>,
    ) -> Result<(), DedupError> {
        let signed = &self.rows.files[self.signature_indexes[input].expect("it has signatures")];
        if making.signed != signed.rows {
            let problem = format!("'{}' has different rows", file.path.display());
            making.remove();
            return Err(DedupError::unusable_signatures(&signed.path, problem));
        }
        if let Some(changed) = folder.change_message(input, read) {
            reporter.unusable(&file.name, &changed);
            making.remove();
            return Ok(());
        }
        let finished = making.finish((input, file), read, folder)?;
        folder.finish(finished)?;
        folder.note_time(&file.name, read.version)
    }
}

/// Replaces the place of each record.
fn set_positions(records: &mut [u8], record_bytes: usize, positions: impl Iterator<Item = u64>) {
    for (position, record) in positions.zip(records.chunks_exact_mut(record_bytes)) {
        record[..size_of::<u64>()].copy_from_slice(&position.to_le_bytes());
    }
}

/// Adds the record of a row at another place. The place is the first eight bytes of a record.
fn push_moved(record: RecordView<'_>, position: u64, records: &mut Vec<u8>) {
    records.extend_from_slice(&position.to_le_bytes());
    records.extend_from_slice(&record.bytes()[size_of::<u64>()..]);
}

/// An output that is being written.
#[derive(Default)]
struct OutputInProgress {
    /// The output and its signatures, once there is a row.
    files: Option<OutputFiles>,
    /// The file of encoded rows, if the output has no lines or records.
    table: Option<RowsFile>,
    /// The file of records, if the output is WARC.
    warc: Option<WarcWriter>,
    /// Length of the rows in the unit of their places: bytes before compression, or rows.
    length: u64,
    counters: Counters,
    left_out: DropsByReason,
    /// Number of rows with a signature.
    signed: u64,
}

impl OutputInProgress {
    fn add(
        &mut self,
        folder: &mut Folder<'_>,
        (input, file): (usize, &CorpusFile),
        (settings, rows): (&Settings, Option<&RowsFormat>),
        mut written: WrittenChunk,
    ) -> Result<(), DedupError> {
        self.counters += &written.counters;
        self.left_out += &written.left_out;
        self.signed += written.signed_rows;
        if written.rows == 0 {
            return Ok(());
        }
        let OutputFiles { output, signatures } = if let Some(files) = &mut self.files {
            files
        } else {
            // Signatures would have no places to name.
            let is_signed = rows.is_none_or(|rows| rows.format.has_places());
            let mut files = OutputFiles::create(folder, (input, file), settings, is_signed)?;
            self.table = rows.map(|of| RowsFile::begin(of, &mut files.output)).transpose()?;
            self.files.insert(files)
        };
        match &mut self.table {
            Some(table) => table.add_piece(&written.frame, output)?,
            None => output.append(&written.frame)?,
        }
        if let Some(signatures) = signatures {
            Header::new(settings.signatures).move_places(&mut written.records, self.length);
            signatures.append(&written.records)?;
        }
        self.length += written.length;
        Ok(())
    }

    /// Adds the records of the rows of a chunk, which are its frame. A row whose record is not in
    /// the archives moves from the written to the failed ones.
    fn add_records(
        &mut self,
        folder: &mut Folder<'_>,
        (input, file): (usize, &CorpusFile),
        (settings, layout): (&Settings, &Layout),
        archives: &mut Archives,
        mut written: WrittenChunk,
    ) -> Result<(), DedupError> {
        let header = Header::new(settings.signatures);
        let lines = written.frame.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let mut signed = Vec::new();
        for (line, record) in lines.zip(written.records.chunks_exact(header.record_bytes())) {
            let warc = self.warc.get_or_insert_with(|| WarcWriter::new(layout));
            if !archives.add_to(warc, line) {
                written.counters.written -= 1;
                written.counters.reject(Reason::NotWhereIndexed);
                continue;
            }
            signed.extend_from_slice(record);
            if warc.is_full() {
                self.write_records(folder, (input, file), settings)?;
            }
        }
        self.write_records(folder, (input, file), settings)?;
        self.counters += &written.counters;
        self.left_out += &written.left_out;
        self.signed += written.signed_rows;
        if let Some(OutputFiles { signatures: Some(signatures), .. }) = &mut self.files {
            set_positions(&mut signed, header.record_bytes(), 0..);
            header.move_places(&mut signed, self.length);
            signatures.append(&signed)?;
        }
        self.length += written.counters.written;
        Ok(())
    }

    /// Writes the records that were added. The first one creates the output.
    fn write_records(
        &mut self,
        folder: &mut Folder<'_>,
        (input, file): (usize, &CorpusFile),
        settings: &Settings,
    ) -> Result<(), DedupError> {
        let Some(warc) = self.warc.as_mut().filter(|warc| !warc.is_empty()) else { return Ok(()) };
        let OutputFiles { output, .. } = if let Some(files) = &mut self.files {
            files
        } else {
            self.files.insert(OutputFiles::create(folder, (input, file), settings, true)?)
        };
        let written = warc.write(output);
        Ok(output.check_write(written)?)
    }

    fn finish(
        self,
        (input, file): (usize, &CorpusFile),
        read: ReadToEnd,
        folder: &mut Folder<'_>,
    ) -> Result<FinishedInputs, DedupError> {
        let (mut output, mut signatures) = (None, None);
        if let Some(OutputFiles { output: mut rows, signatures: records }) = self.files {
            if let Some(mut table) = self.table {
                table.end(&mut rows)?;
            }
            if let Some(mut warc) = self.warc {
                let ended = warc.end(&mut rows);
                rows.check_write(ended)?;
            }
            let ((bytes, digest), of_records) = folder.name_output(input, file, (rows, records))?;
            output = Some((file.output.clone(), bytes, digest));
            signatures = of_records.map(|(bytes, digest)| SignatureMark {
                bytes,
                digest,
                row_bytes: self.length,
            });
        }
        let prefix = Some((read.seen.bytes, read.seen.digest()));
        let left_out = (!self.left_out.is_empty())
            .then(|| serde_json::to_value(&self.left_out).expect("names and numbers"));
        let finished = folder.finished(file, self.counters, prefix, output, signatures);
        Ok(FinishedInputs { note: left_out, ..finished })
    }

    fn remove(self) {
        if let Some(OutputFiles { output, signatures }) = self.files {
            output.remove();
            if let Some(signatures) = signatures {
                signatures.remove();
            }
        }
    }
}

/// The files of an output.
struct OutputFiles {
    output: OutputFile,
    /// The signatures of its rows, if the format has places of rows.
    signatures: Option<OutputFile>,
}

impl OutputFiles {
    fn create(
        folder: &mut Folder<'_>,
        (input, file): (usize, &CorpusFile),
        settings: &Settings,
        is_signed: bool,
    ) -> Result<OutputFiles, DedupError> {
        let (output, mut signatures) = folder.create_output(input, file, is_signed)?;
        if let Some(signatures) = &mut signatures {
            signatures.append(&Header::new(settings.signatures).to_bytes())?;
        }
        Ok(OutputFiles { output, signatures })
    }
}
