//! Fits the score of the language identifier.

use huller_refine::language::{Identifier, Scratch, TableLanguage, TableRow, write_tables};

/// The lengths in characters to which texts are cut, so that the score holds for short and long
/// texts.
const LENGTHS: [usize; 4] = [20, 50, 100, 200];

/// Returns scale and growth (`confidence.rs`) with the least logarithmic loss on texts of known
/// language.
pub fn score(
    languages: &[TableLanguage],
    rows: &[TableRow],
    dev: &str,
) -> Result<(f32, f32), Box<dyn std::error::Error>> {
    let mut texts: Vec<(&str, String)> = Vec::new();
    for (number, line) in dev.lines().enumerate() {
        let [_, language, text] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else { continue };
        texts.push((language, text.chars().take(LENGTHS[number % LENGTHS.len()]).collect()));
    }
    let mut best = (f64::MAX, (1.0, 0.0));
    for growth in [0.0f32, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] {
        for step in 0..24 {
            let scale = 0.05 * 1.25f32.powi(step);
            let identifier = Identifier::read(&write_tables(languages, rows, (scale, growth))?)?;
            let mut memory = Scratch::default();
            let mut loss = 0.0;
            for (language, text) in &texts {
                let found = identifier.identify(text, &mut memory);
                let right = found.is_some_and(|found| found.code.as_str() == *language);
                let score = found.map_or(0.0, |found| f64::from(found.score)).clamp(0.001, 0.999);
                loss -= if right { score.ln() } else { (1.0 - score).ln() };
            }
            if loss < best.0 {
                best = (loss, (scale, growth));
            }
        }
    }
    eprintln!(
        "scale {} growth {}, loss {:.4} a text",
        best.1.0,
        best.1.1,
        best.0 / texts.len() as f64
    );
    Ok(best.1)
}
