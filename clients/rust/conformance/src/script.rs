//! One whole match of Burraco with the hand-written layer, the same each time.

use burraco::v1::r#move::Kind;
use burraco::v1::{CreateMatchRequest, LegalMoves, Move, Phase, Preset, Reason, Viewer};
use burraco::{Client, Code, Error, Table, legal, moves};

use crate::json::Problem;

const SEED: [u8; 32] = [7; 32];
/// Far above what a match takes.
const MOST_MOVES: usize = 20_000;

/// Plays the match twice: it has to end, and to end the same.
pub async fn play_twice(client: &Client) -> Result<(), Problem> {
    let first = play(client).await.map_err(|problem| format!("the first time: {problem}"))?;
    let second = play(client).await.map_err(|problem| format!("the second time: {problem}"))?;
    if first.revision() != second.revision() || first.state() != second.state() {
        return Err(format!(
            "it ended at revision {}, and then at {}, in another state",
            first.revision(),
            second.revision()
        ));
    }
    Ok(())
}

async fn play(client: &Client) -> Result<Table, Problem> {
    let request =
        CreateMatchRequest::of(Preset::Italian).with_request_id("conformance").with_given_seed(SEED).with_dealer(0);
    let mut table = Table::create(client, request).await.map_err(told)?;
    check_refusals(&mut table).await?;
    for _ in 0..MOST_MOVES {
        if table.phase() == Phase::MatchOver {
            check_result(client, &table).await?;
            return Ok(table);
        }
        let revision = table.revision();
        step(&mut table).await.map_err(|problem| format!("revision {revision}: {problem}"))?;
    }
    Err(format!("it is not over after {MOST_MOVES} moves"))
}

async fn step(table: &mut Table) -> Result<(), Problem> {
    let Some(seat) = table.turn() else {
        return table.next_deal(0).await.map(drop).map_err(told);
    };
    let chosen = choose(&table.legal(seat).await.map_err(told)?)?;
    table.play(seat, chosen).await.map(drop).map_err(told)
}

/// The draw, else the first move that lays cards, else the first discard, else whatever is first; never the resignation.
fn choose(legal: &LegalMoves) -> Result<Move, Problem> {
    let expanded = legal::expand(legal).map_err(|error| error.to_string())?;
    let length = expanded.len();
    let mut all: Vec<_> = expanded.collect();
    if all.len() != length || (!legal.truncated && all.len() as u64 != legal.count) {
        return Err(format!("{} moves expand to {}, where {length} were announced", legal.count, all.len()));
    }
    all.retain(|each| *each != moves::resign());
    let wanted: [fn(&Kind) -> bool; 3] = [
        |kind| matches!(kind, Kind::DrawStock(_)),
        |kind| matches!(kind, Kind::Meld(_) | Kind::LayOff(_)),
        |kind| matches!(kind, Kind::Discard(_)),
    ];
    let first = wanted.iter().find_map(|is| all.iter().position(|each| each.kind.as_ref().is_some_and(is)));
    if all.is_empty() { Err("there is no legal move".to_owned()) } else { Ok(all.swap_remove(first.unwrap_or(0))) }
}

/// A move against the rules and a call that fails are errors of their kinds, and change nothing.
async fn check_refusals(table: &mut Table) -> Result<(), Problem> {
    let (seat, before) = (table.turn().ok_or("nobody is to move in a new match")?, table.state().to_vec());
    match table.play(seat, moves::next_deal()).await {
        Err(Error::Illegal(violations)) if violations.iter().any(|wrong| wrong.reason() == Reason::DealNotOver) => {}
        other => return Err(format!("the next deal was no illegal move: {other:?}")),
    }
    match table.play(9, moves::draw()).await {
        Err(Error::Call(failed)) if failed.code == Code::InvalidArgument && failed.fields.len() == 1 => {}
        other => return Err(format!("a draw of seat 9 was no failed call: {other:?}")),
    }
    if (table.state(), table.revision()) != (&before[..], 0) {
        return Err("a refusal changed the table".to_owned());
    }
    Ok(())
}

async fn check_result(client: &Client, table: &Table) -> Result<(), Problem> {
    let view = table.view(Viewer::spectator()).await.map_err(told)?;
    let result = view.result.ok_or("the match is over, and has no result")?;
    let resumed = Table::resume(client, table.state(), Viewer::spectator()).await.map_err(told)?;
    if (resumed.revision(), resumed.phase(), resumed.turn()) != (table.revision(), Phase::MatchOver, None) {
        return Err(format!("it goes on as {resumed:?}"));
    }
    println!("match: {} changes, {} deals, {result:?}", table.revision(), view.deal_number);
    Ok(())
}

#[allow(clippy::needless_pass_by_value, reason = "it stands where an error is mapped")]
fn told(error: Error) -> Problem {
    error.to_string()
}
