//! Makes tar archives, sound or malformed.

/// The header block of a file in a POSIX tar archive.
#[derive(Clone, Debug)]
pub struct TarHeader {
    name: Vec<u8>,
    flag: u8,
    /// The size field, with its terminator.
    size: [u8; 12],
}

impl TarHeader {
    /// Returns the header of a file of `size` bytes. A name of more than 100 bytes is cut.
    pub fn new(name: impl AsRef<[u8]>, flag: u8, size: u64) -> TarHeader {
        let mut field = [0; 12];
        field[..11].copy_from_slice(format!("{size:011o}").as_bytes());
        TarHeader { name: name.as_ref().to_vec(), flag, size: field }
    }

    /// Replaces the size field.
    #[must_use]
    pub fn size(self, size: [u8; 12]) -> TarHeader {
        TarHeader { size, ..self }
    }

    /// Returns the block, with its checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut block = vec![0; 512];
        let name = &self.name[..self.name.len().min(100)];
        block[..name.len()].copy_from_slice(name);
        block[100..108].copy_from_slice(b"0000644\0");
        block[124..136].copy_from_slice(&self.size);
        block[136..148].copy_from_slice(b"14000000000\0");
        block[148..156].fill(b' ');
        block[156] = self.flag;
        block[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        block
    }
}

/// Returns a file with its header, padded to whole blocks.
pub fn file(name: impl AsRef<[u8]>, data: &[u8]) -> Vec<u8> {
    entry(name, b'0', data)
}

/// Returns an entry with this flag and these bytes.
pub fn entry(name: impl AsRef<[u8]>, flag: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = TarHeader::new(name, flag, data.len() as u64).to_bytes();
    bytes.extend_from_slice(data);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

/// Returns an archive of these entries, with the zeros at its end.
pub fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = entries.concat();
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// Returns a record of a pax header.
pub fn pax(key: &str, value: &str) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let digits = |len: usize| len.to_string().len();
    let mut len = rest + digits(rest);
    len = rest + digits(len);
    format!("{len} {key}={value}\n").into_bytes()
}
