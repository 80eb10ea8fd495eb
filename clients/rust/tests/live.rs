//! The layer against the real service.

mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use burraco::v1::{
    ApplyMovesRequest, BurracoRules, Card, CommitSeedRequest, CreateMatchRequest, GetViewRequest, HandOrder, MoveKind,
    Phase, Preset, RaminoRules, Reason, StreamApplyMovesRequest, Viewer, stream_apply_moves_response,
};
use burraco::{Client, Code, Error, Table, cards, legal, moves};
use support::{API_KEY, Server};
use tokio::sync::OnceCell;

const SEED: [u8; 32] = [7; 32];
static SERVER: OnceCell<Server> = OnceCell::const_new();

async fn client() -> Client {
    SERVER.get_or_init(|| async { Server::start() }).await.client()
}

fn failure(error: &Error) -> &burraco::RulesError {
    error.call().unwrap_or_else(|| panic!("{error:?} is no failed call"))
}

async fn fresh(client: &Client) -> Table {
    Table::create(client, CreateMatchRequest::of(Preset::Italian).with_given_seed(SEED).with_dealer(0)).await.unwrap()
}

#[tokio::test]
async fn a_turn_is_played() {
    let mut table = fresh(&client().await).await;
    assert_eq!((table.revision(), table.phase(), table.updates().len()), (0, Phase::Draw, 4));
    assert_eq!(table.seat_tokens().iter().collect::<BTreeSet<_>>().len(), 4);
    let seat = table.turn().unwrap();
    table.play(seat, moves::draw()).await.unwrap();
    assert_eq!((table.revision(), table.phase(), table.turn()), (1, Phase::Play, Some(seat)));
    let legal = table.legal(seat).await.unwrap();
    let discard = legal.discards().next().unwrap();
    assert_eq!(table.check(seat, [moves::discard(discard)]).await.unwrap(), []);
    let accepted = table.play(seat, moves::discard(discard)).await.unwrap();
    assert_eq!((table.revision(), accepted.revision, table.turn()), (2, 2, Some((seat + 1) % 4)));
    assert_eq!(table.state(), accepted.state);
    let view = table.view(Viewer::spectator()).await.unwrap();
    assert_eq!((view.revision, view.discard().next_back()), (2, Some(discard)));
}

#[tokio::test]
async fn a_refusal_is_every_violation_and_changes_nothing() {
    let mut table = fresh(&client().await).await;
    let (seat, before) = (table.turn().unwrap(), table.state().to_vec());
    let refused = table.play(seat, moves::meld(cards::cards("7S 7S 8S").unwrap())).await.unwrap_err();
    let Error::Illegal(violations) = &refused else { panic!("{refused:?} is no refusal") };
    assert!(violations.len() > 1, "{violations:?}");
    assert_eq!(violations[0].reason(), Reason::MustDrawFirst);
    assert_eq!(violations, refused.violations());
    assert!(refused.to_string().contains("(B4-15); "), "{refused}");
    assert!(refused.call().is_none() && !refused.is_transient());
    assert_eq!((table.state(), table.revision()), (&before[..], 0));
    assert_eq!(&table.check(seat, [moves::meld(cards::cards("7S 7S 8S").unwrap())]).await.unwrap(), violations);
}

