//! A match as its caller keeps it: the sealed state, and the revision that goes with it.

use std::fmt;

use crate::v1::apply_moves_response::Outcome;
use crate::v1::score_deal_request::What;
use crate::v1::{
    Accepted, ApplyMovesRequest, CheckMovesRequest, CreateMatchRequest, GetViewRequest, IssueSeatTokenRequest,
    IssueSeatTokenResponse, LegalMoves, ListLegalMovesRequest, Move, Phase, ScoreDealRequest, ScoreDealResponse, View,
    Viewer, ViewerUpdate, Violation,
};
use crate::{Client, Code, Error, Result, RulesError, moves};

/// One match. Only an accepted move changes it: after a refusal or a failed call it is as it was. Its `Debug` shows no
/// token and no state.
#[derive(Clone)]
pub struct Table {
    client: Client,
    state: Vec<u8>,
    revision: u64,
    phase: Phase,
    turn: Option<u32>,
    updates: Vec<ViewerUpdate>,
    seat_tokens: Vec<String>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("client", &self.client)
            .field("revision", &self.revision)
            .field("phase", &self.phase)
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Seats the players and deals: `Preset::Italian`, or a request that says more.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn create(client: &Client, request: impl Into<CreateMatchRequest>) -> Result<Self> {
        let response = client.call(request.into()).await?;
        has_state("CreateMatch", &response.state)?;
        let view = response.updates.first().and_then(|update| update.view.as_ref());
        let mut table = Self::at(client, response.state, view.ok_or_else(|| lacks("CreateMatch", "a view"))?);
        table.updates = response.updates;
        table.seat_tokens = response.seat_tokens;
        Ok(table)
    }

