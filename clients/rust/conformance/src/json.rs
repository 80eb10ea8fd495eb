//! JSON values of a vector: paths into them, references to what earlier steps saved, and differences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Map, Value};

/// What is wrong with a vector, or with what it refers to.
pub type Problem = String;

/// Variables of a scenario, by name.
pub type Variables = BTreeMap<String, String>;

/// A place where an answer is not what was expected.
#[derive(Debug, PartialEq)]
pub struct Difference {
    pub path: String,
    pub expected: String,
    pub actual: String,
}

impl Difference {
    pub fn new(path: impl Into<String>, expected: &impl ToString, actual: &impl ToString) -> Self {
        Self { path: path.into(), expected: expected.to_string(), actual: actual.to_string() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: expected {}, actual {}", self.path, self.expected, self.actual)
    }
}

// --- paths ----------------------------------------------------------------------------------------------------------

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Name(String),
    Index(usize),
    Each,
}

/// Reads a path such as `accepted.updates[0].view`.
fn steps(path: &str) -> Result<Vec<Step>, Problem> {
    let wrong = || format!("{path:?} is no path");
    let mut found = vec![];
    for part in path.split('.') {
        let (name, indexes) = part.split_at(part.find('[').unwrap_or(part.len()));
        if name.is_empty() || !name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_') {
            return Err(wrong());
        }
        found.push(Step::Name(name.to_owned()));
        for index in indexes.split_terminator(']') {
            let index = index.strip_prefix('[').ok_or_else(wrong)?;
            found.push(if index == "*" { Step::Each } else { Step::Index(index.parse().map_err(|_| wrong())?) });
        }
    }
    Ok(found)
}

/// The text at a path without `*`, if there is one.
pub fn text_at<'a>(value: &'a Value, path: &str) -> Result<Option<&'a str>, Problem> {
    let found = steps(path)?.iter().try_fold(value, |at, step| match step {
        Step::Name(name) => at.get(name),
        Step::Index(index) => at.get(index),
        Step::Each => None,
    });
    Ok(found.and_then(Value::as_str))
}

/// Removes what a path leads to; how often it led somewhere.
pub fn take_out(value: &mut Value, path: &str) -> Result<usize, Problem> {
    let steps = steps(path)?;
    let Some((Step::Name(last), way)) = steps.split_last() else {
        return Err(format!("{path:?} has to end with a name: an array keeps its length"));
    };
    let mut holders = vec![value];
    for step in way {
        holders = holders.into_iter().flat_map(|holder| inside(holder, step)).collect();
    }
    let objects = holders.into_iter().filter_map(Value::as_object_mut);
    Ok(objects.filter_map(|object| object.remove(last)).count())
}

fn inside<'a>(holder: &'a mut Value, step: &Step) -> Vec<&'a mut Value> {
    match step {
        Step::Name(name) => holder.get_mut(name).into_iter().collect(),
        Step::Index(index) => holder.get_mut(index).into_iter().collect(),
        Step::Each => holder.as_array_mut().into_iter().flatten().collect(),
    }
}

// --- references -----------------------------------------------------------------------------------------------------

/// Puts values in the place of references, all the way down.
pub fn resolve(value: &Value, variables: &Variables) -> Result<Value, Problem> {
    match value {
        Value::Array(values) => values.iter().map(|each| resolve(each, variables)).collect(),
        Value::Object(object) => {
            if let Some(text) = reference(object, variables)? {
                return Ok(Value::String(text));
            }
            let resolved = object.iter().map(|(key, each)| Ok((key.clone(), resolve(each, variables)?)));
            Ok(Value::Object(resolved.collect::<Result<Map<_, _>, Problem>>()?))
        }
        other => Ok(other.clone()),
    }
}

fn reference(object: &Map<String, Value>, variables: &Variables) -> Result<Option<String>, Problem> {
    let variable = |name: &Value| {
        let saved = name.as_str().and_then(|name| variables.get(name));
        saved.ok_or_else(|| format!("the variable {name} was never saved"))
    };
    if let Some(name) = object.get("$var") {
        return Ok(Some(variable(name)?.clone()));
    }
    if let Some(name) = object.get("$bytes") {
        return Ok(Some(BASE64_STANDARD.encode(edited(bytes_of(variable(name)?)?, object)?)));
    }
    if let Some(name) = object.get("$text") {
        let changed = edited(variable(name)?.clone().into_bytes(), object)?;
        return String::from_utf8(changed).map(Some).map_err(|error| format!("{name}, changed, is no text: {error}"));
    }
    if let Some(count) = object.get("$zeros") {
        let count = count.as_u64().and_then(|count| usize::try_from(count).ok());
        return Ok(Some(BASE64_STANDARD.encode(vec![0; count.ok_or("$zeros takes a number")?])));
    }
    Ok(None)
}