#[tokio::test]
async fn a_failed_call_tells_its_reason_arguments_and_fields() {
    let client = client().await;
    let mut table = fresh(&client).await;
    let older = table.clone();
    let seat = table.turn().unwrap();
    table.play(seat, moves::draw()).await.unwrap();

    let mut behind = Table::resume(&client, table.state(), Viewer::spectator()).await.unwrap();
    assert_eq!((behind.revision(), behind.phase(), behind.turn()), (1, table.phase(), table.turn()));
    let request = ApplyMovesRequest {
        state: table.state().to_vec(),
        seat,
        moves: vec![moves::draw()],
        expected_revision: Some(0),
        ..<_>::default()
    };
    let stale = client.call(request).await.unwrap_err();
    assert_eq!((failure(&stale).code, failure(&stale).reason), (Code::Aborted, Reason::RevisionMismatch));
    let arguments: Vec<_> = failure(&stale).arguments.iter().map(|(name, value)| (&name[..], &value[..])).collect();
    assert_eq!(arguments, [("actual", "1"), ("expected", "0")]);
    assert!(stale.to_string().starts_with("ABORTED REASON_REVISION_MISMATCH: "), "{stale}");

    let wrong = behind.play(7, moves::draw()).await.unwrap_err();
    assert_eq!(failure(&wrong).code, Code::InvalidArgument);
    let fields: Vec<_> = failure(&wrong).fields.iter().map(|wrong| (&wrong.field[..], wrong.reason)).collect();
    assert_eq!(fields, [("seat", Reason::FieldOutOfRange)]);
    assert_eq!((behind.revision(), older.revision()), (1, 0));

    let unfinished = table.score().await.unwrap_err();
    assert_eq!(failure(&unfinished).code, Code::FailedPrecondition);
    assert_eq!(failure(&unfinished).reason, Reason::DealUnfinished);
}

#[tokio::test]
async fn several_wrong_fields_are_all_told() {
    let client = client().await;
    let options = BurracoRules { jokers: Some(9), players: Some(7), ..<_>::default() };
    let wrong =
        Table::create(&client, CreateMatchRequest::of(Preset::Italian).with_options(options)).await.unwrap_err();
    let fields: Vec<_> = failure(&wrong).fields.iter().map(|wrong| wrong.field.clone()).collect();
    assert!(fields.len() > 1, "{wrong}");
    for field in &fields {
        assert!(wrong.to_string().contains(field.as_str()), "{wrong} does not tell of {field}");
    }
}

#[tokio::test]
async fn moves_of_one_call_are_all_made_or_none() {
    let mut table = fresh(&client().await).await;
    let seat = table.turn().unwrap();
    let refused = table.play_all(seat, [moves::draw(), moves::draw()]).await.unwrap_err();
    assert_eq!(refused.violations()[0].move_index, 1);
    assert_eq!(table.revision(), 0);
    let accepted = table
        .apply(ApplyMovesRequest {
            seat,
            moves: vec![moves::draw()],
            viewers: vec![Viewer::spectator(), seat.into()],
            list_legal_moves: true,
            state: b"another".to_vec(), // the table's own win
            expected_revision: Some(9),
            ..<_>::default()
        })
        .await
        .unwrap();
    assert_eq!((table.updates().len(), accepted.updates.len()), (2, 2));
    let legal = accepted.legal_moves.unwrap();
    assert_eq!(legal::expand(&legal).unwrap().len() as u64, legal.count);
}

#[tokio::test]
async fn a_seat_is_known_by_its_token_until_it_is_revoked() {
    let server = Server::start();
    let client = server.client();
    let mut table = fresh(&client).await;
    let seat = table.turn().unwrap();
    let token = table.seat_tokens()[seat as usize].clone();

    let player = client.as_seat(&token).unwrap();
    let mut own = Table::resume(&player, table.state(), seat).await.unwrap();
    assert!(own.view(seat).await.unwrap().seats[seat as usize].hand().count() > 0);
    let other = own.view((seat + 1) % 4).await.unwrap_err();
    assert_eq!(failure(&other).code, Code::PermissionDenied);
    own.play(seat, moves::draw()).await.unwrap();

    let bare = Client::builder(&server.target()).seat_token(&token).connect().unwrap();
    assert_eq!(Table::resume(&bare, own.state(), seat).await.unwrap().revision(), 1);

    let renewed = table.issue_seat_token(seat, 60).await.unwrap();
    assert_eq!((&renewed.state[..], table.revision()), (table.state(), 0));
    let fresh = table.revoke_seat_tokens(seat, 0).await.unwrap();
    assert_eq!((fresh.revision, table.revision(), table.state()), (1, 1, &fresh.state[..]));
    for ended in [&token, &renewed.seat_token] {
        let refused = Table::resume(&client.as_seat(ended).unwrap(), table.state(), seat).await.unwrap_err();
        assert_eq!(failure(&refused).code, Code::Unauthenticated);
    }
    Table::resume(&client.as_seat(&fresh.seat_token).unwrap(), table.state(), seat).await.unwrap();
}