    /// Goes on from a state that was kept. A client that is a seat has to name it: it sees no other view.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn resume(client: &Client, state: impl Into<Vec<u8>>, viewer: impl Into<Viewer>) -> Result<Self> {
        let state = state.into();
        let view = view(client, GetViewRequest { state: state.clone(), viewer: Some(viewer.into()), ..<_>::default() });
        Ok(Self::at(client, state, &view.await?))
    }

    fn at(client: &Client, state: Vec<u8>, view: &View) -> Self {
        Self {
            client: client.clone(),
            state,
            revision: view.revision,
            phase: view.phase(),
            turn: view.turn,
            updates: vec![],
            seat_tokens: vec![],
        }
    }

    /// The sealed state: keep it, and [`Table::resume`] goes on from it.
    #[must_use]
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// Number of changes so far: moves applied, and revocations of seat tokens.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Where the match stands; unspecified where the service names a phase that this client does not know.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat to move; none when the deal or the match is over.
    #[must_use]
    pub fn turn(&self) -> Option<u32> {
        self.turn
    }

    /// What the latest change told each viewer that was asked for.
    #[must_use]
    pub fn updates(&self) -> &[ViewerUpdate] {
        &self.updates
    }

    /// The token of each seat, by seat, where this made the match: give each player his own.
    #[must_use]
    pub fn seat_tokens(&self) -> &[String] {
        &self.seat_tokens
    }

    /// Makes a move.
    ///
    /// # Errors
    /// [`Error::Illegal`], with everything that is wrong with it, and [`Error::Call`], if the call fails.
    pub async fn play(&mut self, seat: u32, made: Move) -> Result<Accepted> {
        self.play_all(seat, [made]).await
    }

    /// Makes moves, all or none.
    ///
    /// # Errors
    /// [`Error::Illegal`], with everything that is wrong with the first illegal move, and [`Error::Call`], if the call fails.
    pub async fn play_all(&mut self, seat: u32, made: impl IntoIterator<Item = Move>) -> Result<Accepted> {
        self.apply(ApplyMovesRequest { seat, moves: made.into_iter().collect(), ..<_>::default() }).await
    }

    /// Makes the moves of a request, which may name viewers and ask for the next legal moves; the table fills in its state and
    /// revision.
    ///
    /// # Errors
    /// As [`Table::play_all`] has them.
    pub async fn apply(&mut self, request: ApplyMovesRequest) -> Result<Accepted> {
        let request =
            ApplyMovesRequest { state: self.state.clone(), expected_revision: Some(self.revision), ..request };
        let is_list_wanted = request.list_legal_moves;
        let accepted = match self.client.call(request).await?.outcome {
            Some(Outcome::Accepted(accepted)) => accepted,
            Some(Outcome::Rejected(rejected)) if rejected.violations.is_empty() => {
                return Err(lacks("ApplyMoves", "the violations of an illegal move"));
            }
            Some(Outcome::Rejected(rejected)) => return Err(Error::Illegal(rejected.violations)),
            None => return Err(lacks("ApplyMoves", "an outcome that this client knows")),
        };
        has_state("ApplyMoves", &accepted.state)?;
        if is_list_wanted && accepted.turn.is_some() && accepted.legal_moves.is_none() {
            return Err(lacks("ApplyMoves", "the legal moves that were asked for"));
        }
        self.state.clone_from(&accepted.state);
        self.updates.clone_from(&accepted.updates);
        (self.revision, self.phase, self.turn) = (accepted.revision, accepted.phase(), accepted.turn);
        Ok(accepted)
    }

    /// Deals again once a deal is over.
    ///
    /// # Errors
    /// As [`Table::play`] has them.
    pub async fn next_deal(&mut self, seat: u32) -> Result<Accepted> {
        self.play(seat, moves::next_deal()).await
    }

    /// Says everything that is wrong with the first illegal one of these moves, without making them; nothing if all are legal.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn check(&self, seat: u32, made: impl IntoIterator<Item = Move>) -> Result<Vec<Violation>> {
        let request = CheckMovesRequest {
            state: self.state.clone(),
            seat,
            moves: made.into_iter().collect(),
            expected_revision: Some(self.revision),
        };
        let response = self.client.call(request).await?;
        if !response.legal && response.violations.is_empty() {
            return Err(lacks("CheckMoves", "the violations of an illegal move"));
        }
        Ok(response.violations)
    }

    /// Lists every legal move of a seat; [`legal::expand`](crate::legal::expand) goes through them one by one.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn legal(&self, seat: u32) -> Result<LegalMoves> {
        self.legal_at_most(seat, 0).await
    }

    /// Lists at most so many single moves of a seat; `truncated` says whether there are more.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn legal_at_most(&self, seat: u32, max_moves: u32) -> Result<LegalMoves> {
        let request = ListLegalMovesRequest { state: self.state.clone(), seat, max_moves };
        self.client.call(request).await?.legal_moves.ok_or_else(|| lacks("ListLegalMoves", "legal moves"))
    }

    /// Shows what a seat may know, or [`Viewer::spectator`].
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn view(&self, viewer: impl Into<Viewer>) -> Result<View> {
        let viewer = Some(viewer.into());
        self.view_as(GetViewRequest { viewer, ..<_>::default() }).await
    }

    /// Shows what a request asks for, which may sort the hand and want the rules; the table fills in its state.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn view_as(&self, request: GetViewRequest) -> Result<View> {
        view(&self.client, GetViewRequest { state: self.state.clone(), ..request }).await
    }

    /// Counts the finished deal.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails: with `FAILED_PRECONDITION` while the deal lasts.
    pub async fn score(&self) -> Result<ScoreDealResponse> {
        let counted = self.client.call(ScoreDealRequest { what: Some(What::State(self.state.clone())) }).await?;
        if counted.score_sheet.is_none() {
            return Err(lacks("ScoreDeal", "a score sheet"));
        }
        Ok(counted)
    }

    /// Issues another token of a seat; for back ends only.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn issue_seat_token(&self, seat: u32, lifetime_seconds: u32) -> Result<IssueSeatTokenResponse> {
        let request = IssueSeatTokenRequest { state: self.state.clone(), seat, lifetime_seconds, revoke: false };
        issued(self.client.call(request).await?)
    }

    /// Issues another token of a seat and ends those before; for back ends only. The state changes: store it, as after a
    /// move.
    ///
    /// # Errors
    /// [`Error::Call`], if the call fails.
    pub async fn revoke_seat_tokens(&mut self, seat: u32, lifetime_seconds: u32) -> Result<IssueSeatTokenResponse> {
        let request = IssueSeatTokenRequest { state: self.state.clone(), seat, lifetime_seconds, revoke: true };
        let response = issued(self.client.call(request).await?)?;
        self.state.clone_from(&response.state);
        self.revision = response.revision;
        Ok(response)
    }
}

async fn view(client: &Client, request: GetViewRequest) -> Result<View> {
    client.call(request).await?.view.ok_or_else(|| lacks("GetView", "a view"))
}

fn issued(response: IssueSeatTokenResponse) -> Result<IssueSeatTokenResponse> {
    has_state("IssueSeatToken", &response.state)?;
    if response.seat_token.is_empty() { Err(lacks("IssueSeatToken", "a seat token")) } else { Ok(response) }
}

fn has_state(rpc: &str, state: &[u8]) -> Result<()> {
    if state.is_empty() { Err(lacks(rpc, "a state")) } else { Ok(()) }
}

/// An answer without a part that it has to have.
fn lacks(rpc: &str, what: &str) -> Error {
    let told = format!("{rpc} was answered without {what}: the service and this client do not fit each other");
    RulesError::of(Code::Unknown, &told).into()
}