/// Changes content as asked: `xor` first, then `cut`, then `append`.
fn edited(mut content: Vec<u8>, edits: &Map<String, Value>) -> Result<Vec<u8>, Problem> {
    for change in edits.get("xor").and_then(Value::as_array).into_iter().flatten() {
        let read = || {
            let at = isize::try_from(change["at"].as_i64()?).ok()?;
            let at = if at < 0 { content.len().checked_add_signed(at)? } else { at.unsigned_abs() };
            (at < content.len()).then_some((at, u8::try_from(change["with"].as_u64()?).ok()?))
        };
        let (at, with) = read().ok_or_else(|| format!("{change} changes no byte that is there"))?;
        content[at] ^= with;
    }
    if let Some(keep) = edits.get("cut") {
        content.truncate(keep.as_u64().and_then(|keep| usize::try_from(keep).ok()).ok_or("cut takes a number")?);
    }
    if let Some(more) = edits.get("append") {
        content.extend(bytes_of(more.as_str().ok_or("append takes base64")?)?);
    }
    Ok(content)
}

/// Bytes as the JSON mapping writes them.
pub fn bytes_of(text: &str) -> Result<Vec<u8>, Problem> {
    BASE64_STANDARD.decode(text).map_err(|error| format!("{text:?} is no base64: {error}"))
}

// --- differences ----------------------------------------------------------------------------------------------------

/// Every place where two values differ; neither may have a key that the other has not.
pub fn differences(expected: &Value, actual: &Value, path: &str, found: &mut Vec<Difference>) {
    match (expected, actual) {
        (Value::Object(wanted), Value::Object(given)) => {
            for key in wanted.keys().chain(given.keys()).collect::<BTreeSet<_>>() {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(wanted.get(key), given.get(key), &inner, found);
            }
        }
        (Value::Array(wanted), Value::Array(given)) => {
            for at in 0..wanted.len().max(given.len()) {
                compare(wanted.get(at), given.get(at), &format!("{path}[{at}]"), found);
            }
        }
        _ if expected != actual => found.push(Difference::new(path, expected, actual)),
        _ => {}
    }
}

fn compare(expected: Option<&Value>, actual: Option<&Value>, path: &str, found: &mut Vec<Difference>) {
    if let (Some(expected), Some(actual)) = (expected, actual) {
        return differences(expected, actual, path, found);
    }
    let shown = |value: Option<&Value>| value.map_or("(absent)".to_owned(), Value::to_string);
    found.push(Difference { path: path.to_owned(), expected: shown(expected), actual: shown(actual) });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(expected: &Value, actual: &Value) -> Vec<String> {
        let mut found = vec![];
        differences(expected, actual, "", &mut found);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_differs_is_found_wherever_it_is() {
        let expected = json!({"a": {"b": ["x", {"c": 1}]}, "only": true});
        assert!(found(&expected, &expected).is_empty());
        let actual = json!({"a": {"b": ["y", {"c": "1"}, 3]}, "other": null});
        assert_eq!(
            found(&expected, &actual),
            [
                r#"a.b[0]: expected "x", actual "y""#,
                r#"a.b[1].c: expected 1, actual "1""#,
                "a.b[2]: expected (absent), actual 3",
                "only: expected true, actual (absent)",
                "other: expected (absent), actual null",
            ]
        );
    }

    #[test]
    fn paths_lead_to_values_and_take_them_out() {
        let mut value = json!({"updates": [{"view": {"n": "a"}}, {"view": {"n": "b"}}, {}]});
        assert_eq!(text_at(&value, "updates[1].view.n"), Ok(Some("b")));
        assert_eq!(text_at(&value, "updates[2].view.n"), Ok(None));
        assert_eq!(text_at(&value, "updates"), Ok(None));
        assert_eq!(take_out(&mut value, "updates[*].view.n"), Ok(2));
        assert_eq!(value, json!({"updates": [{"view": {}}, {"view": {}}, {}]}));
        assert_eq!(take_out(&mut value, "nothing.there"), Ok(0));
        for wrong in ["", "a..b", "a[x]", "[0]", "a]"] {
            assert!(text_at(&value, wrong).is_err(), "{wrong}");
        }
        assert!(take_out(&mut value, "updates[0]").is_err());
    }

    #[test]
    fn references_become_values() {
        let variables = Variables::from([("state".into(), "AQID".into()), ("token".into(), "abc".into())]);
        let request = json!({"state": {"$var": "state"}, "deep": [{"$text": "token", "xor": [{"at": -1, "with": 1}], "cut": 3}],
            "bytes": {"$bytes": "state", "xor": [{"at": 0, "with": 2}], "cut": 2, "append": "/w=="}, "zeros": {"$zeros": 3}});
        let expected = json!({"state": "AQID", "deep": ["abb"], "bytes": "AwL/", "zeros": "AAAA"});
        assert_eq!(resolve(&request, &variables), Ok(expected));
        assert!(resolve(&json!({"$var": "never"}), &variables).unwrap_err().contains("never saved"));
        assert!(resolve(&json!({"$bytes": "state", "xor": [{"at": 3, "with": 1}]}), &variables).is_err());
        assert!(resolve(&json!({"$bytes": "state", "xor": [{"at": -4, "with": 1}]}), &variables).is_err());
    }
}
