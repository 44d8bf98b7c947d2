//! The process that runs ref.py.

use huller_testkit::shared;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running `driver.py`. The process ends when its input ends, which is when this value is
/// dropped.
pub(crate) struct Driver {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// ref.py's results for a page.
pub(crate) struct Answer {
    /// One line for each element, in the form of `driver.py`.
    pub(crate) tree: String,
    /// One text for each expression.
    pub(crate) texts: Vec<String>,
}

impl Driver {
    /// Starts the process.
    pub(crate) fn start() -> Driver {
        let specification = shared::path("spec");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/driver.py");
        let mut child = Command::new("python3")
            .arg("-B")
            .arg(script)
            .arg(specification)
            .env("PYTHONIOENCODING", "utf-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 is here");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Driver { child, input, output }
    }

    /// Has ref.py extract a page.
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
