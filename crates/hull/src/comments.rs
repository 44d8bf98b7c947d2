//! Decides whether the comments of a page are a thread of its readers, and which blocks belong to
//! it.
//!
//! Class names do not prove that there are comments. They also mention comments in other places:
//! around the form to write one, around a note that there are none, and where a service would
//! insert them. A reader's comment is a text with a signature, that is, with a name or a date
//! directly before or after it. Two of these form a thread. One is enough below a heading that
//! counts comments or names them.
//!
//! Cost: O(blocks), with the first bytes of each block of comments.

use crate::blocks::{Block, Segmentation};
use crate::class_words;
use crate::comment_words as words;
use crate::regions::Regions;
use huller_page::{AttributeName, Page, Tag};

/// Only this many bytes at the beginning of a block are read.
const MAX_READ_BYTES: usize = 400;

/// A block with more words is a text, whatever it contains.
const MAX_LINE_WORDS: u32 = 12;

/// A block with at most this many scalars is a line too. In scripts without spaces each scalar is a
/// word.
const MAX_LINE_CHARS: usize = 24;

/// A line that begins with a number needs more words than a count such as "7 votes" to be a text.
const MIN_WORDS: u32 = 3;

/// Largest number of words of a note or a label.
const MAX_NOTE_WORDS: u32 = 60;

/// The part of a block in a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThreadPart {
    /// Names the comments that follow.
    Heading,
    /// Counts them.
    Count,
    /// States that there are none.
    Zero,
    /// The name of a reader, a date, or both.
    Signature,
    /// A short link, which may be a name.
    Link,
    Text,
    /// A text that begins with its signature.
    Signed,
    /// Asks for a comment, or states a fact about comments: part of the form, or of a service's
    /// display.
    Note,
    /// A text with words of a note: a note, unless it has a signature.
    LongNote,
    /// Has no part in the thread: controls, numbers.
    Other,
}

/// Buffers for the comments of a page, reused from page to page.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    /// The beginning of a block, in lower case.
    line: String,
    /// The blocks of the thread; empty if there is no thread.
    thread: Vec<u32>,
}

/// The signs of a thread so far.
#[derive(Clone, Copy, Debug, Default)]
struct ThreadSigns {
    has_heading: bool,
    /// Whether a heading counts the comments.
    has_count: bool,
    /// Whether a line states that there are no comments.
    has_zero: bool,
    /// Whether a text of the thread is long enough for a sentence.
    has_sentence: bool,
    /// Number of texts with a signature.
    signed: u32,
    /// Number of texts with a link that may be a name.
    linked: u32,
    /// Number of texts that look like the text before.
    alike: u32,
    /// Number of texts with a signature in an element for one comment.
    own: u32,
    /// The look of the last text.
    look: u32,
    /// The kind of the preceding signature or text, if it is not paired yet.
    open: Option<ThreadPart>,
}

/// Elements at most this many levels above a text belong to a single comment.
const MAX_COMMENT_LEVELS: u8 = 1;

/// Smallest number of words of a sentence.
const MIN_SENTENCE_WORDS: u32 = 4;

/// Returns whether a block ends like a sentence, or is longer than a heading.
fn ends_as_text(block: &Block) -> bool {
    block.words > MAX_LINE_WORDS || matches!(block.facts.last, b'.' | b'!' | b'?' | b')')
}

impl ThreadSigns {
    /// Adds a block. `is_stated` states whether its own element, or the one around it, names
    /// comments.
    fn add(&mut self, kind: ThreadPart, block: &Block, look: u32, is_stated: bool) {
        let is_text = matches!(kind, ThreadPart::Text | ThreadPart::Signed | ThreadPart::LongNote);
        let is_sentence = is_text && block.words >= MIN_SENTENCE_WORDS;
        match (self.open, kind) {
            (_, ThreadPart::Heading | ThreadPart::Count) => {
                self.has_heading = true;
                self.has_count |= kind == ThreadPart::Count;
                self.open = None;
            }
            (_, ThreadPart::Zero) => {
                self.has_zero = true;
                self.open = None;
            }
            (Some(ThreadPart::Signature), ThreadPart::LongNote) => self.pair(is_sentence, false),
            (_, ThreadPart::Signed)
            | (Some(ThreadPart::Text), ThreadPart::Signature)
            | (Some(ThreadPart::Signature), ThreadPart::Text) => self.pair(is_sentence, is_stated),
            (Some(ThreadPart::Link), ThreadPart::Text) if is_sentence && ends_as_text(block) => {
                self.linked += 1;
                self.has_sentence = true;
                self.open = None;
            }
            (Some(ThreadPart::Signature), ThreadPart::Link) | (_, ThreadPart::Other) => {}
            (_, ThreadPart::Note | ThreadPart::LongNote) => self.open = None,
            (_, kind) => self.open = Some(kind),
        }
        if kind == ThreadPart::Text && is_sentence {
            self.has_sentence = true;
            if is_stated && self.look == look {
                self.alike += 1;
            }
            self.look = look;
        }
    }

