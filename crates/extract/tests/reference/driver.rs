//! The process that runs ref.py.

use crate::shared::shared_file;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running `driver.py`. Ends with its input, that is when this is dropped.
pub(crate) struct Driver {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What ref.py makes of a page.
pub(crate) struct Answer {
    /// A line an element, as `driver.py` has it.
    pub(crate) tree: String,
    /// A text for each expression.
    pub(crate) texts: Vec<String>,
}

impl Driver {
    /// `None`, with a line saying so, where the specification or Python is absent.
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    pub(crate) fn start() -> Option<Driver> {
        let specification = shared_file("spec")?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/driver.py");
        let child = Command::new("python3")
            .arg("-B")
            .arg(script)
            .arg(specification)
            .env("PYTHONIOENCODING", "utf-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: python3 is not here");
            return None;
        };
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Some(Driver { child, input, output })
    }

    /// Has a page extracted.
    pub(crate) fn ask(&mut self, html: &str, expressions: &[&str]) -> Answer {
        let request = json!({"html": html, "expressions": expressions});
        let input = self.input.as_mut().expect("it is open until the end");
        writeln!(input, "{request}").expect("the driver reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the driver writes UTF-8");
        let answer: Value = serde_json::from_str(&line).expect("the driver answers (see above)");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let texts = answer["texts"].as_array().expect("a list").iter().map(text).collect();
        Answer { tree: text(&answer["tree"]), texts }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
