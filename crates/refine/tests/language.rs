//! The identifier of languages with the tables that ship: what it finds, what it leaves alone, and
//! what it costs.

use huller_refine::language::{
    IdentifiedLanguage, Identifier, LanguageModelError, MAX_WHOLE_BYTES, Scratch,
};
use huller_testkit::allocations::{CountingAllocator, count};
use huller_testkit::{needs_shared, shared};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn identify(text: &str) -> Option<IdentifiedLanguage> {
    Identifier::built_in().identify(text, &mut Scratch::default())
}

/// Language and script, or blanks for `None`.
fn tags(text: &str) -> (String, String) {
    identify(text)
        .map_or_else(Default::default, |found| (found.code.to_string(), found.script.to_string()))
}

/// Sentences written for this test.
const SENTENCES: [(&str, &str, &str); 44] = [
    ("eng", "Latn", "The river rose by two metres after a week of rain."),
    ("deu", "Latn", "Nach einer Woche Regen stieg der Fluss um zwei Meter."),
    ("nld", "Latn", "Na een week regen steeg de rivier met twee meter."),
    ("fra", "Latn", "Après une semaine de pluie, la rivière a monté de deux mètres."),
    ("spa", "Latn", "Después de una semana de lluvia, el río subió dos metros."),
    ("por", "Latn", "Depois de uma semana de chuva, o rio subiu dois metros."),
    ("ita", "Latn", "Dopo una settimana di pioggia il fiume è salito di due metri."),
    ("cat", "Latn", "Després d'una setmana de pluja, el riu va pujar dos metres."),
    ("ron", "Latn", "După o săptămână de ploaie, râul a crescut cu doi metri."),
    ("pol", "Latn", "Po tygodniu deszczu rzeka podniosła się o dwa metry."),
    ("ces", "Latn", "Po týdnu deště stoupla hladina řeky o dva metry."),
    ("slk", "Latn", "Po týždni dažďa stúpla hladina rieky o dva metre."),
    ("slv", "Latn", "Po tednu dežja se je reka dvignila za dva metra."),
    ("hun", "Latn", "Egy hét eső után a folyó két métert emelkedett."),
    ("fin", "Latn", "Viikon sateen jälkeen joki nousi kaksi metriä."),
    ("est", "Latn", "Pärast nädalast vihma tõusis jõgi kaks meetrit."),
    ("swe", "Latn", "Efter en vecka med regn steg floden två meter."),
    ("dan", "Latn", "Efter en uge med regn er floden steget to meter, og byen har lukket broen."),
    ("isl", "Latn", "Eftir viku af rigningu hækkaði áin um tvo metra."),
    ("tur", "Latn", "Bir haftalık yağmurdan sonra nehir iki metre yükseldi."),
    ("vie", "Latn", "Sau một tuần mưa, nước sông dâng lên hai mét."),
    (
        "ind",
        "Latn",
        "Setelah hujan selama seminggu, karena tanggul jebol, air sungai naik dua meter dan kota itu kebanjiran.",
    ),
    (
        "msa",
        "Latn",
        "Selepas hujan selama seminggu, air sungai naik dua meter kerana empangan pecah, kata pegawai itu bahawa penduduk boleh pulang.",
    ),
    ("lit", "Latn", "Po savaitės lietaus upė pakilo du metrus."),
    ("lav", "Latn", "Pēc nedēļas lietus upe pacēlās par diviem metriem."),
    ("rus", "Cyrl", "После недели дождей река поднялась на два метра."),
    ("ukr", "Cyrl", "Після тижня дощів річка піднялася на два метри."),
    ("bul", "Cyrl", "След седмица дъжд реката се покачи с два метра."),
    ("ara", "Arab", "بعد أسبوع من المطر ارتفع النهر مترين"),
    ("fas", "Arab", "پس از یک هفته باران، آب رودخانه دو متر بالا آمد"),
    ("urd", "Arab", "ایک ہفتے کی بارش کے بعد دریا دو میٹر بلند ہو گیا"),
    ("hin", "Deva", "एक सप्ताह की बारिश के बाद नदी दो मीटर बढ़ गई"),
    ("ben", "Beng", "এক সপ্তাহ বৃষ্টির পর নদী দুই মিটার বেড়েছে"),
    ("ell", "Grek", "Μετά από μια εβδομάδα βροχής το ποτάμι ανέβηκε δύο μέτρα."),
    ("heb", "Hebr", "אחרי שבוע של גשם עלה הנהר בשני מטרים"),
    ("hye", "Armn", "Մեկ շաբաթ անձրևից հետո գետը բարձրացավ երկու մետրով"),
    ("kat", "Geor", "ერთკვირიანი წვიმის შემდეგ მდინარე ორი მეტრით აიწია"),
    ("tha", "Thai", "หลังฝนตกหนึ่งสัปดาห์แม่น้ำสูงขึ้นสองเมตร"),
    ("tam", "Taml", "ஒரு வார மழைக்குப் பிறகு ஆறு இரண்டு மீட்டர் உயர்ந்தது"),
    ("kor", "Kore", "일주일 동안 비가 온 뒤 강물이 2미터 불어났다."),
    ("jpn", "Jpan", "一週間の雨の後、川の水位が二メートル上がった。"),
    ("zho", "Hans", "下了一个星期的雨以后，河水上涨了两米，城里关闭了桥。"),
    ("zho", "Hant", "下了一個星期的雨以後，河水上漲了兩米，城裡關閉了橋。"),
    ("yue", "Hant", "落咗一個禮拜雨之後，條河嘅水高咗兩米，我哋唔過得去。"),
];

