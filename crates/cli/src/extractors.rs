//! `huller extractors`: what methods there are.

use crate::args::ExtractorsArgs;
use crate::exit::Exit;
use anyhow::Result;
use huller_extract::METHODS;
use std::io::Write;

pub(crate) fn run(args: &ExtractorsArgs) -> Result<Exit> {
    let mut stdout = std::io::stdout().lock();
    for (place, method) in METHODS.iter().enumerate() {
        let default = if place == 0 { " (default)" } else { "" };
        let source =
            method.citation.paper.map_or("baseline".to_owned(), |paper| format!("paper {paper}"));
        if args.long {
            writeln!(stdout, "{}{default}", method.name)?;
            writeln!(stdout, "  {}", method.summary)?;
            writeln!(stdout, "  source:   {source}, {}", method.citation.subject)?;
            writeln!(stdout, "  profiles: tuned (default), paper")?;
            writeln!(stdout, "  score:    {}", method.score)?;
        } else {
            writeln!(
                stdout,
                "{:<12} {source:<10} {}{default}",
                method.name, method.citation.subject
            )?;
        }
    }
    Ok(Exit::Success)
}
