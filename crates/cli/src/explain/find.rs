//! Finds the offset of a record by the name that a user gives.

use crate::record_place::RecordPlace;
use crate::stores::{READ_AHEAD, stores};
use anyhow::{Result, bail};
use huller_archive::{
    Batch, Entry, Input, JsonlKeys, Limits, RecordType, WarcHeader, redact_url, utf8_or_latin1,
};
use huller_row::JsonMembers;
use std::path::Path;

/// Returns the place of the requested record: by a number, or else by its URL or id, for which the
/// archive is read from its start. If several match, the first response or resource is used.
pub(super) fn place<'a>(input: &'a Path, wanted: &str) -> Result<RecordPlace<'a>> {
    if let Ok(offset) = wanted.parse() {
        return Ok(RecordPlace { input, offset, in_stream: false, most_bytes: None });
    }
    let mut stream =
        Input::open_in(&stores(READ_AHEAD), input, &Limits::default())?.into_stream()?;
    let mut batch = Batch::default();
    while stream.next_batch(&mut batch)? {
        for entry in &batch.entries {
            let (is_found, position) = match entry {
                Entry::Record { bytes, header, position, .. } => {
                    let head = &batch.bytes[bytes.start..bytes.start + header];
                    let header = WarcHeader::parse(head);
                    (header.is_some_and(|header| is_wanted(&header, wanted)), position)
                }
                Entry::Line { bytes, position, .. } => {
                    (is_wanted_line(&batch.bytes[bytes.clone()], wanted), position)
                }
                _ => continue,
            };
            if is_found {
                let place = match position.member {
                    Some((offset, _)) => Some((offset, false)),
                    None => position.stream_offset.map(|offset| (offset, true)),
                };
                if let Some((offset, in_stream)) = place {
                    return Ok(RecordPlace { input, offset, in_stream, most_bytes: None });
                }
            }
        }
    }
    bail!(
        "'{}' has no page with this offset, URL or id; `huller records` lists its records",
        redact_url(input).display()
    )
}

/// Returns whether a line of JSONL has this URL or this id.
fn is_wanted_line(line: &[u8], wanted: &str) -> bool {
    let JsonlKeys { url, id, .. } = JsonlKeys::default();
    serde_json::from_slice::<JsonMembers<'_>>(line).is_ok_and(|members| {
        let mut names = url.iter().chain(&id);
        names.any(|name| members.text(name).is_some_and(|value| value == wanted))
    })
}

fn is_wanted(header: &WarcHeader<'_>, wanted: &str) -> bool {
    let id = wanted.trim_start_matches('<').trim_end_matches('>').trim_start_matches("urn:uuid:");
    matches!(header.record_type(), RecordType::Response | RecordType::Resource)
        && (header.target_uri().is_some_and(|url| utf8_or_latin1(url) == wanted)
            || (!id.is_empty() && header.record_id() == Some(id.as_bytes())))
}
