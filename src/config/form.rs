//! The form of a configuration file: what is no TOML, or has a key or a word that nobody knows.
//!
//! The `toml` crate shows the line with a caret and lists what it knows; here the nearest of that list is
//! added, and the table into which a key belongs that was put into another.

use serde_json::Value;
use thiserror::Error;

use super::Config;

/// Why a text is no configuration: line, caret, what was expected, and perhaps what was meant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FormError(String);

impl FormError {
    pub(super) fn new(error: &toml::de::Error) -> Self {
        let shown = error.to_string();
        let shown = shown.trim_end();
        match hint(error.message()) {
            Some(hint) => Self(format!("{shown}; {hint}")),
            None => Self(shown.to_owned()),
        }
    }

    /// The text of a file, which is UTF-8.
    pub(super) fn text_of(bytes: &[u8]) -> Result<&str, Self> {
        str::from_utf8(bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            Self(format!("line {line} is not UTF-8; save the file as UTF-8"))
        })
    }
}

/// What may have been meant, for a message like ``unknown field `x`, expected one of `y`, `z` ``.
fn hint(message: &str) -> Option<String> {
    let is_key = message.starts_with("unknown field `");
    if !is_key && !message.starts_with("unknown variant `") {
        return None;
    }
    let mut quoted = message.split('`').skip(1).step_by(2);
    let found = quoted.next()?;
    if let Some(nearest) = nearest(found, quoted) {
        return Some(format!("did you mean `{nearest}`?"));
    }
    let tables = known_keys().into_iter().filter(|(_, key)| is_key && key == found);
    let tables: Vec<String> = tables.map(|(table, _)| format!("[{table}]")).collect();
    (!tables.is_empty()).then(|| format!("`{found}` belongs in {}", tables.join(" or ")))
}

/// The candidate that is written most like `found`; `None` where none is like it.
fn nearest<'a>(found: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase().replace('_', "-");
    let allowed = (found.chars().count() / 3).max(1);
    candidates
        .map(|candidate| (distance(&found, candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters have to be put in, left out or replaced to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &other_letter) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other_letter);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

/// Every key with its table, as the program knows them.
pub(super) fn known_keys() -> Vec<(String, String)> {
    let Ok(Value::Object(tables)) = serde_json::to_value(Config::default()) else { return Vec::new() };
    let keys = |(table, keys): (String, Value)| {
        let keys = match keys {
            Value::Object(keys) => keys,
            _ => serde_json::Map::new(),
        };
        keys.into_iter().map(move |(key, _)| (table.clone(), key))
    };
    tables.into_iter().flat_map(keys).collect()
}

/// The keys, with their tables, in which two configurations differ.
pub(super) fn differences(one: &Config, other: &Config) -> Vec<(String, String)> {
    let (Ok(one), Ok(other)) = (serde_json::to_value(one), serde_json::to_value(other)) else {
        return Vec::new();
    };
    known_keys().into_iter().filter(|(table, key)| one[table][key] != other[table][key]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (one, other, expected) in
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("pass-ms", "pass-ms", 0), ("é", "e", 1)]
        {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }
}
