//! The numbers of the retries are those of the service config that other languages use as it is.

mod support;

use std::fs;

use burraco::code_name;
use burraco::retry::{BACKOFF_MULTIPLIER, INITIAL_BACKOFF, MAX_ATTEMPTS, MAX_BACKOFF, RETRYABLE};
use serde_json::{Value, json};

#[test]
fn retries_are_those_of_the_service_config() {
    let path = support::repository().join("clients/python/burraco/service_config.json");
    let config: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let own = json!({
        "maxAttempts": MAX_ATTEMPTS,
        "initialBackoff": format!("{}s", INITIAL_BACKOFF.as_secs_f64()),
        "maxBackoff": format!("{}s", MAX_BACKOFF.as_secs_f64()),
        "backoffMultiplier": BACKOFF_MULTIPLIER,
        "retryableStatusCodes": RETRYABLE.map(code_name),
    });
    assert_eq!(config["methodConfig"][0]["retryPolicy"], own);
    assert_eq!(config["loadBalancingConfig"], json!([{"round_robin": {}}]));
}
