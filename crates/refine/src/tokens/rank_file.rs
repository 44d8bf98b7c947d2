//! Reads lists of ranks in the format of `tiktoken`: on each line a token in Base64, a space, and
//! its rank.

use data_encoding::BASE64;
use std::collections::HashMap;

/// Reads the tokens and their ranks.
pub(super) fn read(bytes: &[u8]) -> Result<HashMap<Vec<u8>, u32>, String> {
    let mut ranks = HashMap::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let (token, rank) = parse(line).ok_or_else(|| {
            format!("line {} is not a token and a rank as in tiktoken files", number + 1)
        })?;
        if ranks.insert(token, rank).is_some() {
            return Err(format!("line {} repeats a token", number + 1));
        }
    }
    Ok(ranks)
}

fn parse(line: &[u8]) -> Option<(Vec<u8>, u32)> {
    let space = line.iter().position(|byte| *byte == b' ')?;
    let token = BASE64.decode(&line[..space]).ok().filter(|token| !token.is_empty())?;
    let rank = std::str::from_utf8(&line[space + 1..]).ok()?.parse().ok()?;
    Some((token, rank))
}
