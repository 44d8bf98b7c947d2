//! Decides the order of the pages in a corpus.

use super::page::StoredPage;

/// How many pages to write.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// Every page, once.
    Once,
    /// At least this many uncompressed bytes. Pages are repeated if the inputs have too few.
    RawBytes(u64),
}

/// One place in the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of the page.
    pub page: usize,
    /// How many times the page occurred before.
    pub copy: u32,
}

/// Lays out a corpus in rounds. Each round has all pages, in an order of its own.
pub fn lay_out(pages: &[StoredPage], want: Want, seed: u64) -> Vec<Slot> {
    let mut random = SplitMix(seed);
    let mut order: Vec<usize> = (0..pages.len()).collect();
    let mut slots = Vec::new();
    let mut raw = 0;
    for copy in 0.. {
        shuffle(&mut order, &mut random);
        for &page in &order {
            if let Want::RawBytes(wanted) = want
                && raw >= wanted
            {
                return slots;
            }
            slots.push(Slot { page, copy });
            raw += pages[page].raw_len();
        }
        if matches!(want, Want::Once) || pages.is_empty() {
            break;
        }
    }
    slots
}

/// Fisher and Yates's shuffle. The slight bias of taking a remainder does not matter here.
fn shuffle(order: &mut [usize], random: &mut SplitMix) {
    for last in (1..order.len()).rev() {
        let other = random.next() % (last as u64 + 1);
        order.swap(last, usize::try_from(other).expect("below the length of a slice"));
    }
}

/// The `SplitMix64` generator of Steele, Lea and Flood: small, and its numbers never change.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Record;
    use super::*;

    fn pages(count: u8) -> Vec<StoredPage> {
        let record = |byte| Record { bytes: vec![byte; 96], block: 0 };
        (0..count).map(|byte| StoredPage::new(&record(byte))).collect()
    }

    #[test]
    fn once_is_every_page_once() {
        let slots = lay_out(&pages(50), Want::Once, 1);
        let mut seen: Vec<usize> = slots.iter().map(|slot| slot.page).collect();
        assert_ne!(seen, (0..50).collect::<Vec<_>>());
        seen.sort_unstable();
        assert_eq!(seen, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn size_is_reached_by_copies() {
        let slots = lay_out(&pages(3), Want::RawBytes(701), 1);
        assert_eq!(slots.len(), 8);
        assert_eq!(
            slots.iter().map(|slot| slot.copy).collect::<Vec<_>>(),
            [0, 0, 0, 1, 1, 1, 2, 2]
        );
    }

    #[test]
    fn the_seed_alone_decides() {
        let want = Want::RawBytes(2000);
        assert_eq!(lay_out(&pages(9), want, 7), lay_out(&pages(9), want, 7));
        assert_ne!(lay_out(&pages(9), want, 7), lay_out(&pages(9), want, 8));
        assert_eq!(lay_out(&[], want, 7), []);
    }
}
