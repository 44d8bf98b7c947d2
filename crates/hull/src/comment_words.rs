//! The words by which lines around comments are known: dates, notes, labels of forms, headings.
//!
//! Lines are given in small letters, with single spaces.

/// Whether a line has a date, a time of day, or how long ago something was.
pub(crate) fn has_date(line: &str) -> bool {
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return SINCE_DAYS.iter().any(|day| has_word(line, day));
    }
    has_numbers(line) || has_month(line) || AGO.iter().any(|ago| has_word(line, ago))
}

/// Words for a day that is near, and for moments.
const SINCE_DAYS: &[&str] = &[
    "yesterday", "today", "just now", "a day ago", "an hour ago", "a week ago", "a month ago",
    "a year ago", "gestern", "heute", "hier à", "ayer", "ontem", "вчера", "сегодня", "昨天", "今天",
];

/// Words that, beside a number, say how long ago something was.
const AGO: &[&str] = &[
    "ago", "vor", "il y a", "hace", "há", "fa", "geleden", "sedan", "siden", "temu", "önce",
    "yesterday", "today", "gestern", "heute", "назад", "вчера", "сегодня", "前", "전", "昨天",
    "今天",
];

/// How names of months begin, in the languages that write them in letters.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär",
    "mai", "okt", "dez", "fév", "fev", "avr", "juin", "juil", "aoû", "déc", "ene", "abr", "ago",
    "set", "out", "dic", "gen", "mag", "giu", "lug", "ott", "mrt", "mei", "maj", "янв", "фев",
    "мар", "апр", "мая", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек", "sty", "lut",
    "kwi", "cze", "lip", "sie", "wrz", "paź", "lis", "gru", "oca", "şub", "nis", "haz", "tem",
    "ağu", "eyl", "eki", "kas", "ara",
];

/// A name of a month has at most so many letters.
const LONGEST_MONTH: usize = 10;

/// Whether a number stands beside the name of a month.
fn has_month(line: &str) -> bool {
    let is_number = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
        (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_month = |word: &str| {
        let letters = word.chars().count();
        letters <= LONGEST_MONTH && MONTHS.iter().any(|month| word.starts_with(month))
    };
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut before = words.next().unwrap_or_default();
    words.any(|word| {
        let is_date =
            is_month(before) && is_number(word) || is_number(before) && is_month(word);
        before = word;
        is_date
    })
}

/// Whether a line has a date or a time of day in numbers.
fn has_numbers(line: &str) -> bool {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let (first, after) = number(bytes, at);
        let mark = bytes.get(after).copied().unwrap_or_default();
        if line[after..].starts_with(['年', '月', '년', '월']) && first <= 4 {
            return true;
        }
        if matches!(mark, b'.' | b'/' | b'-' | b':' | b'h') {
            let (second, end) = number(bytes, after + 1);
            let is_time = first <= 2 && second == 2;
            if is_time && matches!(mark, b':' | b'h') {
                return true;
            }
            let (third, _) = number(bytes, end + 1);
            let is_date = matches!((first, second, third), (4, 1..=2, 1..=2) | (1..=2, 1..=2, 2 | 4));
            if is_date && bytes.get(end) == Some(&mark) {
                return true;
            }
        }
        at = after;
    }
    false
}

/// How many digits stand at an offset, and the offset after them.
fn number(bytes: &[u8], at: usize) -> (usize, usize) {
    let rest = bytes.get(at..).unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits, at + digits)
}

/// Whether a line has a word or words: as a whole where words have spaces between them.
fn has_word(line: &str, word: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let is_spaced = is_spaced(word);
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !is_spaced || !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    })
}

/// Whether a word is of a script with spaces between words.
fn is_spaced(word: &str) -> bool {
    word.chars().all(|c| c < '\u{1100}')
}

/// The last word before a comment, where the line is a sentence: "Ann said:".
const SAID: &[&str] = &[
    "said", "says", "wrote", "writes", "sagt", "sagte", "schrieb", "schreibt", "meint", "dit",
    "écrit", "dijo", "dice", "escribió", "disse", "diz", "detto", "scrive", "ha scritto", "zegt",
    "schreef", "säger", "skriver", "sier", "siger", "pisze", "napisał", "dedi", "diyor", "пишет",
    "сказал", "говорит", "より", "说", "說",
];

