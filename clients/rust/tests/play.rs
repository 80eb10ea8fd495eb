//! The example that plays a match, on the real service.

mod support;

#[allow(dead_code, reason = "the example has a main of its own")]
#[path = "../examples/play.rs"]
mod example;

use burraco::moves;
use burraco::v1::{BurracoRules, CreateMatchRequest, LegalMoves, MatchEnd, MoveKind, Preset, Viewer};
use support::Server;

#[test]
fn any_legal_move_is_made_before_giving_up() {
    let (draw, take, pass, resign) = (MoveKind::DrawStock, MoveKind::TakePile, MoveKind::PassUpcard, MoveKind::Resign);
    for (listed, chosen) in [
        (vec![draw, take, resign], moves::draw()),
        (vec![take, resign], moves::take_pile()),
        (vec![pass, resign], moves::pass_upcard()),
        (vec![resign], moves::resign()),
    ] {
        let count = listed.len() as u64;
        let simple = listed.into_iter().map(i32::from).collect();
        assert_eq!(example::choose(&LegalMoves { simple, count, ..<_>::default() }).unwrap(), chosen);
    }
    assert!(example::choose(&LegalMoves::default()).is_err());
}

/// The player has a move to the end of every match, and never gives up.
#[tokio::test]
async fn many_matches() {
    let server = Server::start();
    let client = server.client();
    let one_deal = BurracoRules { deals_per_match: Some(1), target: Some(0), ..<_>::default() };
    let burraco = |preset| CreateMatchRequest::of(preset).with_options(one_deal);
    for (request, seeds) in [
        // In these deals the stock runs out, and the pile has to be taken (B2-12).
        (burraco(Preset::TwoPlayer), vec![8, 11, 18, 22]),
        (burraco(Preset::Italian), vec![0, 1]),
        (burraco(Preset::ThreePlayer), vec![0, 1]),
        (burraco(Preset::Reale), vec![0, 1]),
        (Preset::Gin.into(), vec![0]),
        (Preset::Ramino.into(), vec![0]),
        (Preset::Scala40.into(), vec![0]),
    ] {
        for seed in seeds {
            let table = example::play(&client, request.clone().with_given_seed([seed; 32])).await.unwrap();
            let result = table.view(Viewer::spectator()).await.unwrap().result.unwrap();
            assert_ne!(result.match_end(), MatchEnd::Resigned, "{:?}, seed {seed}", request.rules);
        }
    }
}
