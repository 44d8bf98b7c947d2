//! Defines the languages of the tables, and the source of the counts of each.

use huller_refine::language::Script;

/// The sources of a language's counts.
pub struct Recipe {
    pub code: &'static str,
    pub script: Script,
    /// The crate `lingua-NAME-language-model` with its n-grams; empty if there is no reliable
    /// crate.
    pub lingua: &'static str,
    /// The weight of the language's own texts (interface texts, sentences) in its counts, from 0
    /// to 1. The rest comes from the crate.
    pub texts: f32,
    /// The weights of other languages, for a language with few texts and no crate. Words that it
    /// shares with them are known from there.
    pub relatives: &'static [(&'static str, f32)],
    /// The weight to begin with, in natural logarithms: how much more often the language occurs
    /// than similar ones.
    pub start: f32,
}

/// The weight of interface texts where a crate has the language too.
const TEXTS: f32 = 0.15;

const fn from_crate(code: &'static str, script: Script, lingua: &'static str) -> Recipe {
    Recipe { code, script, lingua, texts: TEXTS, relatives: &[], start: 0.0 }
}

const fn from_texts(
    code: &'static str,
    script: Script,
    relatives: &'static [(&'static str, f32)],
) -> Recipe {
    Recipe { code, script, lingua: "", texts: 1.0, relatives, start: 0.0 }
}

/// Returns the recipe of a language that its script decides alone.
const fn alone(code: &'static str, script: Script) -> Recipe {
    Recipe { code, script, lingua: "", texts: 0.0, relatives: &[], start: 0.0 }
}

use Script::{
    Arab, Armn, Beng, Cyrl, Deva, Ethi, Geor, Grek, Gujr, Guru, Hebr, Khmr, Knda, Laoo, Latn, Mlym,
    Mymr, Orya, Sinh, Taml, Telu, Thaa, Thai, Tibt,
};

/// All languages, grouped by script. Relatives come before the languages that need them.
pub const RECIPES: &[Recipe] = &[
    from_crate("afr", Latn, "afrikaans"),
    from_crate("aze", Latn, "azerbaijani"),
    from_crate("bos", Latn, "bosnian"),
    from_crate("cat", Latn, "catalan"),
    from_crate("ces", Latn, "czech"),
    from_crate("cym", Latn, "welsh"),
    from_crate("dan", Latn, "danish"),
    from_crate("deu", Latn, "german"),
    from_crate("eng", Latn, "english"),
    from_crate("epo", Latn, "esperanto"),
    from_crate("est", Latn, "estonian"),
    from_crate("eus", Latn, "basque"),
    from_crate("fin", Latn, "finnish"),
    from_crate("fra", Latn, "french"),
    from_crate("gle", Latn, "irish"),
    from_crate("hrv", Latn, "croatian"),
    from_crate("hun", Latn, "hungarian"),
    // Most sentences of the crate `malay` are Indonesian, so Malay is counted from texts and
    // Indonesian.
    Recipe { texts: 0.5, start: 3.0, ..from_crate("ind", Latn, "indonesian") },
    from_crate("isl", Latn, "icelandic"),
    from_crate("ita", Latn, "italian"),
    from_crate("lat", Latn, "latin"),
    from_crate("lav", Latn, "latvian"),
    from_crate("lit", Latn, "lithuanian"),
    from_crate("lug", Latn, "ganda"),
    from_crate("mri", Latn, "maori"),
    from_texts("msa", Latn, &[("ind", 0.4)]),
    from_crate("nld", Latn, "dutch"),
    from_crate("nno", Latn, "nynorsk"),
    from_crate("nob", Latn, "bokmal"),
    from_crate("pol", Latn, "polish"),
    from_crate("por", Latn, "portuguese"),
    from_crate("ron", Latn, "romanian"),
    from_crate("slk", Latn, "slovak"),
    from_crate("slv", Latn, "slovene"),
    from_crate("sna", Latn, "shona"),
    from_crate("som", Latn, "somali"),
    from_crate("sot", Latn, "sotho"),
    from_crate("spa", Latn, "spanish"),
    from_crate("sqi", Latn, "albanian"),
    from_crate("swa", Latn, "swahili"),
    from_crate("swe", Latn, "swedish"),
    from_crate("tgl", Latn, "tagalog"),
    from_crate("tsn", Latn, "tswana"),
    from_crate("tso", Latn, "tsonga"),
    from_crate("tur", Latn, "turkish"),
    from_crate("vie", Latn, "vietnamese"),
    from_crate("xho", Latn, "xhosa"),
    from_crate("yor", Latn, "yoruba"),
    from_crate("zul", Latn, "zulu"),
    from_texts("glg", Latn, &[("por", 0.15), ("spa", 0.15)]),
    from_texts("uzb", Latn, &[("tur", 0.1)]),
    from_crate("bel", Cyrl, "belarusian"),
    from_crate("bul", Cyrl, "bulgarian"),
    from_crate("kaz", Cyrl, "kazakh"),
    from_crate("mkd", Cyrl, "macedonian"),
    from_crate("mon", Cyrl, "mongolian"),
    from_crate("rus", Cyrl, "russian"),
    from_crate("srp", Cyrl, "serbian"),
    from_crate("ukr", Cyrl, "ukrainian"),
    from_texts("kir", Cyrl, &[("kaz", 0.2)]),
    from_crate("ara", Arab, "arabic"),
    from_crate("fas", Arab, "persian"),
    from_crate("urd", Arab, "urdu"),
    from_texts("ckb", Arab, &[]),
    from_crate("hin", Deva, "hindi"),
    from_crate("mar", Deva, "marathi"),
    from_texts("nep", Deva, &[("hin", 0.2)]),
    from_crate("ben", Beng, "bengali"),
    from_texts("asm", Beng, &[("ben", 0.2)]),
    alone("ell", Grek),
    alone("hye", Armn),
    alone("heb", Hebr),
    alone("kat", Geor),
    alone("tha", Thai),
    alone("lao", Laoo),
    alone("mya", Mymr),
    alone("khm", Khmr),
    alone("amh", Ethi),
    alone("pan", Guru),
    alone("guj", Gujr),
    alone("ori", Orya),
    alone("tam", Taml),
    alone("tel", Telu),
    alone("kan", Knda),
    alone("mal", Mlym),
    alone("sin", Sinh),
    alone("bod", Tibt),
    alone("div", Thaa),
];