    fn pair(&mut self, is_sentence: bool, is_stated: bool) {
        self.signed += 1;
        self.own += u32::from(is_stated);
        self.has_sentence |= is_sentence;
        self.open = None;
    }

    fn is_thread(self) -> bool {
        let ThreadSigns {
            has_heading, has_count, has_sentence, signed, linked, alike, own, ..
        } = self;
        if self.has_zero && !has_count && signed < 2 {
            return false;
        }
        let counted = if has_count { signed + alike } else { 0 };
        let below_heading = if has_heading { linked + 2 * signed } else { 0 };
        counted > 0 || has_sentence && (signed + own).max(below_heading) >= 2
    }
}

impl Comments {
    /// Returns the blocks of the readers' comments among the blocks that are not taken, in document
    /// order. Returns an empty list if they are not a thread.
    pub(crate) fn find_comments(
        &mut self,
        page: &Page<'_>,
        blocks: &Segmentation,
        is_taken: &[bool],
    ) -> &[u32] {
        let Comments { line, thread } = self;
        thread.clear();
        let mut thread_signs = ThreadSigns::default();
        let other_comments =
            (0..is_taken.len()).filter(|block| !is_taken[*block] && blocks.is_comment(*block));
        for block in other_comments {
            let kind = thread_part(page, blocks, block, line);
            let container = &blocks.containers[blocks.blocks[block].container as usize];
            let is_stated =
                container.class_words.distance(class_words::COMMENTS) <= MAX_COMMENT_LEVELS;
            thread_signs.add(kind, &blocks.blocks[block], container.look, is_stated);
            if !matches!(kind, ThreadPart::Note | ThreadPart::Zero)
                && !blocks.is_mostly_links(block)
            {
                thread.push(block as u32);
            }
        }
        if !thread_signs.is_thread() {
            thread.clear();
        }
        thread
    }
}

fn thread_part(
    page: &Page<'_>,
    blocks: &Segmentation,
    index: usize,
    line: &mut String,
) -> ThreadPart {
    let block = &blocks.blocks[index];
    read_beginning(page, blocks, index, line);
    let has_letters = line.chars().any(char::is_alphabetic);
    let is_line = block.words <= MAX_LINE_WORDS || line.chars().nth(MAX_LINE_CHARS).is_none();
    let has_date = words::has_date(line);
    let is_short = block.words <= MAX_NOTE_WORDS;
    if is_short && (words::is_instruction(line) || is_in_form(page, blocks, index)) {
        return ThreadPart::Note;
    }
    if is_short && words::is_mention(line) {
        return ThreadPart::Note;
    }
    if is_line {
        if words::is_reply(line) {
            return ThreadPart::Signature;
        }
        match words::count(line).filter(|_| !has_date) {
            Some(true) => return ThreadPart::Count,
            Some(false) => return ThreadPart::Zero,
            None if words::is_note(line) => return ThreadPart::Note,
            None => {}
        }
        if !has_date && words::is_heading(line) {
            return ThreadPart::Heading;
        }
        if has_date || words::ends_in_attribution(line) {
            return ThreadPart::Signature;
        }
        let is_number = block.words <= MIN_WORDS && line.starts_with(|c: char| c.is_ascii_digit());
        if !has_letters || is_number || words::is_tally(line) || words::is_attribution_only(line) {
            return ThreadPart::Other;
        }
        if is_name(page, blocks, block, index) {
            return ThreadPart::Signature;
        }
        return if blocks.is_mostly_links(index) { ThreadPart::Link } else { ThreadPart::Text };
    }
    if is_short && words::is_note(line) {
        return ThreadPart::LongNote;
    }
    if blocks.is_mostly_links(index) {
        return ThreadPart::Other;
    }
    let mut start = line.split_whitespace().take(MAX_LINE_WORDS as usize);
    let head = start.by_ref().fold(0, |end, word| end + word.len() + 1).min(line.len());
    let head = &line[..line.floor_char_boundary(head)];
    if has_date && words::has_date(head) { ThreadPart::Signed } else { ThreadPart::Text }
}

