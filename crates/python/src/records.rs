//! `huller.read_warc`: reads the records of an archive.

use crate::errors::{archive_error, damaged_record_error, huller_error, value_error};
use crate::file::FileOrPath;
use huller_archive::{
    ArchiveError, Batch, Decoder, Format, Http, Input, Limits, Position, RecordType, Repair,
    UnpackResult, Unpacker, Visitor, WarcHeader, utf8_or_latin1,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

thread_local! {
    static DECODER: RefCell<Decoder> = RefCell::new(Decoder::new());
}

/// A WARC record.
#[pyclass(module = "huller", frozen)]
pub(crate) struct Record {
    header: Vec<u8>,
    block: Vec<u8>,
    position: Position,
    repair: Option<Repair>,
    payload: PyOnceLock<Py<PyBytes>>,
}

/// A byte range of an archive that gave no record.
#[pyclass(module = "huller", frozen, get_all)]
pub(crate) struct Fault {
    reason: &'static str,
    detail: String,
    offset: Option<u64>,
    length: Option<u64>,
    stream_offset: Option<u64>,
}

/// Returns the value of a header as text.
fn text(bytes: &[u8]) -> String {
    utf8_or_latin1(bytes).into_owned()
}

impl Record {
    fn fields(&self) -> Option<WarcHeader<'_>> {
        WarcHeader::parse(&self.header)
    }

    /// Returns whether the block is an HTTP message whose body may be chunked or compressed.
    fn is_http(&self) -> bool {
        let kind = self.fields().map(|header| header.record_type());
        matches!(kind, Some(RecordType::Response | RecordType::Revisit))
            && Http::begins_head(&self.block)
    }
}

