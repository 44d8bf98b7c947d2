//! Finds the signatures of each input, or makes them.

use crate::account::{Account, InputAccount};
use crate::chunks::{Chunk, Chunks};
use crate::corpus::{CorpusFile, stored_signatures};
use crate::durable::PartFile;
use crate::error::DedupError;
use crate::folder::Folder;
use crate::in_order::{Ending, Event, Pass};
use crate::journal::Entry;
use crate::monitor::{Monitor, Phase};
use crate::pool::Pool;
use crate::row_line::{Fault, RowLine};
use crate::settings::Settings;
use crate::signed_file::SignedFile;
use huller_provenance::seconds;
use huller_refine::Text;
use huller_refine::signature::file::{Header, Record};
use huller_refine::signature::{Signature, Signer};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The signatures of an input.
pub(crate) struct Signed {
    pub(crate) file: SignedFile,
    /// Its lines that are no rows, where they were signed here. Signatures that were there already know of none.
    pub(crate) faults: Account,
}

/// Signs rows in one thread.
struct Worker {
    signer: Signer,
    text: Text,
    signature: Signature,
}

/// The signatures of a chunk.
struct SignedChunk {
    records: Vec<u8>,
    rows: u64,
    faults: Account,
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
        (place, line): (u64, &[u8]),
        records: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let row = RowLine::parse(line, &settings.text_keys, &settings.url_keys)?;
        self.text.begin().push_str(&row.text);
        self.signer.sign(&mut self.text, row.url.as_deref(), &mut self.signature);
        let fetched = row.date().and_then(|date| seconds(&date));
        let (id, score, signature) = (row.id(), row.score(), &self.signature);
        let record = Record { place, id, fetched, score, signature };
        Header::new(settings.signatures).push_record(records, &record);
        Ok(())
    }

    fn chunk(&mut self, settings: &Settings, chunk: &Chunk) -> SignedChunk {
        let mut signed = SignedChunk { records: Vec::new(), rows: 0, faults: Account::default() };
        chunk.faults().for_each(|fault| signed.faults.fail(fault));
        for line in chunk.lines() {
            match self.sign(settings, line, &mut signed.records) {
                Ok(()) => signed.rows += 1,
                Err(fault) => signed.faults.fail(fault),
            }
        }
        signed
    }
}

/// Most seconds by which a file may be younger than its signatures: both are written at once.
const YOUNGER: u64 = 10;

/// Whether signatures that lie beside a file are those of its rows, as far as the settings, the times of both files and the first row say.
/// When rows are written it is seen whether each begins where its signature says, and whether all are signed.
fn belongs(signed: &SignedFile, file: &CorpusFile, settings: &Settings, most_line: usize) -> bool {
    if signed.header.settings() != settings.signatures {
        return false;
    }
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    if let (Ok(signed), Ok(file)) = (changed(&signed.path), changed(&file.path))
        && file.duration_since(signed).is_ok_and(|younger| younger.as_secs() > YOUNGER)
    {
        return false;
    }
    let first = || -> Option<bool> {
        let chunk = Chunks::open(&file.path, most_line).ok()?.next().ok()?;
        let Some(chunk) = chunk else { return Some(signed.rows == 0) };
        let bytes = signed.read(0, signed.rows.min(1)).ok()?;
        let Some(record) = signed.header.records(&bytes).ok()?.next() else {
            let mut lines = chunk.lines();
            return Some(lines.all(|(_, line)| parse(settings, line).is_err()));
        };
        if record.place() >= chunk.end() {
            return Some(true);
        }
        let (_, line) = chunk.lines().find(|(at, _)| *at == record.place())?;
        let row = parse(settings, line).ok()?;
        let (mut text, mut signature) = (Text::default(), Signature::default());
        text.begin().push_str(&row.text);
        Signer::new(settings.signatures).ok()?.sign(&mut text, None, &mut signature);
        Some(signature.text == record.text())
    };
    first().unwrap_or(false)
}

fn parse<'a>(settings: &Settings, line: &'a [u8]) -> Result<RowLine<'a>, Fault> {
    RowLine::parse(line, &settings.text_keys, &settings.url_keys)
}

/// An input that is being signed.
struct Making {
    out: PartFile,
    rows: u64,
    faults: Account,
}

/// Signs all inputs that have no signatures. An input that cannot be used has none afterwards. `None` if the run was interrupted.
pub(crate) fn sign(
    settings: &Settings,
    pass: &Pass<'_>,
    folder: &mut Folder,
    monitor: &mut dyn Monitor,
) -> Result<Option<Vec<Option<Signed>>>, DedupError> {
    let mut signed: Vec<Option<Signed>> = Vec::new();
    let earlier: HashMap<String, Account> = folder
        .journal
        .signed()
        .map(|signed| (signed.input.clone(), signed.account.clone()))
        .collect();
    for file in pass.files {
        let made = earlier.get(&file.name).and_then(|faults| {
            let file = SignedFile::open(&folder.signed(&file.name)).ok()?;
            Some(Signed { file, faults: faults.clone() })
        });
        signed.push(made.or_else(|| {
            let stored = SignedFile::open(&stored_signatures(&file.path)?).ok()?;
            let belongs = belongs(&stored, file, settings, pass.most_line);
            belongs.then(|| Signed { file: stored, faults: Account::default() })
        }));
    }
    let missing: Vec<_> = (0..signed.len()).filter(|place| signed[*place].is_none()).collect();
    if missing.is_empty() {
        return Ok(Some(signed));
    }
    monitor.phase(Phase::Sign, None);
    // The settings are tried once, so that workers cannot fail.
    Worker::new(settings)?;
    let workers = Pool::new(|| Worker::new(settings).expect("the settings were tried"));
    let (mut making, mut done): (Option<Making>, u64) = (None, 0);
    let ending = pass.run(
        missing,
        |_, _| Ok(()),
        |_, chunk, ()| workers.with(|worker| worker.chunk(settings, chunk)),
        |place, event| {
            let file = &pass.files[place];
            let path = folder.signed(&file.name);
            if making.is_none() {
                let mut out = PartFile::create(&path)?;
                out.write(&Header::new(settings.signatures).to_bytes())?;
                making = Some(Making { out, rows: 0, faults: Account::default() });
            }
            let state = making.as_mut().expect("it was just made");
            match event {
                Event::Chunk(chunk) => {
                    state.out.write(&chunk.records)?;
                    state.rows += chunk.rows;
                    state.faults += &chunk.faults;
                    done += chunk.rows;
                    monitor.progress(done);
                }
                Event::Failed(error) => {
                    monitor.unusable(&file.name, &error.to_string());
                    making.take().expect("it is being made").out.give_up();
                }
                Event::End => {
                    let Making { out, rows, faults } = making.take().expect("it is being made");
                    out.finish()?;
                    let mut checked = faults.clone();
                    checked.records += rows;
                    if let Some(complaint) = checked.complaint() {
                        monitor.unusable(&file.name, &complaint);
                    }
                    let (input, bytes) = (file.name.clone(), file.bytes);
                    let account = InputAccount { input, bytes, account: faults.clone() };
                    if !earlier.contains_key(&file.name) {
                        folder.journal.append(Entry::Signed(account))?;
                    }
                    let file = SignedFile::open(&path)?;
                    signed[place] = Some(Signed { file, faults });
                }
            }
            Ok(())
        },
    )?;
    if let Some(making) = making {
        making.out.give_up();
    }
    Ok((ending == Ending::Done).then_some(signed))
}
