//! Distinguishes Chinese, Cantonese, Japanese and Korean by their characters.

use super::scratch::Scratch;
use super::script::Script;

/// Characters of everyday words that differ between simplified and traditional Chinese, pair by
/// pair.
const PAIRS: &str = "们們这這个個国國来來为為说說时時会會对對发發学學过過还還没沒开開关關长長见見现現问問间間门門马馬车車东東书書话話语語让讓\
认認识識经經给給网網业業产產动動务務员員实實应應当當总總报報无無机機权權条條样樣气氣济濟热熱电電点點种種线線结結统統与與义義头頭题題风風飞飛\
万萬专專两兩严嚴区區华華单單卖賣号號听聽图圖团團场場处處备備复復够夠妈媽将將层層岁歲师師带帶帮幫广廣庆慶库庫张張强強录錄态態战戰户戶护護担擔\
择擇据據换換数數断斷显顯术術杀殺极極标標树樹检檢欢歡汉漢决決况況温溫满滿灭滅灯燈灵靈爱愛状狀独獨环環画畫监監盘盤确確礼禮离離积積称稱穷窮\
笔筆类類紧緊约約级級纪紀纸紙细細终終绍紹组組织織继繼续續维維绿綠联聯职職脑腦节節艺藝药藥获獲虽雖虑慮营營补補观觀规規视視览覽计計订訂记記讨討\
训訓议議证證评評试試该該请請诉訴读讀课課调調谁誰谈談谢謝负負财財责責败敗货貨质質费費资資赛賽转轉轻輕较較输輸边邊达達运運进進远遠连連选選适適\
邮郵释釋钟鐘钱錢铁鐵银銀错錯随隨难難静靜页頁项項须須预預领領颜顏饭飯馆館驾駕验驗鱼魚鸟鳥齐齊龙龍";

/// Characters of everyday words of written Cantonese that are rare in standard Chinese.
const CANTONESE: &str = "嘅喺咗唔佢哋嚟冇啲嘢嗰咁噉乜諗咩";

/// The first and last character that can have a mark.
const FIRST_MARKED: u32 = 0x4E00;
const LAST_MARKED: u32 = 0x9FFF;

const SIMPLIFIED_MARK: u8 = 1;
const TRADITIONAL_MARK: u8 = 2;
const CANTONESE_MARK: u8 = 3;

/// The marks of Chinese characters.
#[derive(Debug)]
pub(super) struct Han {
    marks: Box<[u8]>,
}

/// A decision about a text of Chinese characters, kana or Hangul.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decision {
    pub(super) code: [u8; 3],
    pub(super) script: [u8; 4],
    /// Probability that it is right, by the characters alone.
    pub(super) likely: f32,
}

impl Han {
    pub(super) fn new() -> Han {
        let mut marks = vec![0; (LAST_MARKED - FIRST_MARKED + 1) as usize].into_boxed_slice();
        let mut mark = |character: char, mark: u8| {
            if let Some(entry) =
                marks.get_mut((character as usize).wrapping_sub(FIRST_MARKED as usize))
            {
                *entry = mark;
            }
        };
        PAIRS.chars().enumerate().for_each(|(index, character)| {
            mark(character, if index % 2 == 0 { SIMPLIFIED_MARK } else { TRADITIONAL_MARK });
        });
        CANTONESE.chars().for_each(|character| mark(character, CANTONESE_MARK));
        Han { marks }
    }

    /// Counts a Chinese character.
    #[inline]
    pub(super) fn count(&self, character: char, scratch: &mut Scratch) {
        match self.marks.get((character as usize).wrapping_sub(FIRST_MARKED as usize)) {
            Some(&SIMPLIFIED_MARK) => scratch.simplified += 1,
            Some(&TRADITIONAL_MARK) => scratch.traditional += 1,
            Some(&CANTONESE_MARK) => scratch.cantonese += 1,
            _ => {}
        }
    }
}

/// Decides by the counts of a text. The thresholds were set on pages and sentences of the three
/// languages. Japanese prose is at least a third kana, and its headlines a tenth. Chinese pages
/// that name Japanese brands are less than a twentieth kana. In written Cantonese a fortieth are
/// its own characters.
pub(super) fn decide(scratch: &Scratch) -> Decision {
    let count = |script: Script| scratch.letters[script as usize] as f32;
    let (han, kana, hangul) = (count(Script::Hani), count(Script::Kana), count(Script::Hang));
    let all_letters = (han + kana + hangul).max(1.0);
    let certain = all_letters / (all_letters + 1.0);
    if hangul > 0.3 * all_letters && hangul >= kana {
        return Decision { code: *b"kor", script: *b"Kore", likely: certain };
    }
    if kana > 0.06 * (han + kana) {
        return Decision { code: *b"jpn", script: *b"Jpan", likely: certain };
    }
    let script = match (scratch.simplified, scratch.traditional) {
        (simple, full) if simple > full => *b"Hans",
        (simple, full) if full > simple => *b"Hant",
        _ => *b"Hani",
    };
    let cantonese = scratch.cantonese as f32;
    if cantonese >= 2.0 && cantonese >= 0.025 * han {
        let likely = certain * (0.5 + 10.0 * cantonese / han).min(1.0);
        return Decision { code: *b"yue", script, likely };
    }
    // A few Chinese characters can also be a Japanese headline.
    let likely = if scratch.simplified > 0 { certain } else { certain * han / (han + 2.0) };
    Decision { code: *b"zho", script, likely }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_pairs_of_different_characters() {
        let characters: Vec<char> = PAIRS.chars().collect();
        assert!(characters.len().is_multiple_of(2));
        let mut sorted = characters.clone();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]), "a character stands twice");
        assert!(
            characters
                .iter()
                .all(|&character| (FIRST_MARKED..=LAST_MARKED).contains(&u32::from(character)))
        );
    }
}
