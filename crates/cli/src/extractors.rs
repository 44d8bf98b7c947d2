//! `huller extractors`: lists the extractors.

use crate::args::ExtractorsArgs;
use crate::exit::Exit;
use anyhow::Result;
use huller_extract::EXTRACTORS;
use std::io::Write;

pub(crate) fn run(args: &ExtractorsArgs) -> Result<Exit> {
    let mut stdout = std::io::stdout().lock();
    for (index, card) in EXTRACTORS.iter().map(|extractor| extractor.card()).enumerate() {
        let default = if index == 0 { " (default)" } else { "" };
        let source =
            card.citation.paper.map_or("baseline".to_owned(), |paper| format!("paper {paper}"));
        if args.long {
            writeln!(stdout, "{}{default}", card.name)?;
            writeln!(stdout, "  {}", card.summary)?;
            writeln!(stdout, "  source:   {source}, {}", card.citation.subject)?;
            writeln!(stdout, "  profiles: tuned (default), paper")?;
            writeln!(stdout, "  score:    {}", card.score)?;
            writeln!(stdout, "  selects:  {}", card.selects)?;
            writeln!(stdout, "  cost:     {}", card.cost)?;
            writeln!(stdout, "  fails:    {}", card.failures)?;
        } else {
            writeln!(stdout, "{:<12} {source:<10} {}{default}", card.name, card.citation.subject)?;
        }
    }
    Ok(Exit::Success)
}
