//! Makes stages from their names and settings.

use super::error::ConfigError;
use crate::stages::Stages;
use huller_refine::{Stage, StageEntry};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Makes the stages of these names, in this order, with settings such as `length.min_chars=200`. Of
/// two settings with one name the later counts. `lang` becomes a setting of the stage `language`,
/// which comes first if it is not among the names.
pub(super) fn stages(
    mut names: Vec<String>,
    lang: Option<Vec<String>>,
    mut set: Vec<String>,
) -> Result<Stages, ConfigError> {
    const LANGUAGE: &str = "language";
    if let Some(lang) = lang {
        if !names.iter().any(|name| name == LANGUAGE) {
            names.insert(0, LANGUAGE.to_owned());
        }
        let codes = Value::from(lang);
        set.push(format!("{LANGUAGE}.keep={codes}"));
    }
    let (names, set) = (names.as_slice(), set.as_slice());
    let mut settings: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for entry in set {
        let (stage, name, value) = split_setting(entry)?;
        if StageEntry::find(stage).is_none() {
            return Err(ConfigError::UnknownStage { name: stage.to_owned() });
        }
        if !names.iter().any(|name| name == stage) {
            return Err(ConfigError::UnusedSetting { entry: entry.clone() });
        }
        insert(settings.entry(stage).or_default(), name, value);
    }
    let mut stages: Vec<Box<dyn Stage>> = Vec::new();
    let mut whole = BTreeMap::new();
    for name in names {
        if stages.iter().any(|stage| stage.name() == name) {
            return Err(ConfigError::RepeatedStage { name: name.clone() });
        }
        let registered = StageEntry::find(name)
            .ok_or_else(|| ConfigError::UnknownStage { name: name.clone() })?;
        let settings = settings.remove(registered.name).unwrap_or_default();
        let mut of_stage = registered.defaults();
        of_stage.extend(settings.clone());
        whole.insert(registered.name, of_stage);
        stages.push(registered.make(settings).map_err(ConfigError::Stage)?);
    }
    Ok(Stages::new(stages, whole))
}

/// Inserts a setting. Dots in its name separate the names of objects, as in
/// `models.quality.path`; an object that is there already keeps its other members.
fn insert(settings: &mut Map<String, Value>, name: &str, value: Value) {
    let Some((name, rest)) = name.split_once('.') else {
        settings.insert(name.to_owned(), value);
        return;
    };
    let object = settings.entry(name).or_insert_with(|| Value::Object(Map::new()));
    if !object.is_object() {
        *object = Value::Object(Map::new());
    }
    if let Value::Object(object) = object {
        insert(object, rest, value);
    }
}

/// Splits a setting into stage, name and value. The value is written as in TOML, but a word needs
/// no quotes.
fn split_setting(entry: &str) -> Result<(&str, &str, Value), ConfigError> {
    let split = entry.split_once('=').and_then(|(name, value)| {
        let (stage, name) = name.trim().split_once('.')?;
        Some((stage, name, value.trim()))
    });
    let Some((stage, name, value)) =
        split.filter(|(stage, name, _)| !stage.is_empty() && !name.is_empty())
    else {
        return Err(ConfigError::NoSetting { entry: entry.to_owned() });
    };
    let table: Option<Map<String, Value>> = toml::from_str(&format!("value = {value}")).ok();
    let value = table
        .filter(|table| table.len() == 1)
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(value.to_owned()));
    Ok((stage, name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn made(names: &[&str], set: &[&str]) -> Result<Vec<Value>, String> {
        let owned = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        let config =
            Config { stages: Some(owned(names)), set: Some(owned(set)), ..Config::default() };
        config.settings().map(|settings| settings.stages.fingerprints()).map_err(|e| e.to_string())
    }

    #[test]
    fn settings_reach_their_stages_and_the_last_counts() {
        let set = ["length.min_chars=5", "length.min_chars = 7", "mask.phones=true"];
        let made = made(&["length", "mask"], &set).unwrap();
        assert_eq!(made[0]["length"]["settings"]["min_chars"], 7);
        assert_eq!(made[1]["mask"]["settings"]["phones"], true);
    }

    #[test]
    fn dots_set_the_members_of_a_setting() {
        let set = ["language.min_scores={deu=0.5}", "language.min_scores.eng=0.25"];
        let made = made(&["language"], &set).unwrap();
        let expected = serde_json::json!({"deu": 0.5, "eng": 0.25});
        assert_eq!(made[0]["language"]["settings"]["min_scores"], expected);
        let set = ["fasttext.models.quality.lines=glued"];
        let problem = self::made(&["fasttext"], &set).unwrap_err();
        assert!(problem.contains("--set fasttext.models.quality.path=FILE"), "{problem}");
    }

    #[test]
    fn what_cannot_be_is_said() {
        let problem = |names: &[&str], set: &[&str]| made(names, set).unwrap_err();
        assert!(problem(&["lengt"], &[]).starts_with("unknown stage 'lengt'; the stages are url,"));
        assert_eq!(problem(&["mask", "mask"], &[]), "stages names 'mask' twice");
        assert_eq!(
            problem(&["mask"], &["length.min_chars=5"]),
            "'length.min_chars=5' is a setting of a stage that does not run: add length to stages"
        );
        assert!(problem(&["mask"], &["phones"]).contains("STAGE.SETTING=VALUE"));
        assert!(problem(&["length"], &["length.min=5"]).contains("unknown field `min`"));
        assert!(problem(&["length"], &["length.min_chars=many"]).contains("invalid type"));
    }
}
