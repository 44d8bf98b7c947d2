//! Describes the machine on which figures depend. It reads everything from files of the kernel
//! (proc(5), sysfs), and leaves out missing values.

use serde::Serialize;
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

/// A machine, as its kernel describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Machine {
    /// The model name that the processor reports, or its architecture.
    pub processor: String,
    /// The number of processors that this program may use, by its affinity and the quotas of
    /// containers.
    pub usable: usize,
    /// The number of processors of the system; two threads of one core count as two.
    pub processors: usize,
    /// The number of processors per core, where the kernel reports it.
    #[serde(rename = "threads_a_core")]
    pub threads_per_core: Option<usize>,
    /// The processors that the affinity of this process allows, as `0-7,16`.
    pub allowed: Option<String>,
    /// The bytes of RAM.
    pub memory_bytes: u64,
    /// The name and release of the system.
    pub kernel: String,
    /// The NUMA nodes, where the kernel reports them.
    pub nodes: Vec<Node>,
    /// The governor of the processors' clock (cpufreq), where the kernel reports it.
    pub governor: Option<String>,
}

/// A NUMA node: processors with their own memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Node {
    /// The number of the node.
    pub node: u32,
    /// The processors of the node, as `0-31`.
    pub processors: String,
    /// The bytes of its memory.
    pub memory_bytes: u64,
}

impl Machine {
    /// Returns the machine on which this program runs.
    pub fn detect() -> Machine {
        let info = read_or_empty("/proc/cpuinfo");
        let processors = info.lines().filter(|line| line.starts_with("processor")).count();
        let usable = available_parallelism().map_or(1, NonZero::get);
        let release = read_or_empty("/proc/sys/kernel/osrelease");
        let status = read_or_empty("/proc/self/status");
        let siblings = read_or_empty("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
        let governor = read_or_empty("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Machine {
            processor: field_value(&info, "model name")
                .map_or_else(|| std::env::consts::ARCH.to_owned(), str::to_owned),
            usable,
            processors: processors.max(usable),
            threads_per_core: count_of(siblings.trim()),
            allowed: field_value(&status, "Cpus_allowed_list").map(str::to_owned),
            memory_bytes: kilobytes(&read_or_empty("/proc/meminfo"), "MemTotal"),
            kernel: format!("{} {}", std::env::consts::OS, release.trim()).trim().to_owned(),
            nodes: numa_nodes(Path::new("/sys/devices/system/node")),
            governor: Some(governor.trim().to_owned()).filter(|name| !name.is_empty()),
        }
    }
}

/// Returns the current clocks of all processors in MHz, least and greatest, where the kernel
/// reports them.
pub fn clock_mhz() -> Option<(f64, f64)> {
    let info = read_or_empty("/proc/cpuinfo");
    let clocks = info.lines().filter(|line| line.starts_with("cpu MHz"));
    let clocks = clocks.filter_map(|line| line.split(':').nth(1)?.trim().parse::<f64>().ok());
    clocks.fold(None, |range, clock| {
        let (lowest, highest) = range.unwrap_or((clock, clock));
        Some((clock.min(lowest), clock.max(highest)))
    })
}

fn read_or_empty(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Returns the value of a line `name: value`.
fn field_value<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    let value = line.split_once(':')?.1.trim();
    (!value.is_empty()).then_some(value)
}

/// Returns the bytes of a line `… name: 123 kB`.
fn kilobytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find(|line| line.contains(name));
    let number = line.and_then(|line| line.split_whitespace().rev().nth(1)?.parse::<u64>().ok());
    number.unwrap_or_default() * 1024
}

/// Returns the number of processors that a list such as `0-3,8` names.
fn count_of(list: &str) -> Option<usize> {
    let ranges = list.split(',').map(|range| {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        Some(high.trim().parse::<usize>().ok()?.checked_sub(low.trim().parse().ok()?)? + 1)
    });
    ranges.sum()
}

fn numa_nodes(folder: &Path) -> Vec<Node> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut nodes: Vec<Node> = entries
        .filter_map(|entry| {
            let node = entry.file_name().to_str()?.strip_prefix("node")?.parse().ok()?;
            let processors = read_or_empty(entry.path().join("cpulist")).trim().to_owned();
            let memory_bytes = kilobytes(&read_or_empty(entry.path().join("meminfo")), "MemTotal");
            Some(Node { node, processors, memory_bytes })
        })
        .collect();
    nodes.sort_by_key(|node| node.node);
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_counted() {
        assert_eq!(
            [count_of("0-3,8"), count_of("5"), count_of("0,64")],
            [Some(5), Some(1), Some(2)]
        );
        assert_eq!([count_of(""), count_of("3-1"), count_of("a")], [None; 3]);
    }

    #[test]
    fn fields_and_nodes_are_read_as_the_kernel_writes_them() {
        let text = "processor\t: 0\nmodel name\t: A Processor\nflags\t:\n";
        assert_eq!(
            (field_value(text, "model name"), field_value(text, "flags")),
            (Some("A Processor"), None)
        );
        let folder = tempfile::tempdir().unwrap();
        for (node, list) in [(1, "4-7\n"), (0, "0-3\n")] {
            let path = folder.path().join(format!("node{node}"));
            fs::create_dir(&path).unwrap();
            fs::write(path.join("cpulist"), list).unwrap();
            fs::write(path.join("meminfo"), format!("Node {node} MemTotal:  2048 kB\n")).unwrap();
        }
        fs::create_dir(folder.path().join("power")).unwrap();
        let node = |node, processors: &str| Node {
            node,
            processors: processors.to_owned(),
            memory_bytes: 2 << 20,
        };
        assert_eq!(numa_nodes(folder.path()), [node(0, "0-3"), node(1, "4-7")]);
    }

    #[test]
    fn this_machine_has_a_processor() {
        let machine = Machine::detect();
        assert!(machine.usable >= 1 && machine.processors >= machine.usable, "{machine:?}");
        assert!(!machine.processor.is_empty() && !machine.kernel.is_empty());
    }
}
