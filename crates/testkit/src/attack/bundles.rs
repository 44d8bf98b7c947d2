//! Malformed ZIP and tar files of pages. The project's shared generator of attacks lacks these.

use super::definition::{Attack, ExpectedOutcome, Scale};
use super::records::{ALPHA, OMEGA, Records, good_page, mebibytes};
use crate::pack::{gzip, gzip_pieces};
use crate::tar::{TarHeader, entry, file, pax};
use crate::zip::{ZipEntry, zip};

/// Returns a ZIP file of two good pages with the attack between them.
fn zipped(attack: Vec<ZipEntry>) -> Vec<u8> {
    let good =
        |mark: &str| ZipEntry::deflated(&format!("a/{mark}.html"), good_page(mark).as_bytes());
    let mut entries = vec![good(ALPHA)];
    entries.extend(attack);
    entries.push(good(OMEGA));
    zip(&entries)
}

/// Returns a tar archive of two good pages with the attack between them.
fn tarred(attack: &[u8]) -> Vec<u8> {
    let good = |mark: &str| file(format!("a/{mark}.html"), good_page(mark).as_bytes());
    [&good(ALPHA), attack, &good(OMEGA), &[0; 1024][..]].concat()
}

/// Returns a page that deflate makes a thousand times smaller.
fn bomb(scale: Scale) -> Vec<u8> {
    vec![b'x'; scale.of(1 << 30)]
}

const PAGE: &[u8] = b"<p>A page that stands for the attack, with some words in it.</p>";

const fn in_zip(
    name: &'static str,
    right: &'static str,
    archive: fn(&mut Records, Scale) -> Vec<u8>,
) -> Attack {
    Attack::archive(name, right, archive).extension(".zip")
}

/// Returns an attack on the ZIP reader that must be refused.
const fn refused_attack(
    name: &'static str,
    right: &'static str,
    archive: fn(&mut Records, Scale) -> Vec<u8>,
) -> Attack {
    in_zip(name, right, archive).must(ExpectedOutcome::Fatal).good(&[]).records(0)
}

const fn in_tar(
    name: &'static str,
    right: &'static str,
    archive: fn(&mut Records, Scale) -> Vec<u8>,
) -> Attack {
    Attack::archive(name, right, archive).extension(".tar")
}