#[tokio::test]
async fn a_caller_who_says_nothing_is_not_known() {
    let server = Server::start();
    let nobody = burraco::connect(&server.target()).unwrap();
    let refused = Table::create(&nobody, Preset::Italian).await.unwrap_err();
    assert_eq!((failure(&refused).code, failure(&refused).reason), (Code::Unauthenticated, Reason::CallerNotKnown));
}

#[tokio::test]
async fn a_match_is_made_as_asked() {
    let client = client().await;
    let committed = client.call(CommitSeedRequest {}).await.unwrap();
    let request = CreateMatchRequest::of(Preset::Ramino)
        .with_options(RaminoRules { players: Some(3), ..<_>::default() })
        .with_request_id("a match of a test")
        .with_sealed_seed(committed.sealed_seed, [b"one".to_vec(), b"two".to_vec()])
        .with_dealer(2)
        .with_hand_order(HandOrder::RankFirst)
        .with_seat_token_seconds(60);
    let table = Table::create(&client, request.clone()).await.unwrap();
    assert_eq!((table.turn(), table.seat_tokens().len()), (Some(0), 3));
    let view = table.view(Viewer::spectator()).await.unwrap();
    let fairness = view.fairness.unwrap();
    assert_eq!((fairness.verifiable, fairness.commitment, fairness.entropy.len()), (true, committed.commitment, 2));
    assert_eq!(Table::create(&client, request.clone()).await.unwrap().state(), table.state());
    let drawn = Table::create(&client, request.with_drawn_seats().with_given_seed(SEED)).await.unwrap_err();
    assert_eq!(failure(&drawn).reason, Reason::FieldsContradict);

    let request = GetViewRequest {
        viewer: Some(0.into()),
        hand_order: HandOrder::RankFirst.into(),
        include_rules: true,
        ..<_>::default()
    };
    let view = table.view_as(request).await.unwrap();
    let ranks: Vec<_> = view.seats[0].hand().map(|card| card as i32 % 16).filter(|&rank| rank > 0).collect();
    assert!(ranks.is_sorted() && view.rules.is_some(), "{ranks:?}");
}

#[tokio::test]
async fn a_list_is_cut_where_asked() {
    let mut table = fresh(&client().await).await;
    let seat = table.turn().unwrap();
    table.play(seat, moves::draw()).await.unwrap();
    let cut = table.legal_at_most(seat, 3).await.unwrap();
    assert!(cut.truncated);
    assert_eq!(legal::expand(&cut).unwrap().len() as u64, cut.count);
}

/// Every single move of every list stands as many times as the service counted, and each of a sample is legal.
#[tokio::test]
async fn expanded_lists_are_what_the_service_counts_and_accepts() {
    let client = client().await.with_timeout(Duration::from_secs(20));
    for preset in [Preset::Italian, Preset::TwoPlayer, Preset::Ramino, Preset::Gin, Preset::Scala40] {
        let request = CreateMatchRequest::of(preset).with_given_seed(SEED);
        let mut table = Table::create(&client, request).await.unwrap();
        let mut kinds = BTreeSet::new();
        for step in 0..120_usize {
            let Some(seat) = table.turn() else { break };
            let legal = table.legal(seat).await.unwrap();
            let all: Vec<_> = legal::expand(&legal).unwrap().collect();
            assert_eq!(all.len() as u64, legal.count, "{preset:?}, step {step}");
            let groups: u64 = legal.groups.iter().map(|group| group.count).sum();
            let expanded: usize = legal.groups.iter().map(|group| legal::expand_group(group).unwrap().len()).sum();
            assert_eq!(expanded as u64, groups);
            assert_eq!(all.iter().map(|each| format!("{each:?}")).collect::<BTreeSet<_>>().len(), all.len());
            kinds.extend(legal.groups.iter().map(burraco::v1::MoveGroup::kind));
            let open: Vec<_> = all.into_iter().filter(|each| *each != moves::resign()).collect();
            let sampled = open[step * 7 % open.len()].clone();
            assert_eq!(table.check(seat, [sampled.clone()]).await.unwrap(), [], "{preset:?}: {sampled}");
            table.play(seat, sampled).await.unwrap();
        }
        assert!(kinds.contains(&MoveKind::Meld) || preset == Preset::Gin, "{preset:?}: {kinds:?}");
    }
}