#[test]
fn sentences_have_their_language_and_script() {
    for (language, script, text) in SENTENCES {
        assert_eq!(tags(text), (language.to_owned(), script.to_owned()), "{text}");
        let score = identify(text).unwrap().score;
        assert!(score > 0.5 && score <= 1.0, "{score} {text}");
    }
}

#[test]
fn three_words_are_enough_for_a_guess() {
    for (language, text) in
        [("eng", "the old house"), ("deu", "das alte Haus"), ("fra", "la vieille maison")]
    {
        assert_eq!(tags(text).0, language);
    }
}

#[test]
fn what_is_no_language_has_none() {
    let code =
        "fn main() {\n    let x = vec![1, 2];\n    for i in x.iter() { println!(\"{}\", i); }\n}\n";
    let script =
        "if (a === b) { foo(a, b); } else { bar_baz(a); }\nvar c = {x: 1, y: 2};\nreturn c.x;\n";
    let addresses = "https://example.com/a/b?c=d www.example.org/path me@example.com";
    for text in [
        "",
        " ",
        "\n\n",
        "1234567890",
        "12.5 % 3/4 -17 €",
        "!?... --- ***",
        "ab",
        addresses,
        code,
        script,
        "\0\0\0",
        "😀😀😀",
    ] {
        assert_eq!(identify(text), None, "{text:?}");
    }
}

#[test]
fn the_script_with_most_letters_decides() {
    assert_eq!(
        tags("Die neuen Filme laufen bei Яндекс und ВКонтакте schon seit der letzten Woche.").0,
        "deu"
    );
    assert_eq!(tags("Новые фильмы Netflix и Apple вышли на этой неделе по всей стране.").0, "rus");
    assert_eq!(tags("新しいiPhoneとMacBookが来週発売されます。").0, "jpn");
    let alone = identify("Новые фильмы вышли на этой неделе по всей стране.").unwrap();
    let mixed =
        identify("Новые фильмы вышли на этой неделе. The new films came out this week everywhere.")
            .unwrap();
    assert!(mixed.score < 0.65 && alone.score > 0.9, "{} {}", mixed.score, alone.score);
}

#[test]
fn addresses_and_names_with_digits_do_not_matter() {
    let text = "Der Regen fällt auf die Dächer";
    let noise = "https://www.example.com/the/and/of/with/which ";
    assert_eq!(identify(&format!("{noise}{text} user_name@example.com")), identify(text));
}

#[test]
fn words_in_another_language_at_one_end_do_not_decide() {
    let menu = "Home About us Contact Privacy policy Terms of use Sign in Register ".repeat(4);
    let article =
        "Nach einer Woche Regen stieg der Fluss um zwei Meter, sagte die Feuerwehr am Montag. "
            .repeat(20);
    assert_eq!(tags(&format!("{menu}{article}")).0, "deu");
    assert_eq!(tags(&format!("{article}{menu}")).0, "deu");
}

#[test]
fn hostile_texts_are_bounded() {
    let mut scratch = Scratch::default();
    let identifier = Identifier::built_in();
    let large = 100 << 20;
    let mut random = 1u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let noise: String =
        (0..1 << 20).filter_map(|_| char::from_u32(next() as u32 % 0x11_0000)).collect();
    let texts = [
        "a".repeat(large),
        "語".repeat(large / 3),
        " ".repeat(large),
        "a ".repeat(large / 2),
        "\u{301}".repeat(large / 2),
        noise,
    ];
    for text in &texts {
        let start = std::time::Instant::now();
        let found = identifier.identify(text, &mut scratch);
        // Unoptimised and on a busy machine; the text alone takes ten times longer to write.
        assert!(start.elapsed().as_millis() < 50);
        assert!(found.is_none_or(|found| (0.0..=1.0).contains(&found.score)), "{found:?}");
    }
    assert_eq!(identifier.identify(&texts[0], &mut scratch), None);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..next() % 300).flat_map(|_| next().to_le_bytes()).collect();
        for chunk in bytes.utf8_chunks() {
            let score =
                identifier.identify(chunk.valid(), &mut scratch).map_or(0.0, |found| found.score);
            assert!((0.0..=1.0).contains(&score));
        }
    }
}

