//! Bounds the bytes of the documents that wait for a thread of tantivy, which bounds their number
//! only.

use std::cell::OnceCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// Bytes that a document takes besides its line.
const BYTES_PER_DOCUMENT: usize = 1 << 10;

/// The documents that wait. The words of a text and the stored text take twice the bytes of a line.
pub(crate) struct DocumentQueue {
    /// Largest sum of the bytes of waiting documents.
    max_bytes: usize,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Sum of the bytes of waiting documents.
    bytes: usize,
    /// Whether a thread that took documents has ended. The others may take no more.
    has_ended: bool,
}

impl DocumentQueue {
    /// Makes a queue for documents of at most so many bytes. A larger document waits alone.
    pub(crate) fn new(max_bytes: usize) -> Arc<DocumentQueue> {
        let (waiting, changed) = Default::default();
        Arc::new(DocumentQueue { max_bytes, waiting, changed })
    }

    /// Waits until there is room for the document of a line of `line_bytes` bytes, or a thread that
    /// took documents has ended. tantivy then refuses the document.
    pub(crate) fn admit(
        self: &Arc<Self>,
        document: TantivyDocument,
        line_bytes: usize,
    ) -> QueuedDocument {
        let bytes = line_bytes.saturating_mul(2).saturating_add(BYTES_PER_DOCUMENT);
        let mut waiting = self.lock();
        while !waiting.has_ended
            && waiting.bytes > 0
            && waiting.bytes.saturating_add(bytes) > self.max_bytes
        {
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.bytes = waiting.bytes.saturating_add(bytes);
        drop(waiting);
        QueuedDocument { document, _share: QueueShare { queue: Arc::clone(self), bytes } }
    }

    /// Notes that tantivy has started new threads, as each commit does.
    pub(crate) fn restart(&self) {
        self.lock().has_ended = false;
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Waiting)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

/// The bytes of a document that waits. Dropping the value frees them.
struct QueueShare {
    queue: Arc<DocumentQueue>,
    bytes: usize,
}

impl Drop for QueueShare {
    fn drop(&mut self) {
        self.queue.change(|waiting| waiting.bytes = waiting.bytes.saturating_sub(self.bytes));
        // A thread that is ending already notes it.
        let _ = TAKER.try_with(|taker| {
            taker.get_or_init(|| Taker(Arc::clone(&self.queue)));
        });
    }
}

thread_local! {
    static TAKER: OnceCell<Taker> = const { OnceCell::new() };
}

/// A thread that took documents of a queue. Its end drops the value.
struct Taker(Arc<DocumentQueue>);

impl Drop for Taker {
    fn drop(&mut self) {
        self.0.change(|waiting| waiting.has_ended = true);
    }
}

/// A document that waits until a thread of tantivy takes it.
pub(crate) struct QueuedDocument {
    document: TantivyDocument,
    _share: QueueShare,
}

impl Document for QueuedDocument {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.document.iter_fields_and_values()
    }

    fn into_tantivy_document(self) -> TantivyDocument {
        self.document
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn a_document_waits_until_another_one_is_taken() {
        let queue = DocumentQueue::new(4 * BYTES_PER_DOCUMENT);
        // A document that is too large waits alone.
        let large = queue.admit(TantivyDocument::default(), 100 * BYTES_PER_DOCUMENT);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let small = queue.admit(TantivyDocument::default(), 0);
                sender.send(()).unwrap();
                drop(small);
            });
            assert_eq!(receiver.try_recv(), Err(mpsc::TryRecvError::Empty));
            drop(large.into_tantivy_document());
            receiver.recv().unwrap();
        });
        assert_eq!(queue.lock().bytes, 0);
    }

    #[test]
    fn the_end_of_a_thread_that_took_documents_admits_all() {
        let queue = DocumentQueue::new(0);
        let first = queue.admit(TantivyDocument::default(), 0);
        let second = thread::scope(|scope| {
            let second = scope.spawn(|| queue.admit(TantivyDocument::default(), 0));
            let taker = scope.spawn(|| drop(first.into_tantivy_document()));
            taker.join().unwrap();
            second.join().unwrap()
        });
        // The scope may end before the thread has, so the test waits for it.
        let waiting = queue.lock();
        let waiting = queue.changed.wait_while(waiting, |waiting| !waiting.has_ended).unwrap();
        drop(waiting);
        let _third = queue.admit(TantivyDocument::default(), 0);
        assert_eq!(queue.lock().bytes, 2 * BYTES_PER_DOCUMENT);
        queue.restart();
        assert!(!queue.lock().has_ended);
        drop(second);
    }
}
