//! `language-tables LINGUA TEXTS DEV OUT [ROWS]`: makes the tables of the language identifier.
//!
//! LINGUA: a folder with a link `NAME` to the source of each crate `lingua-NAME-language-model`.
//! TEXTS: lines of `source<TAB>language<TAB>text` for the counts. DEV: lines of the same form for
//! the fit of the score, never counted. OUT: the output file. ROWS: the number of n-grams.

mod choose;
mod counts;
mod fit;
mod recipe;

use counts::Counts;
use huller_refine::language::{TableLanguage, Words, write_tables};
use recipe::RECIPES;
use std::collections::HashMap;
use std::path::Path;

/// The number of n-grams in the shipped tables.
const ROWS: usize = 160_000;

/// The bytes of texts that a language needs for its full share. A language with fewer gets a
/// smaller one.
const ENOUGH: f32 = 500_000.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, lingua, texts, dev, out, rest @ ..] = &arguments[..] else {
        return Err("usage: language-tables LINGUA TEXTS DEV OUT [ROWS]".into());
    };
    let most = rest.first().map_or(Ok(ROWS), |rows| rows.parse())?;
    let texts = std::fs::read_to_string(texts)?;
    let mut of_language: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in texts.lines() {
        let [_, language, text] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else { continue };
        of_language.entry(language).or_default().push(text);
    }
    let words = Words::new();
    let mut all: Vec<Counts> = Vec::new();
    for recipe in RECIPES {
        let texts = of_language.get(recipe.code).map_or(&[][..], Vec::as_slice);
        let mut counts = Counts::new();
        if recipe.texts > 0.0 {
            let (of_texts, letters) =
                counts::of_texts(texts.iter().map(|&text| (text, 1.0)), recipe.script, &words);
            if recipe.lingua.is_empty() {
                let relatives: f32 = recipe.relatives.iter().map(|relative| relative.1).sum();
                counts::add(&mut counts, &of_texts, 1.0 - relatives);
            } else {
                let bytes: usize = texts.iter().map(|text| text.len()).sum();
                let share = recipe.texts * (bytes as f32 / ENOUGH).min(1.0);
                let file = Path::new(lingua).join(recipe.lingua).join("models/ngrams.fst");
                counts::add(
                    &mut counts,
                    &counts::of_crate(&file, recipe.script, &words)?,
                    1.0 - share,
                );
                counts::add(&mut counts, &of_texts, share);
            }
            for (code, share) in recipe.relatives {
                let place = RECIPES
                    .iter()
                    .position(|recipe| recipe.code == *code)
                    .ok_or("unknown relative")?;
                counts::add(&mut counts, &all[place], *share);
            }
            eprintln!("{} {} n-grams, {letters} letters of texts", recipe.code, counts.len());
        }
        all.push(counts);
    }
    let languages = RECIPES.iter().map(|recipe| {
        let code: [u8; 3] = recipe.code.as_bytes().try_into()?;
        Ok(TableLanguage {
            code,
            script: recipe.script,
            start: (recipe.start * choose::UNITS) as u16,
        })
    });
    let languages: Vec<TableLanguage> =
        languages.collect::<Result<_, std::array::TryFromSliceError>>()?;
    let rows = choose::rows(&all, most);
    let score = fit::score(&languages, &rows, &std::fs::read_to_string(dev)?)?;
    let file = write_tables(&languages, &rows, score)?;
    let pairs: usize = rows.iter().map(|row| row.weights.len()).sum();
    eprintln!(
        "{} languages, {} n-grams, {pairs} weights, {} bytes",
        languages.len(),
        rows.len(),
        file.len()
    );
    std::fs::write(out, file)?;
    Ok(())
}