#[test]
fn random_letters_have_a_low_score() {
    let mut seed = 7u64;
    let mut letter = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (b'a' + ((seed >> 33) % 26) as u8) as char
    };
    let text: String = (0..400).map(|at| if at % 7 == 6 { ' ' } else { letter() }).collect();
    assert!(identify(&text).is_none_or(|found| found.score < 0.5), "{:?}", identify(&text));
}

#[test]
fn nothing_is_kept_from_text_to_text() {
    let mut scratch = Scratch::default();
    for (_, _, text) in SENTENCES.iter().chain(SENTENCES.iter().rev()) {
        assert_eq!(Identifier::built_in().identify(text, &mut scratch), identify(text));
    }
}

#[test]
fn identifying_allocates_nothing() {
    let mut scratch = Scratch::default();
    let identifier = Identifier::built_in();
    let texts: Vec<String> = SENTENCES
        .iter()
        .map(|(_, _, text)| text.repeat(2 * MAX_WHOLE_BYTES / text.len()))
        .collect();
    let before = count();
    for text in &texts {
        identifier.identify(text, &mut scratch);
    }
    assert_eq!(count() - before, 0);
}

#[test]
fn all_languages_are_named() {
    let languages: Vec<String> =
        Identifier::built_in().languages().iter().map(ToString::to_string).collect();
    assert!(languages.len() >= 90, "{}", languages.len());
    for (language, _, _) in SENTENCES {
        assert!(languages.iter().any(|known| known == language), "{language}");
    }
}

#[test]
fn damaged_tables_are_refused() {
    let tables = include_bytes!("../models/language.bin");
    let refusal = |bytes: &[u8]| Identifier::read(bytes).err();
    assert_eq!(refusal(tables), None);
    assert_eq!(refusal(b""), Some(LanguageModelError::NotAModel));
    assert_eq!(refusal(b"HULLLANG"), Some(LanguageModelError::Damaged("its header is cut off")));
    let mut newer = tables.to_vec();
    newer[8] = 9;
    assert_eq!(refusal(&newer), Some(LanguageModelError::Version(9)));
    for size in [39, 40, 1_000, tables.len() - 1] {
        assert!(matches!(refusal(&tables[..size]), Some(LanguageModelError::Damaged(_))), "{size}");
    }
    let longer = [&tables[..], b"\0"].concat();
    assert!(matches!(refusal(&longer), Some(LanguageModelError::Damaged(_))));
    // Every byte of the header and the languages, and some of the rest.
    for at in (0..1_200).chain((1_200..tables.len()).step_by(99_991)) {
        let mut damaged = tables.to_vec();
        damaged[at] ^= 0x10;
        assert!(Identifier::read(&damaged).is_err(), "byte {at}");
    }
}

needs_shared!(pages_have_the_language_of_their_gold);

/// The codes of two letters that the gold has.
const CODES: [(&str, &str); 12] = [
    ("en", "eng"),
    ("de", "deu"),
    ("zh", "zho"),
    ("ja", "jpn"),
    ("th", "tha"),
    ("fr", "fra"),
    ("es", "spa"),
    ("ko", "kor"),
    ("it", "ita"),
    ("pt", "por"),
    ("ru", "rus"),
    ("id", "ind"),
];

fn pages_have_the_language_of_their_gold() {
    let (mut right, mut all) = (0, 0);
    let mut scratch = Scratch::default();
    for set in huller_testkit::datasets::sets() {
        let file = std::fs::File::open(shared::path(&format!("datasets/dev/{set}.gold.jsonl.zst")))
            .expect("the gold opens");
        let gold = std::io::read_to_string(zstd::Decoder::new(file).expect("zstd")).expect("text");
        for line in gold.lines() {
            let page: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let (Some(text), Some(lang)) = (page["text"].as_str(), page["lang"].as_str()) else {
                continue;
            };
            let Some((_, code)) = CODES.iter().find(|(two, _)| *two == lang) else { continue };
            let found = Identifier::built_in().identify(text, &mut scratch);
            all += 1;
            right += usize::from(found.is_some_and(|found| found.code.as_str() == *code));
        }
    }
    assert!(all > 3_500, "{all} pages");
    assert!(right * 1_000 >= all * 997, "{right} of {all}");
}
