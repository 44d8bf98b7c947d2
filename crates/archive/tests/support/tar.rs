//! Just enough of tar to take files with short names out of an archive.

const BLOCK: usize = 512;

/// The regular files of a tar archive, in its order: name, contents.
pub(crate) fn files(archive: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut rest = archive;
    std::iter::from_fn(move || {
        loop {
            let (header, after) = rest.split_at_checked(BLOCK)?;
            let text = |from: usize, to: usize| {
                let field = header[from..to].split(|&byte| byte == 0).next().unwrap_or_default();
                std::str::from_utf8(field).unwrap_or_default().trim()
            };
            let name = text(0, 100);
            if name.is_empty() {
                return None;
            }
            let size = usize::from_str_radix(text(124, 136), 8).expect("the size of a tar entry");
            let (contents, _) = after.split_at(size);
            rest = &after[size.next_multiple_of(BLOCK).min(after.len())..];
            if matches!(header[156], b'0' | 0) {
                return Some((name, contents));
            }
        }
    })
}
