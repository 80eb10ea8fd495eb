//! Plays a match of Burraco to its end and prints its result: `cargo run --example play`.
//!
//! The server is at `BURRACO_TARGET`; one that asks back ends for an API key gets `BURRACO_API_KEY`. Each seat is played by a client
//! that is that seat alone, as on a player's device, and knows no more than the player does.

use std::env;

use burraco::v1::r#move::Kind;
use burraco::v1::{CreateMatchRequest, GetViewRequest, LegalMoves, MatchResult, Move, Phase, Preset, Viewer};
use burraco::{Client, Error, Result, Table, cards, legal};

#[tokio::main]
async fn main() -> Result<()> {
    let target = env::var("BURRACO_TARGET").unwrap_or_else(|_| "127.0.0.1:50051".to_owned());
    let mut builder = Client::builder(&target);
    if let Ok(key) = env::var("BURRACO_API_KEY") {
        builder = builder.api_key(&key);
    }
    let table = play(&builder.connect()?, Preset::Italian.into()).await?;
    if let Some(MatchResult { winning_sides, match_points, .. }) = table.view(Viewer::spectator()).await?.result {
        println!("side {winning_sides:?} wins with {match_points:?}, after {} moves", table.revision());
    }
    Ok(())
}

/// Plays a match to its end.
pub(crate) async fn play(back_end: &Client, request: CreateMatchRequest) -> Result<Table> {
    let mut table = Table::create(back_end, request).await?;
    let tokens = table.seat_tokens().to_vec();
    let players = tokens.iter().map(|token| back_end.as_seat(token)).collect::<Result<Vec<_>>>()?;

    while table.phase() != Phase::MatchOver {
        let Some(seat) = table.turn() else {
            say_score(&table).await?;
            table.next_deal(0).await?;
            continue;
        };
        let player = Table::resume(&players[seat as usize], table.state(), seat).await?;
        let chosen = choose(&player.legal(seat).await?)?;
        match table.play(seat, chosen.clone()).await {
            Ok(_) => {}
            Err(Error::Illegal(violations)) => panic!("{chosen} was listed as legal: {violations:?}"),
            Err(error) => return Err(error),
        }
    }
    say_score(&table).await?;
    Ok(table)
}

/// What a player does: draw; else lay whatever can be laid, the most cards first; else discard the card with the highest number; else
/// whatever is legal: a stock that has run out leaves the pile to be taken, say. He gives up only where there is nothing else.
pub(crate) fn choose(listed: &LegalMoves) -> Result<Move> {
    legal::expand(listed)?.max_by_key(worth).ok_or_else(|| Error::Unknown("the player has no move".to_owned()))
}

/// Orders moves: what kind first, and then by cards.
fn worth(legal: &Move) -> (u8, usize) {
    match &legal.kind {
        // A pile of one card would go round for ever without the stalemate.
        Some(Kind::DrawStock(_) | Kind::DeclareStalemate(_)) => (5, 0),
        Some(Kind::Knock(_)) => (4, 0),
        Some(Kind::Meld(meld)) => (3, meld.cards.len()),
        Some(Kind::LayOff(added)) => (3, added.cards.len()),
        Some(Kind::Discard(discarded)) => (2, usize::try_from(discarded.card).unwrap_or_default()),
        Some(Kind::Resign(_)) => (0, 0),
        _ => (1, 0),
    }
}

async fn say_score(table: &Table) -> Result<()> {
    let view = table.view_as(GetViewRequest { viewer: Some(Viewer::spectator()), ..<_>::default() }).await?;
    for side in &view.sides {
        let melds = view.melds.iter().filter(|meld| meld.side == side.side);
        let shown: Vec<_> = melds.map(|meld| cards::pretty(meld.cards())).collect();
        println!("deal {}, side {}: {} points; {}", view.deal_number, side.side, side.match_points, shown.join(" | "));
    }
    Ok(())
}
