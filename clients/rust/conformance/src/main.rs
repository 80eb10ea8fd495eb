//! Runs the conformance vectors, and one whole match with the hand-written layer, against a server that is there.
//!
//! `BURRACO_TARGET` is its address, `BURRACO_ARBITER_TARGET` that of its arbiter (without it those scenarios are skipped), and
//! `BURRACO_VECTORS` the folder with `manifest.json`. Words on the command line choose scenarios that have them in their path.

mod caller;
mod json;
mod raw;
mod scenario;
mod script;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use burraco::Client;
use serde_json::Value;

use crate::caller::Caller;
use crate::json::Problem;

const FORMAT: u64 = 1;
const API_KEY: &str = "burraco-api-key";
const MATCH: &str = "match";

#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

async fn run() -> Result<bool, Problem> {
    let target = env::var("BURRACO_TARGET").map_err(|_| "set BURRACO_TARGET to HOST:PORT of a server")?;
    let arbiter = env::var("BURRACO_ARBITER_TARGET").ok().filter(|target| !target.is_empty());
    let folder = env::var_os("BURRACO_VECTORS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/conformance"));
    let words: Vec<_> = env::args().skip(1).collect();

    let manifest = read(&folder.join("manifest.json"))?;
    if manifest["format"] != FORMAT {
        return Err(format!("the vectors are of format {}, and this runner knows format {FORMAT}", manifest["format"]));
    }
    let caller = Caller::new(&target, arbiter.as_deref())?;
    let mut able = vec!["rawRequests", "unknownEnums"];
    able.extend(arbiter.is_some().then_some("arbiter"));

    let mut parts: BTreeMap<String, Counts> = BTreeMap::new();
    for file in manifest["files"].as_array().into_iter().flatten() {
        let path = file["path"].as_str().ok_or("a file without a path")?;
        if !words.iter().all(|word| path.contains(word.as_str())) {
            continue;
        }
        let part = path.trim_start_matches("vectors/").split('/').next().unwrap_or_default();
        let counts = parts.entry(part.to_owned()).or_default();
        let scenario = read(&folder.join(path))?;
        let needs = scenario["needs"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let lacking: Vec<_> = needs.filter(|need| !able.contains(need)).collect();
        if !lacking.is_empty() {
            println!("SKIPPED {path}, which needs {}", lacking.join(", "));
            counts.skipped += 1;
            continue;
        }
        let wrong = scenario::run(&scenario, &caller, &manifest["metadata"]).await;
        for line in &wrong {
            println!("FAILED {path}, {line}");
        }
        if wrong.is_empty() { counts.passed += 1 } else { counts.failed += 1 }
    }
    if words.is_empty() || words.iter().any(|word| word == MATCH) {
        parts.insert(MATCH.to_owned(), run_match(&target, manifest["metadata"][API_KEY].as_str()).await);
    }
    if parts.is_empty() {
        return Err(format!("no scenario has all of {words:?} in its path"));
    }
    Ok(print(parts))
}

async fn run_match(target: &str, api_key: Option<&str>) -> Counts {
    let client = api_key.into_iter().fold(Client::builder(target), burraco::Builder::api_key).connect();
    let ended = match client {
        Ok(client) => script::play_twice(&client).await,
        Err(error) => Err(error.to_string()),
    };
    match ended {
        Ok(()) => Counts { passed: 1, ..Counts::default() },
        Err(problem) => {
            println!("FAILED {MATCH}, {problem}");
            Counts { failed: 1, ..Counts::default() }
        }
    }
}

/// Prints a line for each part, the match last, then their sum; whether nothing failed.
fn print(mut parts: BTreeMap<String, Counts>) -> bool {
    let line =
        |counts: &Counts| format!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    let last = parts.remove(MATCH).map(|counts| (MATCH.to_owned(), counts));
    let mut sum = Counts::default();
    for (part, counts) in parts.into_iter().chain(last) {
        println!("{part}: {}", line(&counts));
        sum.passed += counts.passed;
        sum.failed += counts.failed;
        sum.skipped += counts.skipped;
    }
    println!("{}", line(&sum));
    sum.failed == 0
}

fn read(path: &Path) -> Result<Value, Problem> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}; see BURRACO_VECTORS", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}
