package burraco.kotlin

import burraco.Answers
import burraco.Burraco
import burraco.IllegalMoveException
import burraco.Moves
import burraco.Position
import burraco.RulesException
import burraco.Table
import burraco.Viewers
import burraco.v1.Accepted
import burraco.v1.ApplyMovesRequest
import burraco.v1.CreateMatchRequest
import burraco.v1.GetViewRequest
import burraco.v1.IssueSeatTokenRequest
import burraco.v1.IssueSeatTokenResponse
import burraco.v1.LegalMoves
import burraco.v1.ListLegalMovesRequest
import burraco.v1.Move
import burraco.v1.Phase
import burraco.v1.Preset
import burraco.v1.ScoreDealRequest
import burraco.v1.ScoreDealResponse
import burraco.v1.View
import burraco.v1.ViewerUpdate
import burraco.v1.Violation
import com.google.protobuf.ByteString
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/**
 * One match. Only an accepted move changes it: after a refusal or a failed call it is as it was. [createTable] and
 * [resumeTable] make one.
 *
 * Every function that calls the service throws [RulesException] when the call fails, or its answer lacks what was asked
 * for. Coroutines may share a table: changes are made one after the other.
 */
public class CoroutineTable internal constructor(
    private val client: Burraco,
    position: Position,
    /** The token of each seat, by seat, where this made the match: give each player his own. */
    public val seatTokens: List<String>,
) {
    private val changing = Mutex()
    private val current = MutableStateFlow(position)

    /** The sealed state and what goes with it, as it is and as it becomes: a screen collects it. */
    public val positions: StateFlow<Position> = current.asStateFlow()

    /** The sealed state and what goes with it, all of one moment. */
    public val position: Position get() = current.value

    /** The sealed state: keep it, and [resumeTable] goes on from it. */
    public val state: ByteString get() = position.state

    /** Number of changes so far: moves applied, and revocations of seat tokens. */
    public val revision: Long get() = position.revision

    /** Where the match stands. */
    public val phase: Phase get() = position.phase

    /** The seat to move; null when the deal or the match is over. */
    public val turn: Int? get() = position.turn.run { if (isPresent) asInt else null }

    /** What the latest change told each viewer that was asked for. */
    public val updates: List<ViewerUpdate> get() = position.updates

    /**
     * Makes moves, all or none; [options] sets viewers, the order of hands, whether the next seat's legal moves are
     * listed. State, revision, seat and moves are set after it.
     *
     * @throws IllegalMoveException with everything that is wrong with the first illegal move
     */
    public suspend fun play(
        seat: Int,
        vararg moves: Move,
        options: ApplyMovesRequest.Builder.() -> Unit = {},
    ): Accepted = changing.withLock {
        val request = position.apply(seat, moves.asList(), options).build()
        val response = client.await { applyMoves(request) }
        current.value = position.after(request, response)
        response.accepted
    }

    /** Deals again once a deal is over; a client that is a seat has to name itself. */
    public suspend fun nextDeal(seat: Int = 0): Accepted = play(seat, Moves.nextDeal())

    /** Says what is wrong with moves, without making them; nothing if they are legal. */
    public suspend fun check(seat: Int, vararg moves: Move): List<Violation> {
        val request = position.check(seat, moves.asList()).build()
        return Answers.violations(client.await { checkMoves(request) })
    }

    /**
     * Lists the legal moves of a seat, at most [maxMoves] of them (0: the service's own limit); [moves] goes through
     * them.
     */
    public suspend fun legal(seat: Int, maxMoves: Int = 0): LegalMoves {
        val request =
            ListLegalMovesRequest.newBuilder().setState(state).setSeat(seat).setMaxMoves(maxMoves).build()
        return Answers.legalMoves(client.await { listLegalMoves(request) })
    }

    /**
     * Shows what a seat may know, or with null a spectator; [options] sets the order of hands, whether rules are told.
     * State and viewer are set after it.
     */
    public suspend fun view(seat: Int? = null, options: GetViewRequest.Builder.() -> Unit = {}): View {
        val request = GetViewRequest.newBuilder().apply(options).setState(state).setViewer(viewer(seat)).build()
        return Answers.view(client.await { getView(request) })
    }

    /** Counts the finished deal. */
    public suspend fun score(): ScoreDealResponse {
        val request = ScoreDealRequest.newBuilder().setState(state).build()
        return Answers.score(client.await { scoreDeal(request) })
    }

    /**
     * Issues another token of a seat; for back ends only. Where [options] says `revoke = true` those before end, and
     * the state changes: store it, as after a move. State and seat are set after it.
     */
    public suspend fun issueSeatToken(
        seat: Int,
        options: IssueSeatTokenRequest.Builder.() -> Unit = {},
    ): IssueSeatTokenResponse = changing.withLock {
        val request = IssueSeatTokenRequest.newBuilder().apply(options).setState(state).setSeat(seat).build()
        val response = client.await { issueSeatToken(request) }
        current.value = position.after(response)
        response
    }
}

/** Seats the players of a preset and deals; [options] sets on the request what is to be otherwise. */
public suspend fun Burraco.createTable(
    preset: Preset = Preset.PRESET_ITALIAN,
    options: CreateMatchRequest.Builder.() -> Unit = {},
): CoroutineTable {
    val request = Table.newMatch(preset).apply(options).build()
    val response = await { createMatch(request) }
    return CoroutineTable(this, Position.of(response), response.seatTokensList)
}

/** Goes on from a state that was kept. A client that is a seat has to name it: it sees no other view. */
public suspend fun Burraco.resumeTable(state: ByteString, seat: Int? = null): CoroutineTable {
    val request = GetViewRequest.newBuilder().setState(state).setViewer(viewer(seat)).build()
    return CoroutineTable(this, Position.of(state, Answers.view(await { getView(request) })), emptyList())
}

private fun viewer(seat: Int?) = if (seat == null) Viewers.spectator() else Viewers.seat(seat)
