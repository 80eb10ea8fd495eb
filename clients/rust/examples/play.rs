//! Plays a match of Burraco to its end and prints its result: `cargo run --example play`.
//!
//! The server is at `BURRACO_TARGET`; one that asks back ends for an API key gets `BURRACO_API_KEY`. Each seat is played by a client
//! that is that seat alone, as on a player's device, and knows no more than the player does.

use std::env;

use burraco::v1::{GetViewRequest, MatchResult, Move, Phase, Preset, Viewer};
use burraco::{Client, Error, Result, Table, cards, legal, moves};

#[tokio::main]
async fn main() -> Result<()> {
    let target = env::var("BURRACO_TARGET").unwrap_or_else(|_| "127.0.0.1:50051".to_owned());
    let mut builder = Client::builder(&target);
    if let Ok(key) = env::var("BURRACO_API_KEY") {
        builder = builder.api_key(&key);
    }
    let back_end = builder.connect()?;
    let mut table = Table::create(&back_end, Preset::Italian).await?;
    let tokens = table.seat_tokens().to_vec();
    let players = tokens.iter().map(|token| back_end.as_seat(token)).collect::<Result<Vec<_>>>()?;

    while table.phase() != Phase::MatchOver {
        let Some(seat) = table.turn() else {
            say_score(&table).await?;
            table.next_deal(0).await?;
            continue;
        };
        let player = &players[seat as usize];
        let chosen = choose(player, table.state(), seat).await?;
        match table.play(seat, chosen.clone()).await {
            Ok(_) => {}
            Err(Error::Illegal(violations)) => panic!("{chosen} was listed as legal: {violations:?}"),
            Err(error) => return Err(error),
        }
    }
    say_score(&table).await?;
    if let Some(MatchResult { winning_sides, match_points, .. }) = table.view(Viewer::spectator()).await?.result {
        println!("side {winning_sides:?} wins with {match_points:?}, after {} moves", table.revision());
    }
    Ok(())
}

/// What the player of a seat does: lay whatever can be laid, the most cards first; else discard the card with the highest number.
async fn choose(player: &Client, state: &[u8], seat: u32) -> Result<Move> {
    let table = Table::resume(player, state, seat).await?;
    let listed = table.legal(seat).await?;
    if table.phase() == Phase::Draw {
        return Ok(moves::draw());
    }
    let melds = listed.groups.iter().map(legal::expand_group).collect::<std::result::Result<Vec<_>, _>>()?;
    let longest = melds.into_iter().flatten().max_by_key(cards_of);
    let discard = listed.discards().max_by_key(|&card| card as i32).map(moves::discard);
    longest.or(discard).ok_or_else(|| Error::Unknown(format!("seat {seat} has no move")))
}

fn cards_of(laid: &Move) -> usize {
    use burraco::v1::r#move::Kind;
    match &laid.kind {
        Some(Kind::Meld(meld)) => meld.cards.len(),
        Some(Kind::LayOff(added)) => added.cards.len(),
        _ => 0,
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