/// Whether a line states who wrote the text after it.
pub(crate) fn is_said(line: &str) -> bool {
    let line = line.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_last = |said: &&str| {
        let name = line.strip_suffix(*said).unwrap_or_default();
        name.ends_with(' ') || !said.is_ascii() && !name.is_empty() && !is_spaced(said)
    };
    SAID.iter().any(|said| is_last(said))
        || line.strip_prefix("posted by").is_some_and(|name| name.chars().any(char::is_alphanumeric))
}

/// What the link to answer a comment is called.
const REPLY: &[&str] = &[
    "reply", "reply to this", "reply to this comment", "antworten", "antwort", "répondre",
    "responder", "rispondi", "beantwoorden", "reageer", "svara", "svar", "odpowiedz", "cevapla",
    "ответить", "返信", "返信する", "回复", "回覆", "回應", "답글", "flag", "report", "permalink",
    "link to this comment",
];

/// Whether a line is the link to answer a comment, or to report one.
pub(crate) fn is_reply(line: &str) -> bool {
    let line = line.trim_matches(|c: char| !c.is_alphanumeric());
    REPLY.contains(&line)
}

/// Parts of what forms and services state about comments.
const NOTES: &[&str] = &[
    // English
    "leave a", "leave your", "leave us", "leave reply", "post a", "post your", "post comment", "add a ", "add your", "add comment", "add one",
    "write a ", "write your", "submit a", "submit your", "make a comment", "give us your", "join the", "join in", "have your say",
    "speak your", "what do you think", "let us know", "tell us", "cancel reply", "click here", "email address", "e-mail address",
    "your email", "your e-mail", "your name", "not be published", "not be displayed", "not be shown", "never made public", "required field", "required)", "(optional",
    "log in", "login", "logged in", "sign in", "signed in", "sign up", "register", "an account", "be the first", "no comment", "0 comment",
    "(0)", "0 responses", "0 replies", "no responses", "no replies", "not yet been", "comments are", "comment is", "comments closed",
    "comments off", "comments on this", "comments for this", "comments have been", "comments will", "comments must", "commenting",
    "closed for", "disabled", "turned off", "not enabled", "javascript", "powered by", "html tag", "html allowed", "save my name",
    "notify me", "notify of", "notifications", "subscrib", "loading", "moderat", "spam", "akismet", "preview", "error", "could not be",
    "thank you for your", "thanks for your", "characters", "captcha", "verification", "newest", "oldest", "most recent", "sort by",
    "filter by", "view all", "view comments", "show comments", "hide comments", "show more", "load more", "see all", "read all", "guidelines", "terms of",
    "privacy", "policy", "responsible for", "do not represent", "report abuse", "gravatar", "trackback", "pingback", "rss", "feed", "connect with", "continue with",
    "comment as", "commented as", "comments via", "facebook", "disqus", "you must", "you may use", "you can use", "you need to", "please ", "respectful",
    "recent comments", "popular comments", "top comments", "all comments", "share your", "start a", "start the", "ask a question", "rate this",
    // German
    "schreib", "kommentar verfassen", "kommentar hinterlassen", "kommentar abgeben", "kommentieren", "hinterlasse", "hinterlassen", "keine kommentare",
    "noch keine", "0 kommentare", "kommentar absenden", "e-mail-adresse", "erforderlich", "pflichtfeld", "anmelden", "angemeldet", "einloggen",
    "eingeloggt", "registrier", "abbrechen", "benachrichtig", "geschlossen", "diskutieren sie", "ihre meinung", "deine meinung", "veröffentlicht", "abonnier",
    // French
    "laisser un", "laissez un", "ajouter un", "ajoutez", "écrire un", "poster un", "publier un", "votre commentaire", "votre adresse", "adresse e-mail", "obligatoire",
    "connecte", "connecté", "s'inscrire", "inscrivez", "soyez le premier", "aucun commentaire", "pas de commentaire", "0 commentaire", "fermés",
    "annuler", "réagir", "réagissez", "donnez votre",
    // Spanish, Portuguese, Italian
    "deja un", "dejar un", "deja tu", "escribe", "añadir un", "añade", "publicar un", "correo electrónico", "obligatorio", "sé el primero", "sea el primero",
    "sin comentarios", "no hay comentarios", "0 comentarios", "iniciar sesión", "inicia sesión", "regístr", "registrar", "cancelar", "cerrados",
    "deixe um", "deixe o", "deixe seu", "enviar um", "enviar comentário", "endereço de e", "obrigatório", "seja o primeiro", "nenhum comentário",
    "sem comentários", "faça login", "0 comentários", "encerrados", "lascia un", "scrivi un", "aggiungi un", "invia commento", "indirizzo", "obbligator",
    "accedi", "nessun commento", "0 commenti", "per primo", "annulla", "commenti chiusi",
    // Dutch, Nordic, Polish, Turkish
    "geef een", "laat een", "plaats een", "reactie plaatsen", "geen reacties", "0 reacties", "e-mailadres", "vereiste", "verplicht", "inloggen", "ingelogd", "annuleren",
    "lämna ett", "skriv en", "inga kommentarer", "ingen kommentarer", "e-postadress", "obligatorisk", "logga in", "logg inn", "log ind",
    "dodaj komentarz", "skomentuj", "brak komentarzy", "adres e-mail", "wymagane", "zaloguj", "anuluj", "bir yanıt", "yorum yap", "yorum yaz", "yorum yok", "e-posta", "giriş yap",
    // Russian
    "добавить", "оставить", "оставьте", "напишите", "написать", "войдите", "войти", "зарегистр", "обязательн", "нет комментари", "комментариев нет", "ваш комментарий", "отменить",
    "адрес email", "не будет опубликован", "авториз",
    // Japanese, Chinese, Korean
    "コメントを残す", "コメントする", "コメントを書", "コメントを投稿", "コメントはありません", "コメントはまだ", "コメントがありません", "メールアドレス", "ログイン", "必須", "公開されません", "キャンセル",
    "コメントはできません", "受け付けていません", "发表", "發表", "登录", "登入", "登錄", "注册", "註冊", "暂无", "暫無", "尚無", "没有评论", "沒有評論", "沒有留言", "电子邮箱", "電子郵件", "邮箱", "必填", "取消", "抢沙发",
    "我来说", "我要评论", "写评论", "网友评论仅供", "댓글을 남", "댓글 쓰기", "댓글 남기기", "댓글이 없", "첫 댓글", "로그인", "이메일", "필수",
];

