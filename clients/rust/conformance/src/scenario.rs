//! Runs a scenario: each step's request is sent, and the answer compared with what is expected.

use serde_json::{Map, Value};

use crate::caller::{Caller, Payload};
use crate::json::{Difference, Problem, Variables, bytes_of, differences, resolve, take_out, text_at};

/// Runs a scenario until its end or its first failure, and gives what is wrong, a line each; `metadata` is sent where a step
/// has none of its own.
pub async fn run(scenario: &Value, caller: &Caller, metadata: &Value) -> Vec<String> {
    let mut variables = Variables::new();
    for (name, value) in scenario["variables"].as_object().into_iter().flatten() {
        variables.insert(name.clone(), value.as_str().unwrap_or_default().to_owned());
    }
    let Some(steps) = scenario["steps"].as_array() else { return vec!["there are no steps".to_owned()] };
    for (at, step) in steps.iter().enumerate() {
        let rpc = step["rpc"].as_str().unwrap_or_default();
        let found = match run_step(step, caller, metadata, &mut variables).await {
            Ok(found) => found,
            Err(problem) => vec![Difference::new("(the step)", &"to be run", &problem)],
        };
        if !found.is_empty() {
            return found.iter().map(|each| format!("step {at}, {rpc}, {each}")).collect();
        }
    }
    vec![]
}

async fn run_step(
    step: &Value,
    caller: &Caller,
    metadata: &Value,
    variables: &mut Variables,
) -> Result<Vec<Difference>, Problem> {
    let rpc = step["rpc"].as_str().ok_or("a step without an RPC")?;
    let sent = resolve(step.get("metadata").unwrap_or(metadata), variables)?;
    let payload = match step.get("requestBytes").and_then(Value::as_str) {
        Some(bytes) => Payload::Raw(bytes_of(bytes)?),
        None => Payload::Json(resolve(step.get("request").unwrap_or(&Value::Object(Map::new())), variables)?),
    };
    let actual = caller.call(rpc, sent.as_object().ok_or("metadata is an object")?, payload).await?;
    let mut found = compare(step.get("expect").ok_or("a step without an expectation")?, &actual)?;
    for (name, path) in step["save"].as_object().into_iter().flatten() {
        let path = path.as_str().ok_or("a path is a text")?;
        match text_at(&actual["answer"], path)? {
            Some(text) => drop(variables.insert(name.clone(), text.to_owned())),
            None => found.push(Difference::new(
                format!("answer.{path}"),
                &format!("something to save as {name}"),
                &"(absent)",
            )),
        }
    }
    Ok(found)
}

/// What stands under `any` has to be there; neither that nor what stands under `ignore` is compared.
fn compare(expect: &Value, actual: &Value) -> Result<Vec<Difference>, Problem> {
    let (mut expected, mut compared, mut found) = (expect.clone(), actual.clone(), vec![]);
    for (list, has_to_be_there) in [("any", true), ("ignore", false)] {
        for path in expect[list].as_array().into_iter().flatten() {
            let path = path.as_str().ok_or("a path is a text")?;
            let taken = match compared.get_mut("answer") {
                Some(answer) => take_out(answer, path)?,
                None => continue,
            };
            if has_to_be_there && taken == 0 {
                found.push(Difference::new(format!("answer.{path}"), &"(anything)", &"(absent)"));
            }
        }
        if let Some(object) = expected.as_object_mut() {
            object.remove(list);
        }
    }
    differences(&expected, &compared, "", &mut found);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(expect: &Value, actual: &Value) -> Vec<String> {
        compare(expect, actual).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_build_makes_itself_has_to_be_there_and_is_not_compared() {
        let expect = json!({"code": "OK", "any": ["state"], "ignore": ["view"], "answer": {"revision": "1"}});
        assert!(told(&expect, &json!({"code": "OK", "answer": {"state": "x", "revision": "1", "view": 3}})).is_empty());
        let absent = told(&expect, &json!({"code": "OK", "answer": {"revision": "2", "more": 1}}));
        assert_eq!(
            absent,
            [
                "answer.state: expected (anything), actual (absent)",
                "answer.more: expected (absent), actual 1",
                r#"answer.revision: expected "1", actual "2""#,
            ]
        );
    }

    #[test]
    fn a_failure_is_compared_with_all_its_parts() {
        let expect = json!({"code": "ABORTED", "reason": "R", "arguments": {"a": "1"}});
        assert_eq!(told(&expect, &json!({"code": "ABORTED", "reason": "R", "retryDelay": "1s"})).len(), 2);
        assert!(!told(&expect, &json!({"code": "OK", "answer": {}})).is_empty());
    }
}