/// Reads the beginning of a block, in lower case, with single spaces.
fn read_beginning(page: &Page<'_>, blocks: &Segmentation, block: usize, line: &mut String) {
    line.clear();
    for run in blocks.runs(block) {
        for word in page.run_source(&page.runs()[run as usize]).split_whitespace() {
            if line.len() >= MAX_READ_BYTES {
                return;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            let word = &word[..word.floor_char_boundary(MAX_READ_BYTES)];
            line.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
}

/// Returns whether a block belongs to a form: a small form, or the label of a control.
fn is_in_form(page: &Page<'_>, blocks: &Segmentation, block: usize) -> bool {
    let Block { first_run, container, .. } = blocks.blocks[block];
    let container = &blocks.containers[container as usize];
    container.regions.intersects(Regions::FORM)
        || enclosing_elements(page, first_run, container.node)
            .any(|node| page.nodes()[node].tag == Tag::LABEL)
}

/// Returns whether elements in a block, or directly around it, mark it as a name or a date.
fn is_name(page: &Page<'_>, blocks: &Segmentation, block: &Block, index: usize) -> bool {
    /// Number of runs of a line to examine.
    const MAX_EXAMINED_RUNS: usize = 4;
    let container = &blocks.containers[block.container as usize];
    let parent = page.nodes()[container.node as usize].parent;
    let names = |node: usize| {
        let node = &page.nodes()[node];
        let class = || page.attribute(node, AttributeName::Class);
        let property = || page.attribute(node, AttributeName::Itemprop);
        matches!(node.tag, Tag::TIME | Tag::CITE)
            || [class(), property()].into_iter().flatten().any(words::is_name_class)
    };
    blocks
        .runs(index)
        .take(MAX_EXAMINED_RUNS)
        .any(|run| enclosing_elements(page, run, parent).any(names))
}

/// Returns the elements around a run, from the innermost up to `outermost`, at most eight.
fn enclosing_elements<'a>(
    page: &Page<'a>,
    run: u32,
    outermost: u32,
) -> impl Iterator<Item = usize> + use<'a> {
    /// Largest number of elements to visit, more than usually surround the words of a line.
    const MAX_ELEMENTS: usize = 8;
    let nodes = page.nodes();
    let innermost = page.runs()[run as usize].node;
    let up = move |node: &u32| (*node > outermost).then(|| nodes[*node as usize].parent);
    std::iter::successors(Some(innermost), up).take(MAX_ELEMENTS).map(|node| node as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// Returns the runs of the thread that is found in the content below an article.
    fn thread(below: &str) -> String {
        let paragraph = "<p>The reed boats are tied at the same quay, and every spring the owners meet to repair them.";
        let html = format!("<main><article>{}</article></main>{below}", paragraph.repeat(20));
        let mut buffer = PageBuf::new();
        let page = buffer.fill(&html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let taken = vec![false; blocks.blocks.len()];
        let mut comments = Comments::default();
        let thread = comments.find_comments(&page, &blocks, &taken);
        let runs = thread.iter().flat_map(|block| blocks.runs(*block as usize));
        runs.map(|run| page.run_source(&page.runs()[run as usize]).trim())
            .collect::<Vec<_>>()
            .join("|")
    }

    #[test]
    fn forms_notes_and_services_are_no_comments() {
        for below in [
            "<div id=comments class=comments-area><div id=respond class=comment-respond><h3>Leave a Reply</h3><form class=comment-form>\
                <p class=comment-notes>Your email address will not be published. Required fields are marked *\
                <p class=comment-form-author><label>Name *</label><input><p><input type=submit value='Post Comment'></form></div></div>",
            "<div id=comments><h3>Leave a Reply</h3><p>You must be <a href=/login>logged in</a> to post a comment.</div>",
            "<div id=comments><p class=nocomments>Comments are closed.</div>",
            "<div id=disqus_thread></div><noscript><div class=disqus-comments>Please enable JavaScript to view the comments powered by \
                Disqus.</div></noscript><a class=dsq-brlink href=/d>blog comments powered by Disqus</a>",
            "<section id=disqus_thread><p>Loading comments...<p>Comments</section>",
            "<div class=comments id=comments><h4>No comments:</h4><p class=comment-footer><a href=/c>Post a Comment</a></div>",
            "<div class=comments><h2>0 comments</h2><p>0 people listening<p>Be the first to comment!</div>",
            "<div class=fb-comments><span>Facebook Comments Plugin</span><p>Add a comment...<p>Also post on Facebook</div>",
            "<div class=comments><h3>Schreibe einen Kommentar</h3><form><p>Deine E-Mail-Adresse wird nicht veröffentlicht. Erforderliche \
                Felder sind mit * markiert<p><label>Kommentar</label><textarea></textarea></form></div>",
            "<div class=comments><h3>Kommentare</h3><p>Noch keine Kommentare. Schreiben Sie den ersten!<p>Bitte melden Sie sich an. Anmelden</div>",
            "<div class=comments><h3>Laisser un commentaire</h3><p>Votre adresse e-mail ne sera pas publiée. Les champs obligatoires sont \
                indiqués avec *<p>Soyez le premier à réagir</div>",
            "<div class=comments><h3>Deja una respuesta</h3><p>Tu dirección de correo electrónico no será publicada. Los campos \
                obligatorios están marcados con *</div>",
            "<div class=comments><h3>コメント</h3><p>コメントはありません<p>コメントを残す<p>メールアドレスが公開されることはありません。</div>",
            "<div class=comments><h3>0条评论</h3><p>分享到微博<p>发表评论<p>请先登录</div>",
            "<div class=comments><h3>Комментарии</h3><p>Комментариев нет<p>Войдите, чтобы оставить комментарий</div>",
            "<div id=reply class=post-reply><a href=/posting>Post a reply</a><p>2 posts<p>Page 1 of 1</div>",
            "<div class=discussion><h3>Join the discussion</h3><p>Sign up or log in to leave a reply.<p>Share this topic</div>",
            "<div class=most-commented><h3>Most commented</h3><ul><li><a href=/a>Bridge closed</a><p>17 comments<li><a href=/b>Goat found \
                on roof</a><p>9 comments</ul></div>",
            "<div class=comments><h3>Comments</h3><p><a href=/1>Ann Ray</a><p>275 Recommendations<p><a href=/2>Bo Dahl</a><p>237 \
                Recommendations</div>",
            "<div class=comments><h3>Most active discussions</h3><p><a href=/1>Who mends the boats?</a><p>Question of the day<p><a \
                href=/2>Is it late?</a><p>Question of the day</div>",
            "<div class=commentary><p>The marker line serves the purpose of marking where the message ends, as was stated above.</div>",
            "<div class=comments><h3>Comments</h3><form><p><span class=author>Posted by:</span> |<p>This is only a preview. Your comment \
                has not yet been posted.</form></div>",
        ] {
            assert_eq!(thread(below), "", "{below}");
        }
    }

    #[test]
    fn texts_that_somebody_signed_are_a_thread() {
        for (below, has) in [
            (
                "<div id=comments><h2>2 Comments</h2><ol class=commentlist><li class=comment><div class=comment-author><cite class=fn>Ann</cite> \
                says:</div><div class=comment-meta><a href=#1>May 3, 2012 at 4:10 pm</a></div><p>My boat is too.<div class=reply><a>Reply</a></div>\
                <li class=comment><cite>Bo</cite><p>So it is.</ol></div>",
                "My boat is too.",
            ),
            (
                "<div id=comments class=comments><h4>1 comment:</h4><dl><dt class=comment-author><a href=/p>Tim Bue</a> said...<dd \
                class=comment-body><p>Thanks for your time, we wrote a post about it.</dl></div>",
                "Thanks for your time, we wrote a post about it.",
            ),
            (
                "<div id=disqus_thread><ul id=dsq-comments><li class=dsq-comment><div class=dsq-comment-header><cite>thekar</cite></div>\
                <div class=dsq-comment-body><p>Like it, still nice.</div></ul></div>",
                "Like it, still nice.",
            ),
            (
                "<div class=comments><p>Great post.<p>Posted by: atmos | Mar 20, 2007 10:19:46 PM<p>It is locked away in pictures.<p>Posted \
                by: Cid | Mar 21, 2007 9:02:10 AM</div>",
                "It is locked away in pictures.",
            ),
            (
                "<div class=kommentare><h3>2 Kommentare</h3><p><b>Manfred sagt:</b><p>Warum erwischt es immer die Besten?<p><b>Eva sagt:</b>\
                <p>Eine gute Frage ist das.</div>",
                "Warum erwischt es immer die Besten?",
            ),
            (
                "<div class=comments><h3>Un commentaire</h3><p>Liberté<p>18/02/2020 à 16:42<p>La parité, je veux bien.</div>",
                "La parité, je veux bien.",
            ),
            (
                "<div class=comments><h3>Comentarios</h3><p>Marta<p>hace 3 días<p>Muy bien explicado, gracias.</div>",
                "Muy bien explicado, gracias.",
            ),
            (
                "<div class=comments><h3>コメント(1)</h3><p>2021年4月3日 10:15<p>とても参考になりました。</div>",
                "とても参考になりました。",
            ),
            (
                "<div class=comments><h3>6条评论</h3><p>真楚狂湖北襄阳<p>今天20:58<p>在中国的公园还有个好处。</div>",
                "在中国的公园还有个好处。",
            ),
            (
                "<div class=comments><h3>Комментарии</h3><p>Анна<p>2 дня назад<p>Очень хорошая статья, спасибо.</div>",
                "Очень хорошая статья, спасибо.",
            ),
            (
                "<div class=discussion><h4>Discussion</h4><div><a href=/u/1>Ann Ray</a></div><div>I think the quay is older than that.</div>\
                <div><a href=/u/2>Bo</a></div><div>No, it is as old as the village.</div></div>",
                "I think the quay is older than that.",
            ),
            (
                "<div class=comments><div>Thanks for this, I learned a lot.</div><a href=#>Reply</a><div>So did I, the reeds above all.</div>\
                <a href=#>Reply</a></div>",
                "So did I, the reeds above all.",
            ),
            (
                "<div class=comments><h3>Comments (5)</h3><div class=comment-text>What times we live in, with all these boats.</div><div \
                class=comment-text>They should be built of plastic, I think.</div></div>",
                "What times we live in, with all these boats.",
            ),
            (
                "<div class=comments><p>1 Lisa November 7, 2012 at 4:42 PM I love the idea of a calendar, each day has a song.<p>2 Bo November \
                8, 2012 at 9:01 AM And each of them is about something else again, they say.</div>",
                "2 Bo November 8",
            ),
        ] {
            let found = thread(below);
            assert!(found.contains(has), "{below}: {found}");
        }
    }

    #[test]
    fn a_count_of_zero_outweighs_a_widget() {
        for zero in [
            "0 comments",
            "Comments (0)",
            "0 Kommentare",
            "Kommentare (0)",
            "0 commentaires",
            "0 comentarios",
            "0 comentários",
            "0 commenti",
            "0 yorum",
            "0条评论",
            "0条评论|0人参与网友评论",
            "<a href=/c>0</a>条评论<b>|</b><a href=/c>0</a>人参与</span><span>网友评论",
            "0 комментариев",
            "0 replies",
            "0 responses",
        ] {
            for widget in [
                "<span class=user-name>Ann</span><p>Shown to your friends, too",
                "<h3>Latest comments</h3><p><span class=name>Ann</span><p>Tell your friends",
            ] {
                let below = format!("<div class=comments><h3>{zero}</h3>{widget}</div>");
                assert_eq!(thread(&below), "", "{below}");
            }
        }
        // The counter of another service beside a thread.
        let found = thread(
            "<div class=comments><p>0 comments<h3>2 Comments</h3><p><cite>Ann</cite><p>My boat is too.\
                <p><cite>Bo</cite><p>So it is.</div>",
        );
        assert!(found.contains("My boat is too."), "{found}");
    }

    #[test]
    fn mentions_by_other_pages_are_no_comments() {
        for mention in [
            "Reblogged this on Bo's blog.",
            "Reblogged this on <a href=/b>Bo's blog</a>.",
            "Reblogged this on boats and quays, a blog.",
            "Hat dies auf <a href=/b>boote.test</a> rebloggt.",
            "Hat dies auf Boote rebloggt.",
            "Reblogueó esto en Barcos.",
            "A reblogué ceci sur Bateaux.",
            "[&#8230;] the boats are tied at the same quay [&#8230;]",
            "[…] the boats are tied […]",
            "[...] the boats are tied at the same quay [...]",
            "[&hellip;] <a href=/p>https://page.test/</a> [&hellip;]",
        ] {
            for (before, after) in [
                ("<cite class=fn>Bo</cite> says:<p>May 3, 2012", ""),
                ("", "<p>Posted by Bo | Mar 20, 2007"),
            ] {
                let below = format!(
                    "<div id=comments><h3>2 Comments</h3><p>{before}<p>{mention}{after}<p>{before}\
                        <p>{mention}{after}</div>"
                );
                assert_eq!(thread(&below), "", "{below}");
            }
        }
        let found = thread(
            "<div id=comments><h3>1 comment</h3><p><cite>Bo</cite> says:<p>Reblogged this on my blog and \
                commented: these boats are the best that I have seen on any quay.</div>",
        );
        assert!(found.contains("these boats are the best that"), "{found}");
    }

    #[test]
    fn opinion_pieces_and_teasers_are_no_comments() {
        let text =
            "<p><span class=author>Ann Ray</span><p>May 3, 2012<p>The boats are older than that.";
        for class in [
            "commentary",
            "node node-commentary",
            "news subjective commentary",
            "Commentary",
            "sectionCommentary",
            "commentary-teaser",
            "commentaries",
            "post-type-commentary",
            "fc-item is-commentable",
            "commentable",
            "articleCommentable",
        ] {
            let below = format!("<div class='{class}'>{text}{text}</div>");
            assert_eq!(thread(&below), "", "{below}");
        }
    }

    #[test]
    fn instructions_within_a_thread_are_no_part_of_it() {
        for instruction in [
            "You may use these HTML tags and attributes:",
            "&lt;a href=&quot;&quot; title=&quot;&quot;&gt; &lt;b&gt; &lt;cite&gt; &lt;code&gt; &lt;i&gt; &lt;q&gt; &lt;s&gt; &lt;strike&gt; &lt;strong&gt; &lt;em&gt; &lt;del&gt;",
            "Your email address will not be published, and neither will the name of your boat, nor where you tie it.",
            "You can follow this conversation by subscribing to the comment feed for this post, which is free for all.",
            "As a final step before posting your comment, enter the letters and numbers you see in the image below.",
            "The letters and numbers you entered did not match the image. Please try again, and enter all of them.",
            "Click on a tab to select how you'd like to leave your comment on this page and in which colour",
            "Trage deine Daten unten ein oder klicke ein Icon um dich einzuloggen, dann geht es weiter mit dem Text:",
            "Du kommentierst mit Deinem Konto. ( Abmelden / Ändern )",
            "Connecting to %s",
            "Verbinde mit %s",
            "Deine E-Mail-Adresse wird nicht veröffentlicht, und auch der Name des Boots und sein Kai bleiben geheim.",
        ] {
            let found = thread(&format!(
                "<div id=comments><h3>2 Comments</h3><p><cite>Ann</cite><p>My boat is too.<p>{instruction}<p><cite>Bo\
                    </cite><p>So it is.</div>"
            ));
            assert_eq!(found, "2 Comments|Ann|My boat is too.|Bo|So it is.", "{instruction}");
        }
    }

    #[test]
    fn the_form_below_a_thread_is_no_part_of_it() {
        let found = thread(
            "<div id=comments><h3>One response</h3><p><cite>Ann</cite> says:<p>My boat is at this quay, too.<div id=respond><h3>Leave a \
                Reply</h3><form><p>Your email address will not be published.<p><label>Name *</label><input></form></div></div>",
        );
        assert_eq!(found, "One response|Ann|says:|My boat is at this quay, too.");
    }

    #[test]
    fn taken_blocks_are_no_comments() {
        let mut buffer = PageBuf::new();
        let html = "<div class=comments><p>Ann said:<p>It rained all day long.<p>Bo said:<p>And the roads were shut.</div>".to_owned()
            + &"<p>The reed boats are tied at the same quay.".repeat(9);
        let page = buffer.fill(&html);
        let mut blocks = Segmentation::default();
        blocks.fill(&page);
        let mut comments = Comments::default();
        assert_eq!(
            comments.find_comments(&page, &blocks, &vec![false; blocks.blocks.len()]),
            [0, 1, 2, 3]
        );
        assert!(
            comments.find_comments(&page, &blocks, &vec![true; blocks.blocks.len()]).is_empty()
        );
    }
}
