//! The codes of languages: those of ISO 639-1 and of ISO 639-3.

/// The codes of ISO 639-1, each with that of ISO 639-3.
const TWO_LETTERS: &str = "\
    aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel \
    bgbul bibis bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu \
    cvchv cycym dadan dedeu dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas \
    ffful fifin fjfij fofao frfra fyfry gagle gdgla glglg gngrn guguj gvglv hahau heheb \
    hihin hohmo hrhrv hthat huhun hyhye hzher iaina idind ieile igibo iiiii ikipk ioido \
    isisl itita iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor \
    krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ltlit lulub \
    lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob ndnde \
    nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ococi ojoji omorm orori ososs papan \
    pipli plpol pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd sesme \
    sgsag shhbs sisin skslk slslv smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe \
    swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur tstso tttat twtwi \
    tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha \
    zhzho zuzul";

/// Languages of ISO 639-3 that programs name by the code of two letters of a group that has them.
/// `GlotLID` has the first code where `lid.176` and `CCNet` have the second.
const OF_GROUPS: [(&str, &str); 17] = [
    ("als", "sq"),
    ("arb", "ar"),
    ("azj", "az"),
    ("cmn", "zh"),
    ("ekk", "et"),
    ("gaz", "om"),
    ("khk", "mn"),
    ("kmr", "ku"),
    ("lvs", "lv"),
    ("nob", "no"),
    ("npi", "ne"),
    ("ory", "or"),
    ("pbt", "ps"),
    ("pes", "fa"),
    ("swh", "sw"),
    ("uzn", "uz"),
    ("zsm", "ms"),
];

/// Returns the code of three letters of a code of two. A code of another length is returned as it
/// is. `None` if ISO 639-1 does not have the code.
pub(super) fn iso_639_3(code: &str) -> Option<&str> {
    if code.len() != 2 {
        return Some(code);
    }
    TWO_LETTERS.split(' ').find_map(|pair| pair.strip_prefix(code).filter(|_| code.is_ascii()))
}

/// Returns the names that files of models may have for a language of ISO 639-3, the best first.
/// They are the code itself, its code of two letters, and that of a group of languages.
pub(crate) fn names_in_files(code: &str) -> impl Iterator<Item = &str> {
    let two_letters = TWO_LETTERS.split(' ').find_map(|pair| pair.strip_suffix(code));
    let two_letters = two_letters.filter(|name| name.len() == 2);
    let of_group = OF_GROUPS.iter().find(|(language, _)| *language == code);
    [Some(code), two_letters, of_group.map(|(_, name)| *name)].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_the_names_of_ccnet() {
        assert!(TWO_LETTERS.split(' ').all(|pair| pair.len() == 5));
        let names = |code| names_in_files(code).collect::<Vec<_>>();
        assert_eq!(names("deu"), ["deu", "de"]);
        assert_eq!(names("cmn"), ["cmn", "zh"]);
        assert_eq!(names("nob"), ["nob", "nb", "no"]);
        assert_eq!(names("ceb"), ["ceb"]);
        assert_eq!(names(""), [""]);
        assert_eq!((iso_639_3("de"), iso_639_3("xx"), iso_639_3("é")), (Some("deu"), None, None));
    }
}
