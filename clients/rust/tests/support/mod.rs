//! Servers for tests: processes of the real service, on free ports of loopback.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use burraco::{Builder, Client};
use serde_json::Value;

pub const API_KEY: &str = "key-of-the-tests-of-a-client";
/// Runs the service until the input ends, as it does when the test process ends, however it does.
const RUN: &str = r#""$0" -m service & read -r _; kill -9 $!"#;
const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A server process; it is killed when this is dropped.
pub struct Server {
    process: Child,
    pub port: u16,
}

impl Server {
    /// A server that knows back ends by [`API_KEY`].
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(settings: &[(&str, &str)]) -> Self {
        let mut environment = BTreeMap::from([
            ("BURRACO_PORT", "0"),
            ("BURRACO_SEALING_KEY", KEY),
            ("BURRACO_API_KEYS", API_KEY),
            ("BURRACO_DRAIN_SECONDS", "0"),
            ("BURRACO_LOG_LEVEL", "warning"),
        ]);
        environment.extend(settings.iter().copied());
        let mut process = Command::new("sh")
            .args(["-c", RUN])
            .arg(python())
            .current_dir(repository())
            .env_remove("BURRACO_TARGET")
            .env_remove("BURRACO_ARBITER_TARGET")
            .env_remove("BURRACO_VECTORS")
            .env_remove("BURRACO_PYTHON")
            .env_remove("BURRACO_TRANSPORT")
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server's Python runs");
        let mut line = String::new();
        let output = process.stdout.as_mut().expect("its output is piped");
        BufReader::new(output).read_line(&mut line).expect("the server says something");
        let announced: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("the server said {line:?}"));
        let port = announced["port"].as_u64().and_then(|port| u16::try_from(port).ok());
        Self { process, port: port.unwrap_or_else(|| panic!("the server said {line:?}")) }
    }

    pub fn target(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn builder(&self) -> Builder {
        Client::builder(&self.target()).api_key(API_KEY)
    }

    pub fn client(&self) -> Client {
        self.builder().connect().expect("a target of a test is an address")
    }

    /// Ends it at once, as a machine that fails does.
    pub fn kill(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Python that runs the service: `BURRACO_PYTHON`, or the one that `make` of the repository sets up.
pub fn python() -> PathBuf {
    let made = repository().join(".venv/bin/python");
    let python = env::var_os("BURRACO_PYTHON").map_or(made, PathBuf::from);
    assert!(
        python.exists(),
        "these tests talk to the real service, and {} is missing: run `make test` in the repository once, or set \
         BURRACO_PYTHON to a Python that has the service",
        python.display()
    );
    python
}