/// A client in another language leaves the one that it was made of as it is, and a seat keeps its language.
#[tokio::test]
async fn violations_are_in_the_client_s_language_or_in_english() {
    let server = Server::start();
    let english = server.client();
    let table = fresh(&english).await;
    let seat = table.turn().unwrap();
    let italian = english.as_seat(&table.seat_tokens()[seat as usize]).unwrap().in_language("it").unwrap();
    let told = async |client: &Client| {
        let mut resumed = Table::resume(client, table.state(), seat).await.unwrap();
        let played = resumed.play(seat, moves::discard(Card::Card7s)).await.unwrap_err();
        let checked = resumed.check(seat, [moves::discard(Card::Card7s)]).await.unwrap();
        assert_eq!(played.violations(), checked);
        played.violations()[0].text.clone()
    };
    let in_italian = "Prima pesca";
    for client in [
        &italian,
        &italian.as_seat(&table.seat_tokens()[seat as usize]).unwrap(),
        &server.builder().language("tlh, it;q=0.5").connect().unwrap(),
    ] {
        let text = told(client).await;
        assert!(text.starts_with(in_italian), "{text}");
    }
    for client in [&english, &italian.in_language("").unwrap(), &english.in_language("tlh").unwrap()] {
        let text = told(client).await;
        assert!(text.starts_with("Draw from the stock"), "{text}");
    }
    assert!(matches!(english.in_language("español"), Err(Error::Setting(_))));
}

#[tokio::test]
async fn the_bare_stub_says_who_calls_and_streams() {
    let client = client().await;
    let table = fresh(&client).await;
    let seat = table.turn().unwrap();
    let request =
        ApplyMovesRequest { state: table.state().to_vec(), seat, moves: vec![moves::draw()], ..<_>::default() };
    let wrong = ApplyMovesRequest { seat: 9, ..request.clone() };
    let messages = [request, wrong]
        .map(|request| StreamApplyMovesRequest { correlation_id: "one".into(), request: Some(request) });
    let mut answers = client.stub().stream_apply_moves(Stream(messages.into_iter())).await.unwrap().into_inner();
    let first = answers.message().await.unwrap().unwrap();
    assert!(matches!(first.outcome, Some(stream_apply_moves_response::Outcome::Response(_))), "{first:?}");
    let second = answers.message().await.unwrap().unwrap();
    let Some(stream_apply_moves_response::Outcome::Status(status)) = second.outcome else { panic!("{second:?}") };
    assert_eq!(status.code, Code::InvalidArgument as i32);
    assert!(answers.message().await.unwrap().is_none());
}

#[tokio::test]
async fn an_error_of_the_bare_stub_is_read_too() {
    let client = client().await;
    let status = client.stub().get_view(GetViewRequest::default()).await.unwrap_err();
    let error = Error::from(status);
    assert_eq!(failure(&error).reason, Reason::FieldMissing);
}

#[tokio::test]
async fn no_debug_shows_a_secret() {
    let client = client().await;
    let shown = format!("{client:?} {:?}", Client::builder("a:1").api_key(API_KEY));
    assert!(!shown.contains(API_KEY), "{shown}");
    let table = Table::create(&client, Preset::Gin).await.unwrap();
    let shown = format!("{table:?}");
    assert!(!table.seat_tokens().is_empty());
    assert!(table.seat_tokens().iter().all(|token| !shown.contains(token.as_str())), "{shown}");
}

/// What a stub streams from: any iterator.
struct Stream<I>(I);

impl<I: Iterator + Unpin> tonic::codegen::tokio_stream::Stream for Stream<I> {
    type Item = I::Item;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<I::Item>> {
        std::task::Poll::Ready(self.0.next())
    }
}
