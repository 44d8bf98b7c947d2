//! Measures the CPU time of other programs on the machine while ours run.

use std::fs;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A measurement of other programs' use of the processors, from its creation on.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours {
    since: Instant,
    /// CPU seconds of all programs when the measurement began.
    busy_s: Option<f64>,
}

/// How long the machine is watched before the measurement.
const WATCH_TIME: Duration = Duration::from_secs(1);

impl Neighbours {
    /// Begins to watch.
    pub fn watch() -> Neighbours {
        Neighbours { since: Instant::now(), busy_s: busy_s(&read_stat()) }
    }

    /// Returns the average number of cores that others kept busy since then. Our processes used
    /// `own_s` CPU seconds. Returns `None` where the system does not report it.
    pub fn cores(&self, own_s: f64) -> Option<f64> {
        let busy = busy_s(&read_stat())? - self.busy_s?;
        let elapsed = self.since.elapsed().as_secs_f64().max(1e-9);
        Some(((busy - own_s) / elapsed).max(0.0))
    }

    /// Watches for one second in which this program is idle.
    pub fn measure_idle() -> Option<f64> {
        let neighbours = Neighbours::watch();
        let (_sender, silence) = mpsc::channel::<()>();
        // The channel stays empty, so this waits for the whole time.
        let _ = silence.recv_timeout(WATCH_TIME);
        neighbours.cores(0.0)
    }

    /// Returns the most busy cores of others with which figures are recorded: .15 of a core, or 2 %
    /// of a machine with more than seven.
    pub fn noise_limit(processors: usize) -> f64 {
        (processors as f64 * 0.02).max(0.15)
    }
}

fn read_stat() -> String {
    fs::read_to_string("/proc/stat").unwrap_or_default()
}

/// Returns the CPU seconds of all processors since the system started. They include the time that a
/// hypervisor took (proc(5)).
fn busy_s(stat: &str) -> Option<f64> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let [user, nice, system, _idle, _waiting, irq, softirq, steal, ..] = *ticks else {
        return None;
    };
    let busy = user + nice + system + irq + softirq + steal;
    Some(busy as f64 / ticks_a_second(&fs::read("/proc/self/auxv").unwrap_or_default()))
}

/// Returns the ticks per second of the kernel's counters, which it passes to every process
/// (`AT_CLKTCK`, getauxval(3)). `auxv` holds pairs of words, a kind and a value.
fn ticks_a_second(auxv: &[u8]) -> f64 {
    const AT_CLKTCK: usize = 17;
    /// The value of all kernels except those for some old processors.
    const USUAL_TICKS_PER_SECOND: f64 = 100.0;
    const WORD_BYTES: usize = size_of::<usize>();
    let mut words = auxv
        .chunks_exact(WORD_BYTES)
        .filter_map(|word| Some(usize::from_ne_bytes(word.try_into().ok()?)));
    while let (Some(counter), Some(value)) = (words.next(), words.next()) {
        if counter == AT_CLKTCK && value > 0 {
            return value as f64;
        }
    }
    USUAL_TICKS_PER_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_in_which_processors_waited_is_not_busy() {
        let tick = ticks_a_second(&fs::read("/proc/self/auxv").unwrap());
        let busy = busy_s("cpu  1 2 3 1000 2000 4 5 6 0 0\ncpu0 1\n").unwrap();
        assert!((busy * tick - 21.0).abs() < 1e-9, "{busy}");
        assert_eq!([busy_s(""), busy_s("cpu  1 2\n")], [None, None]);
    }

    #[test]
    fn the_kernel_tells_how_long_a_tick_is() {
        let words = [6_usize, 4096, 17, 250, 0, 0].map(usize::to_ne_bytes).concat();
        let ticks = [&words[..], &words[..16]].map(|auxv| format!("{:.0}", ticks_a_second(auxv)));
        assert_eq!(ticks, ["250", "100"]);
    }

    #[test]
    fn a_large_machine_may_do_a_little_besides() {
        assert!((Neighbours::noise_limit(2) - 0.15).abs() < 1e-12);
        assert!((Neighbours::noise_limit(64) - 1.28).abs() < 1e-12);
    }
}