/// Labels of the fields of forms.
const LABELS: &[&str] = &[
    "name", "email", "e-mail", "mail", "website", "web site", "url", "title", "subject", "comment", "message", "text", "your comment",
    "homepage", "location", "submit", "send", "like", "share", "cancel", "edit", "delete", "close", "betreff", "nachricht", "nom", "site web",
    "site internet", "courriel", "nombre", "web", "nome", "sito web", "naam", "bericht", "namn", "webbplats", "navn", "imię", "isim", "имя", "сайт", "почта", "名前", "サイト", "ウェブサイト", "姓名", "昵称", "暱稱", "网址", "網站", "网站", "用户名",
    "标题", "内容", "이름", "웹사이트", "posted by", "guest", "anonymous", "δ", "or", "and", "none",
];

/// Whether a line asks for a comment, labels a field of a form, or states something about comments.
pub(crate) fn is_note(line: &str) -> bool {
    let label = line.trim_matches(|c: char| !c.is_alphanumeric());
    LABELS.contains(&label) || NOTES.iter().any(|note| line.contains(note))
}

/// Words for comments, as they begin.
const COMMENTS: &[&str] = &[
    "comment", "response", "replies", "discussion", "thoughts on", "reader", "feedback", "kommentar", "gedanke", "antworten",
    "diskussion", "commentaire", "réaction", "réponse", "avis", "comentario", "comentário", "respuesta", "opiniones", "commenti", "commento", "risposte", "reactie",
    "komentar", "yorum", "комментари", "коммент", "отзыв", "コメント", "件のコメント", "评论", "評論", "留言", "回复", "回應", "댓글", "의견",
];

/// Whether a short line names comments or counts them.
pub(crate) fn is_heading(line: &str) -> bool {
    COMMENTS.iter().any(|word| line.contains(word))
}

/// Parts of the classes of elements with a name or a date in a line.
const NAME_CLASSES: &[&str] = &[
    "author", "user", "name", "date", "time", "byline", "poster", "vcard", "commenter", "nick", "published", "created",
];

/// Whether the class or `itemprop` of an element says that it is a name or a date.
pub(crate) fn is_name_class(class: &str) -> bool {
    /// Bytes; longer values say too much.
    const LONGEST: usize = 80;
    let class = class.get(..LONGEST.min(class.len())).unwrap_or_default().to_ascii_lowercase();
    NAME_CLASSES.iter().any(|name| class.contains(name)) || class.split_whitespace().any(|word| word == "fn")
}