/// The attacks.
pub(super) const ATTACKS: &[Attack] = &[
    in_zip("warc-zip-bomb", "a page of 1 GiB: too large, and not inflated", |_, scale| {
        zipped(vec![ZipEntry::deflated("a/bomb.html", &bomb(scale))])
    })
    .records(3),
    in_zip(
        "warc-zip-bomb-small-claim",
        "a page of 1 GiB that claims 1,000 bytes: inflated no further than that",
        |_, scale| zipped(vec![ZipEntry::deflated("a/bomb.html", &bomb(scale)).size(1000)]),
    )
    .records(3),
    in_zip(
        "warc-zip-claims-4gb",
        "40 bytes of deflated data that claim 4 GB: no memory is taken for the claim",
        |_, _| zipped(vec![ZipEntry::deflated("a/claim.html", PAGE).size(u64::from(u32::MAX - 1))]),
    )
    .records(3),
    refused_attack(
        "warc-zip-overlap",
        "1,000 names for the same bytes, as in the bombs of D. Fifield: refused",
        |_, scale| {
            let page = ZipEntry::deflated("0.html", &bomb(Scale(scale.0 * 0.01)));
            let again = |n: usize| page.clone().named(&format!("{n:04}.html")).at(0);
            zip(&(0..1000).map(again).collect::<Vec<_>>())
        },
    ),
    refused_attack(
        "warc-zip-leads-out",
        "a name that leads out of the archive: refused",
        |_, _| zipped(vec![ZipEntry::stored("../../../../tmp/x.html", PAGE)]),
    ),
    refused_attack("warc-zip-absolute", "an absolute name: refused", |_, _| {
        zipped(vec![ZipEntry::stored("/tmp/x.html", PAGE)])
    }),
    in_zip("warc-zip-encrypted", "an encrypted page costs itself alone", |_, _| {
        zipped(vec![ZipEntry::stored("a/secret.html", PAGE).encrypted()])
    })
    .records(3),
    in_zip("warc-zip-method", "a page that is compressed by bzip2 costs itself alone", |_, _| {
        zipped(vec![ZipEntry::stored("a/b.html", PAGE).method(12)])
    })
    .records(3),
    in_zip("warc-zip-checksum", "a wrong CRC costs its page alone", |_, _| {
        zipped(vec![ZipEntry::deflated("a/b.html", PAGE).crc(7)])
    })
    .records(3),
    in_zip("warc-zip-same-names", "one name twice: both are read", |_, _| {
        let entry = || ZipEntry::deflated("a/b.html", PAGE);
        zipped(vec![entry(), entry()])
    })
    .must(ExpectedOutcome::Extract)
    .records(4),
    in_zip("warc-zip-nested", "a ZIP file in it is not opened", |_, scale| {
        let inner = zip(&[ZipEntry::deflated("b.html", &bomb(Scale(scale.0 * 0.1)))]);
        zipped(vec![ZipEntry::stored("a/inner.zip", inner)])
    })
    .records(3),
    in_zip("warc-zip-many-files", "60,000 files without bytes: linear, and small", |_, scale| {
        let name = |n: usize| ZipEntry::stored(&format!("b/{n}.txt"), b"");
        zipped((0..scale.of(60_000)).map(name).collect())
    }),
    in_tar("warc-tar-size-huge", "a page that claims 8 GiB at the end of the file", |_, _| {
        let mut archive = tarred(b"");
        archive.truncate(archive.len() - 1024);
        archive.extend(TarHeader::new("a/b.html", b'0', (8 << 30) - 1).to_bytes());
        archive
    })
    .records(3),
    in_tar("warc-tar-size-negative", "a negative size in binary: the next is found", |_, _| {
        tarred(&[&TarHeader::new("a/b.html", b'0', 0).size([0xff; 12]).to_bytes(), PAGE].concat())
    }),
    in_tar("warc-tar-pax-50mb", "an extended header of 50 MB is not kept", |_, scale| {
        let long = pax("comment", &"x".repeat(scale.of(50 << 20).max(70_000)));
        tarred(&[entry("pax", b'x', &long), file("a/b.html", PAGE)].concat())
    })
    .records(3),
    in_tar("warc-tar-long-names", "100,000 long names before one page: linear", |_, scale| {
        let name = entry("././@LongLink", b'L', b"a/long.html\0");
        tarred(&[name.repeat(scale.of(100_000)), file("a/b.html", PAGE)].concat())
    })
    .must(ExpectedOutcome::Extract)
    .records(3),
    in_tar(
        "warc-tar-near-headers",
        "50 MB of the word that headers are known by: linear time",
        |_, scale| {
            let mut words = b"0000000 ustar".repeat(scale.of(4 << 20));
            words.resize(words.len().next_multiple_of(512), b'x');
            tarred(&words)
        },
    ),
    in_tar("warc-tar-checksum", "a header with a wrong checksum costs its page alone", |_, _| {
        let mut attack = file("a/b.html", PAGE);
        attack[150] ^= 1;
        tarred(&attack)
    }),
    in_tar("warc-tar-sparse", "a sparse file costs itself alone", |_, _| {
        tarred(&entry("a/b.html", b'S', PAGE))
    })
    .records(3),
    in_tar("warc-tar-leads-out", "a name that leads out is text, and leads nowhere", |_, _| {
        tarred(&file("../../../../tmp/x.html", PAGE))
    })
    .must(ExpectedOutcome::Extract)
    .records(3),
    in_tar("warc-tar-header-cut", "an archive that ends within a header", |_, _| {
        let mut archive = tarred(b"");
        archive.truncate(archive.len() - 1024);
        archive.extend_from_slice(&file("a/b.html", PAGE)[..300]);
        archive
    })
    .records(3),
    in_tar("warc-tar-gz-bomb", "a page of 1 GiB in gzip: too large, and not kept", |_, scale| {
        let size = scale.of(1024) << 20;
        let good = |mark: &str| gzip(&file(format!("a/{mark}.html"), good_page(mark).as_bytes()));
        let header = TarHeader::new("a/bomb.html", b'0', size as u64).to_bytes();
        let pieces = std::iter::once(header).chain(mebibytes(size >> 20));
        [good(ALPHA), gzip_pieces(9, pieces), good(OMEGA), gzip(&[0; 1024])].concat()
    })
    .extension(".tar.gz")
    .records(3)
    .seconds(20),
];
