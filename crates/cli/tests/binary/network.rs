//! What the program reaches: nothing, and with the feature `remote` what addresses name and nothing
//! else.

use crate::support::{Huller, sample, temp};
use std::fs;
use std::process::Command;

/// The names that a program for Linux asks of the libraries it is linked to: the table of strings
/// beside its table of dynamic symbols (ELF, 64 bits, little-endian).
#[cfg(not(feature = "remote"))]
fn dynamic_names(program: &[u8]) -> &[u8] {
    const DYNAMIC_SYMBOLS: u64 = 11;
    let number = |at: usize, len: usize| {
        let mut bytes = [0; 8];
        bytes[..len].copy_from_slice(&program[at..at + len]);
        u64::from_le_bytes(bytes)
    };
    let place = |at: usize| usize::try_from(number(at, 8)).unwrap();
    let (sections, size) = (place(0x28), number(0x3A, 2) as usize);
    let section = |index: u64| sections + index as usize * size;
    let is_it = |index: &u64| number(section(*index) + 4, 4) == DYNAMIC_SYMBOLS;
    let symbols = (0..number(0x3C, 2)).find(is_it).expect("the program is linked dynamically");
    let names = section(number(section(symbols) + 0x28, 4));
    &program[place(names + 0x18)..][..place(names + 0x20)]
}

/// What a program needs to reach anything over a network, which it lacks without the feature
/// `remote`. The system's library is linked dynamically, so these would be in the table of names
/// that the program asks of it. `huller serve` binds an address and answers whoever connects;
/// nothing can be connected to, and no name is resolved.
#[cfg(not(feature = "remote"))]
#[test]
fn the_program_has_no_way_to_connect_to_anything() {
    let program = fs::read(env!("CARGO_BIN_EXE_huller")).unwrap();
    let names = dynamic_names(&program);
    let asks_for =
        |name: &str| names.split(|byte| *byte == 0).any(|asked| asked == name.as_bytes());
    assert!(
        asks_for("rename") && asks_for("flock"),
        "the table of names is where it is looked for"
    );
    for name in [
        "connect",
        "sendto",
        "sendmmsg",
        "recvfrom",
        "getaddrinfo",
        "gethostbyname",
        "getnameinfo",
        "res_query",
        "system",
        "popen",
    ] {
        assert!(!asks_for(name), "{name}");
    }
}

/// What the program ends with where a socket is opened, below [`GUARD`].
const OPENED: i32 = 77;

/// Ends a program that opens a socket.
const GUARD: &str = "#include <unistd.h>\nint socket(int a, int b, int c) { _exit(77); }\n";

/// Whatever was built in: files are read and written without a socket.
#[test]
fn without_an_address_no_socket_is_opened() {
    let folder = temp();
    let (source, library) = (folder.path().join("guard.c"), folder.path().join("guard.so"));
    fs::write(&source, GUARD).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).args([&library, &source]);
    assert!(compiler.status().unwrap().success(), "the C compiler that the build needs too");
    let guarded = |run: Huller| run.env("LD_PRELOAD", library.to_str().unwrap()).run();
    let list = folder.path().join("all.paths");
    fs::write(&list, sample().to_str().unwrap()).unwrap();
    guarded(Huller::extract(&list, folder.path().join("out"))).exits(0);
    guarded(Huller::new().args(["records", "--json"]).arg(sample())).exits(0);
    guarded(Huller::new().arg("verify").arg(folder.path().join("out"))).exits(0);
    // The guard works: whoever may read an address opens one, and who may not says so.
    let address = Huller::new().args(["records", "http://127.0.0.1:9/a.warc.gz"]);
    guarded(address).exits(if cfg!(feature = "remote") { OPENED } else { 1 });
}
