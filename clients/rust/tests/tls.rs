//! Encrypted connections to the real service.
#![cfg(feature = "tls")]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use burraco::v1::{ListPresetsRequest, Preset};
use burraco::{Client, Code, Table};
use support::{API_KEY, Server, python, repository};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// Writes a CA, the server's certificate and a client's, with what the service's own tests make theirs.
const CERTIFICATES: &str = "
import sys
from pathlib import Path
from tests.server.certificates import LOCALHOST, Authority
folder, authority = Path(sys.argv[1]), Authority()
(folder / 'ca.pem').write_bytes(authority.certificate)
authority.issue('server', LOCALHOST).write(folder, 'server')
authority.issue('back-end').write(folder, 'client')
";

fn certificates(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let made = Command::new(python()).args(["-c", CERTIFICATES]).arg(&folder).current_dir(repository()).status();
    assert!(made.unwrap().success());
    folder
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap()
}

fn trusting(folder: &Path) -> ClientTlsConfig {
    ClientTlsConfig::new().ca_certificate(Certificate::from_pem(read(folder, "ca.pem")))
}

fn server(folder: &Path, more: &[(&str, &str)]) -> Server {
    let path = |name: &str| folder.join(name).display().to_string();
    let (certificate, key) = (path("server.pem"), path("server.key"));
    let mut settings = vec![("BURRACO_TLS_CERTIFICATE_FILE", &certificate[..]), ("BURRACO_TLS_KEY_FILE", &key)];
    settings.extend_from_slice(more);
    Server::start_with(&settings)
}

#[tokio::test]
async fn a_connection_is_encrypted_by_name_and_by_address() {
    let folder = certificates("server_only");
    let server = server(&folder, &[]);
    for target in [format!("localhost:{}", server.port), server.target()] {
        let client = Client::builder(&target).api_key(API_KEY).tls_config(trusting(&folder)).connect().unwrap();
        Table::create(&client, Preset::Italian).await.unwrap();
    }
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_is_not_spoken_to() {
    let folder = certificates("unknown_ca");
    let server = server(&folder, &[]);
    let stranger = Client::builder(&server.target()).api_key(API_KEY).tls().connect().unwrap();
    let error = stranger.call(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(error.call().unwrap().code, Code::Unavailable, "{error}");
    let plain = server.client().call(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(plain.call().unwrap().code, Code::Unavailable, "{plain}");
}

#[tokio::test]
async fn a_certificate_says_who_calls() {
    let folder = certificates("mutual");
    let ca = folder.join("ca.pem").display().to_string();
    let more = [("BURRACO_TLS_CLIENT_CA_FILE", &ca[..]), ("BURRACO_BACK_END_CERTIFICATES", "cn:back-end")];
    let server = server(&folder, &more);
    let identity = Identity::from_pem(read(&folder, "client.pem"), read(&folder, "client.key"));
    let config = trusting(&folder).identity(identity);
    let client = Client::builder(&server.target()).tls_config(config).connect().unwrap();
    Table::create(&client, Preset::Italian).await.unwrap();
    let nobody = Client::builder(&server.target()).tls_config(trusting(&folder)).connect().unwrap();
    assert!(nobody.call(ListPresetsRequest {}).await.is_err());
}
