//! Replicas that go, hang, or are nothing of the kind.

mod support;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use burraco::v1::{ListPresetsRequest, Preset};
use burraco::{Client, Code, Error, Table, retry};
use support::{API_KEY, Server};

fn code(error: &Error) -> Code {
    error.call().unwrap_or_else(|| panic!("{error:?} is no failed call")).code
}

fn to(targets: &[String]) -> Client {
    Client::builder(&targets.join(",")).api_key(API_KEY).connect().unwrap()
}

/// A listener that does this with every connection; its address, and how many there were.
fn listener(mut with: impl FnMut(std::net::TcpStream) + Send + 'static) -> (String, Arc<AtomicUsize>) {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, count) = (socket.local_addr().unwrap().to_string(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&count);
    thread::spawn(move || {
        for stream in socket.incoming().flatten() {
            counted.fetch_add(1, Ordering::SeqCst);
            with(stream);
        }
    });
    (address, count)
}

/// An address where nobody listens.
fn nobody() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[tokio::test]
async fn calls_go_round_and_none_fails_when_a_replica_is_killed() {
    let mut servers = [Server::start(), Server::start()];
    let client = to(&servers.each_ref().map(Server::target));
    let table = Arc::new(Table::create(&client, Preset::Italian).await.unwrap());
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let (table, stop) = (Arc::clone(&table), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut made = 0;
                while !stop.load(Ordering::SeqCst) {
                    table.view(0).await.unwrap_or_else(|error| panic!("after {made} calls: {error}"));
                    made += 1;
                }
                made
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    servers[0].kill();
    tokio::time::sleep(Duration::from_millis(2500)).await;
    stop.store(true, Ordering::SeqCst);
    for caller in callers {
        assert!(caller.await.unwrap() > 20);
    }
}

#[tokio::test]
async fn an_address_where_nobody_listens_costs_no_call() {
    let server = Server::start();
    let client = to(&[nobody(), server.target(), nobody()]);
    for _ in 0..20 {
        client.call(ListPresetsRequest {}).await.unwrap();
    }
}

#[tokio::test]
async fn a_service_that_is_not_there_is_unavailable() {
    let error = to(&[nobody()]).call(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(code(&error), Code::Unavailable);
    assert!(error.is_transient());
}

#[tokio::test]
async fn a_replica_that_comes_back_is_found_again() {
    let mut server = Server::start();
    let port = server.port.to_string();
    let client = server.client();
    client.call(ListPresetsRequest {}).await.unwrap();
    server.kill();
    assert_eq!(code(&client.call(ListPresetsRequest {}).await.unwrap_err()), Code::Unavailable);
    let again = Server::start_with(&[("BURRACO_PORT", &port)]);
    assert_eq!(again.port, server.port);
    client.call(ListPresetsRequest {}).await.unwrap();
}

#[tokio::test]
async fn connections_that_break_are_tried_four_times() {
    let (address, count) = listener(drop);
    let error = to(&[address]).call(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(code(&error), Code::Unavailable, "{error}");
    assert_eq!(count.load(Ordering::SeqCst), retry::MAX_ATTEMPTS as usize);
}

#[tokio::test]
async fn connections_that_break_after_the_request_are_tried_elsewhere() {
    let (address, count) = listener(|mut stream| {
        let mut read = [0; 16];
        let _ = stream.read(&mut read);
        // An empty SETTINGS frame: HTTP/2 as far as it goes.
        let _ = stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]);
        thread::sleep(Duration::from_millis(50));
    });
    let server = Server::start();
    let client = to(&[address, server.target()]);
    for _ in 0..4 {
        client.call(ListPresetsRequest {}).await.unwrap();
    }
    assert!(count.load(Ordering::SeqCst) > 0);
}

#[tokio::test]
async fn what_speaks_no_http_2_is_unavailable() {
    let (address, _) = listener(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    });
    let error = to(&[address]).call(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(code(&error), Code::Unavailable, "{error}");
}

#[tokio::test]
async fn a_service_that_never_answers_ends_with_the_deadline() {
    let held = Arc::new(Mutex::new(vec![]));
    let (address, _) = listener(move |stream| held.lock().unwrap().push(stream));
    let client = to(&[address]).with_timeout(Duration::from_millis(400));
    let began = Instant::now();
    let error = client.call(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(code(&error), Code::DeadlineExceeded, "{error}");
    assert!(error.to_string().contains("no answer within 400ms"), "{error}");
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(390) && took < Duration::from_secs(2), "{took:?}");
}

#[tokio::test]
async fn a_name_that_nobody_has_is_unavailable_and_named() {
    let client = burraco::connect("name-of-nobody.invalid:50051").unwrap().with_timeout(Duration::from_secs(20));
    let error = client.call(ListPresetsRequest {}).await.unwrap_err();
    assert_eq!(code(&error), Code::Unavailable);
    assert!(error.to_string().contains("name-of-nobody.invalid:50051 cannot be found"), "{error}");
}

#[tokio::test]
async fn a_name_is_resolved() {
    let server = Server::start();
    let client = to(&[format!("dns:///localhost:{}", server.port)]);
    for _ in 0..4 {
        client.call(ListPresetsRequest {}).await.unwrap();
    }
}
