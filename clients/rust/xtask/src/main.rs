//! Writes what is made of the protos anew: the code of the client, and the descriptors that its conformance runner makes JSON
//! with. Users of the client need neither this nor a compiler of protos.
//!
//! `buf` reads the protos: the one beside the Python that `BURRACO_PYTHON` names, or that of the repository's own environment.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use prost::Message;
use prost_types::FileDescriptorSet;

const GENERATED: &str = "src/generated";
const DESCRIPTORS: &str = "conformance/burraco.binpb";
/// The options that say how RPCs look as JSON over HTTP are nothing to a client.
const LEFT_OUT: &str = "google/api/";

fn main() -> Result<(), Box<dyn Error>> {
    // Of this run, not of the compilation: a copy of the repository may share its build with the original.
    let own = env::var_os("CARGO_MANIFEST_DIR").ok_or("run it with `cargo run -p xtask`")?;
    let client = Path::new(&own).parent().ok_or("xtask lies in the folder of the client")?;
    let mut protos = read_protos(&client.join("../.."))?;
    protos.file.retain(|file| !file.name().starts_with(LEFT_OUT));
    for file in &mut protos.file {
        file.dependency.retain(|name| !name.starts_with(LEFT_OUT));
        for method in file.service.iter_mut().flat_map(|service| &mut service.method) {
            method.options = None;
        }
    }
    write_code(&protos, &client.join(GENERATED))?;
    write_descriptors(protos, &client.join(DESCRIPTORS))?;
    Ok(())
}

/// Everything that the client needs of the protos, comments included.
fn read_protos(repository: &Path) -> Result<FileDescriptorSet, Box<dyn Error>> {
    let mut buf = Command::new(buf(repository));
    buf.current_dir(repository).args(["build", "--as-file-descriptor-set", "--path", "protos/burraco"]);
    let made = buf.args(["--path", "third_party/google/rpc", "--output", "-"]).output();
    let made = made.map_err(|error| {
        format!(
            "{} cannot be run: {error}; run `make test` in the repository once, or set BURRACO_PYTHON",
            buf.get_program().display()
        )
    })?;
    if !made.status.success() {
        return Err(format!("buf failed: {}", String::from_utf8_lossy(&made.stderr)).into());
    }
    Ok(FileDescriptorSet::decode(made.stdout.as_slice())?)
}

fn buf(repository: &Path) -> PathBuf {
    let own = || repository.join(".venv/bin/python").into_os_string();
    Path::new(&env::var_os("BURRACO_PYTHON").unwrap_or_else(own)).with_file_name("buf")
}

fn write_code(protos: &FileDescriptorSet, folder: &Path) -> Result<(), Box<dyn Error>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let mut config = tonic_prost_build::Config::new();
    // In one order always, and so that details of errors can be compared.
    config.btree_map(["."]);
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .emit_rerun_if_changed(false)
        .include_file("mod.rs")
        .out_dir(folder)
        .compile_fds_with_config(protos.clone(), config)?;
    Ok(())
}

/// Without comments, which nothing reads there and which are most of the bytes.
fn write_descriptors(mut protos: FileDescriptorSet, path: &Path) -> Result<(), Box<dyn Error>> {
    for file in &mut protos.file {
        file.source_code_info = None;
    }
    fs::write(path, protos.encode_to_vec())?;
    println!("{}", path.display());
    Ok(())
}