#[pymethods]
impl Record {
    #[getter]
    fn r#type(&self) -> Option<String> {
        self.fields()
            .and_then(|header| header.get("WARC-Type"))
            .map(text)
            .map(|kind| kind.to_ascii_lowercase())
    }

    #[getter]
    fn id(&self) -> Option<String> {
        self.fields().and_then(|header| header.record_id()).map(text)
    }

    #[getter]
    fn url(&self) -> Option<String> {
        self.fields().and_then(|header| header.target_uri()).map(text)
    }

    #[getter]
    fn date(&self) -> Option<String> {
        self.fields().and_then(|header| header.date()).map(text)
    }

    #[getter]
    fn status(&self) -> Option<u16> {
        self.is_http().then(|| Http::parse(&self.block, &Limits::default()).status).flatten()
    }

    #[getter]
    fn content_type(&self) -> Option<String> {
        if self.is_http() {
            // Parsing unfolds lines in place, and the block must stay unchanged.
            let limits = Limits::default();
            let end = Http::parse(&self.block, &limits).body.unwrap_or(self.block.len());
            let mut head = self.block[..end].to_vec();
            return Http::split(&mut head, &limits).0.content_type.map(text);
        }
        self.fields().and_then(|header| header.content_type()).map(text)
    }

    /// Returns a field of the WARC header.
    fn header(&self, name: &str) -> Option<String> {
        self.fields().and_then(|header| header.get(name)).map(text)
    }

    #[getter]
    fn header_block<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.header)
    }

    #[getter]
    fn block<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.block)
    }

    #[getter]
    fn payload(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let payload = self.payload.get_or_try_init(py, || {
            if !self.is_http() {
                return Ok(PyBytes::new(py, &self.block).unbind());
            }
            DECODER.with_borrow_mut(|decoder| {
                let limits = Limits::default();
                // De-chunking works in place, and the block must stay unchanged.
                let mut block = self.block.clone();
                let (head, body) = Http::split(&mut block, &limits);
                let decoded = py.detach(|| decoder.decode(&head, body, &limits));
                match decoded {
                    Ok(body) => Ok(PyBytes::new(py, body.bytes).unbind()),
                    Err(fault) => Err(huller_error(py, fault.to_string())),
                }
            })
        });
        payload.map(|payload| payload.clone_ref(py))
    }

    #[getter]
    fn offset(&self) -> Option<u64> {
        self.position.member.map(|(offset, _)| offset)
    }

    #[getter]
    fn length(&self) -> Option<u64> {
        self.position.member.map(|(_, length)| length)
    }

    #[getter]
    fn stream_offset(&self) -> Option<u64> {
        self.position.stream_offset
    }

    #[getter]
    fn repaired(&self) -> Option<&'static str> {
        self.repair.map(|repair| match repair {
            Repair::ContentLengthTooLong => "content_length_too_long",
            Repair::ChecksumMismatch => "checksum_mismatch",
            Repair::Truncated => "truncated",
        })
    }

    fn __repr__(&self) -> String {
        let text_or_unknown = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
        format!("Record({} {})", text_or_unknown(self.r#type()), text_or_unknown(self.url()))
    }
}

/// Most bytes of an input that are read at a time; a larger member is read whole. All their records
/// stay in memory until Python asks for them, and compressed bytes may expand a thousandfold.
const MAX_BATCH_BYTES: usize = 64 << 10;

/// An iterator over the records of an archive.
#[pyclass(module = "huller")]
pub(crate) struct RecordReader {
    file: String,
    raises: bool,
    /// The lock never waits, since Python lends the object to one thread at a time. It makes the
    /// reader `Sync`.
    archive: Mutex<Archive>,
    faults: Vec<Py<Fault>>,
}

/// An archive that is being read.
struct Archive {
    input: Input,
    unpacker: Unpacker,
    batch: Batch,
    found: PendingItems,
}

/// The records and faults of a batch, until Python asks for them.
#[derive(Default)]
struct PendingItems {
    items: VecDeque<Result<Record, huller_archive::Fault>>,
}

impl Visitor for PendingItems {
    fn record(&mut self, record: huller_archive::Record<'_>) {
        self.items.push_back(Ok(Record {
            header: record.header.to_vec(),
            block: record.block.to_vec(),
            position: record.position,
            repair: record.repair,
            payload: PyOnceLock::new(),
        }));
    }

    /// Only WARC files are opened.
    fn line(&mut self, _: &[u8], _: Position) {}

    fn fault(&mut self, fault: &huller_archive::Fault) {
        self.items.push_back(Err(fault.clone()));
    }
}

#[pymethods]
impl RecordReader {
    #[new]
    #[pyo3(signature = (path, *, errors="skip"))]
    fn new(py: Python<'_>, path: &Bound<'_, PyAny>, errors: &str) -> PyResult<RecordReader> {
        let raises = match errors {
            "skip" => false,
            "raise" => true,
            _ => {
                return Err(value_error(format!(
                    "errors must be 'skip' or 'raise', not '{errors}'"
                )));
            }
        };
        let source = FileOrPath::from_object(path)?;
        let file = source.name(py);
        let limits = Limits { batch_bytes: MAX_BATCH_BYTES, ..Limits::default() };
        let opened = py.detach(|| match source {
            FileOrPath::Path(path) => Input::open(&path, &limits),
            FileOrPath::File(reader) => Input::from_named_reader(&file, Box::new(reader), &limits),
        });
        let input = opened.map_err(|error| archive_error(py, &file, &error))?;
        if input.format() == Format::Jsonl {
            return Err(huller_error(py, format!("'{file}' contains JSONL, not WARC records")));
        }
        Ok(RecordReader {
            file,
            raises,
            archive: Mutex::new(Archive {
                input,
                unpacker: Unpacker::new(&limits),
                batch: Batch::default(),
                found: PendingItems::default(),
            }),
            faults: Vec::new(),
        })
    }

    /// Returns the damaged parts so far.
    #[getter]
    fn faults(&self, py: Python<'_>) -> Vec<Py<Fault>> {
        self.faults.iter().map(|fault| fault.clone_ref(py)).collect()
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Record>> {
        let opened = self.archive.get_mut().unwrap_or_else(PoisonError::into_inner);
        loop {
            match opened.found.items.pop_front() {
                Some(Ok(record)) => return Ok(Some(record)),
                Some(Err(fault)) => {
                    let reason = huller_corpus::reason_of(fault.reason).name();
                    let (offset, length) = fault.position.member.unzip();
                    let seen = Fault {
                        reason,
                        detail: fault.detail.clone(),
                        offset,
                        length,
                        stream_offset: fault.position.stream_offset,
                    };
                    self.faults.push(Py::new(py, seen)?);
                    if self.raises {
                        return Err(damaged_record_error(py, &self.file, &fault, reason));
                    }
                }
                None => {
                    let more = py.detach(|| opened.read());
                    if !more.map_err(|error| archive_error(py, &self.file, &error))? {
                        return Ok(None);
                    }
                    // Damage may fill many batches without a record.
                    py.check_signals()?;
                }
            }
        }
    }
}

impl Archive {
    /// Reads the next batch. Returns false at the end of the input.
    fn read(&mut self) -> Result<bool, ArchiveError> {
        if !self.input.next_batch(&mut self.batch)? {
            return Ok(false);
        }
        let unpacked = self.unpacker.unpack(&mut self.batch, &mut self.found);
        if let UnpackResult::StoppedAt(offset) = unpacked {
            self.input.restart_at(offset)?;
        }
        Ok(true)
    }
}
