package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"burraco/burracopb"
	"burraco/internal/servertest"
)

func TestMain(m *testing.M) { os.Exit(servertest.Main(m)) }

const draw = `{"drawStock": {}}`

// site is a back end with one match, and its players.
type site struct {
	t        *testing.T
	url      string
	sessions []string
	turn     uint32
}

func newSite(t *testing.T) *site {
	t.Helper()
	server := httptest.NewServer(Handler(&BackEnd{client: servertest.Dial(t), store: NewStore()}))
	t.Cleanup(server.Close)
	made := &site{t: t, url: server.URL + "/matches/first"}
	var created struct{ Sessions []string }
	if status := made.send("POST", "?preset=PRESET_ITALIAN", "", "", &created); status != http.StatusCreated {
		t.Fatal(status)
	}
	made.sessions = created.Sessions
	made.turn = made.view(0).GetTurn()
	return made
}

func (s *site) send(method, path, session, body string, into any) (status int) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+session)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Error(err)
		return 0
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Error(err)
	}
	switch into := into.(type) {
	case nil:
	case *[]byte:
		*into = content
	default:
		if err := json.Unmarshal(content, into); err != nil {
			s.t.Errorf("%s: %v", content, err)
		}
	}
	return response.StatusCode
}

func (s *site) view(seat uint32) *burracopb.View {
	s.t.Helper()
	var content []byte
	if status := s.send("GET", "", s.sessions[seat], "", &content); status != http.StatusOK {
		s.t.Fatal(status)
	}
	view := new(burracopb.View)
	if err := protojson.Unmarshal(content, view); err != nil {
		s.t.Fatal(err)
	}
	return view
}

func (s *site) play(seat uint32, revision int, id string, moves ...string) (status int, answer string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"revision": %d, "requestId": %q, "moves": [%s]}`, revision, id, strings.Join(moves, ", "))
	var content []byte
	status = s.send("POST", "/moves", s.sessions[seat], body, &content)
	return status, string(content)
}

func TestAPlayerSeesHisOwnHandAlone(t *testing.T) {
	match := newSite(t)
	for seat := range match.sessions {
		for other, shown := range match.view(uint32(seat)).GetSeats() {
			if (len(shown.GetHand()) > 0) != (other == seat) {
				t.Errorf("seat %d sees %v of seat %d", seat, shown.GetHand(), other)
			}
		}
	}
	for _, session := range []string{"", "guessed"} {
		if status := match.send("GET", "", session, "", nil); status != http.StatusNotFound {
			t.Error(status)
		}
	}
}

func TestAMoveIsStoredAndAnswered(t *testing.T) {
	match := newSite(t)
	status, answer := match.play(match.turn, 0, "a", draw)
	if status != http.StatusOK || !strings.Contains(answer, "drew") {
		t.Fatal(status, answer)
	}
	if view := match.view(match.turn); view.GetRevision() != 1 || view.GetPhase() != burracopb.Phase_PHASE_PLAY {
		t.Error(view)
	}
	// The answer may have got lost: the same request again is done once. Another one of that id is a fault.
	if status, again := match.play(match.turn, 0, "a", draw); status != http.StatusOK || again != answer {
		t.Error(status, again)
	}
	for revision, move := range map[int]string{0: `{"takePile": {}}`, 1: draw} {
		if status, _ := match.play(match.turn, revision, "a", move); status != http.StatusConflict {
			t.Error(status, move)
		}
	}
	if view := match.view(match.turn); view.GetRevision() != 1 {
		t.Error(view.GetRevision())
	}
}

func TestAnIllegalMoveTellsWhy(t *testing.T) {
	match := newSite(t)
	status, answer := match.play(match.turn, 0, "a", `{"discard": {"card": "CARD_7S"}}`)
	if status != http.StatusUnprocessableEntity || !strings.Contains(answer, "REASON_MUST_DRAW_FIRST") {
		t.Error(status, answer)
	}
	// A player may not look ahead: what follows the draw is not judged by the card that it would bring.
	status, answer = match.play(match.turn, 0, "b", draw, `{"discard": {"card": "CARD_7S"}}`)
	if status != http.StatusUnprocessableEntity || !strings.Contains(answer, "REASON_MOVE_AFTER_REVEAL") {
		t.Error(status, answer)
	}
	if view := match.view(match.turn); view.GetRevision() != 0 {
		t.Error(view.GetRevision())
	}
}

func TestWhatIsRefused(t *testing.T) {
	match := newSite(t)
	other := (match.turn + 1) % uint32(len(match.sessions))
	for _, each := range []struct {
		seat     uint32
		revision int
		id, move string
		status   int
	}{
		{other, 0, "a", draw, http.StatusUnprocessableEntity},
		{match.turn, 7, "b", draw, http.StatusConflict},
		{match.turn, 0, "c", `{"timeOutTurn": {}}`, http.StatusForbidden},
		{match.turn, 0, "d", `{"callTime": {}}`, http.StatusForbidden},
		{match.turn, 0, "e", `{"draw": {}}`, http.StatusBadRequest},
		{match.turn, 0, "f", `{}`, http.StatusBadRequest},
		{match.turn, 0, "", draw, http.StatusBadRequest},
		{match.turn, 0, strings.Repeat("x", mostBytes), draw, http.StatusBadRequest},
	} {
		if status, answer := match.play(each.seat, each.revision, each.id, each.move); status != each.status {
			t.Errorf("%.60s: %d %s", each.move, status, answer)
		}
	}
	status := match.send("POST", "/moves", match.sessions[0], `{"requestId": "a"}`, nil)
	if status != http.StatusBadRequest {
		t.Error(status)
	}
	if status := match.send("POST", "?preset=PRESET_OF_NOBODY", "", "", nil); status != http.StatusBadRequest {
		t.Error(status)
	}
	if view := match.view(0); view.GetRevision() != 0 {
		t.Error(view.GetRevision())
	}
}

// Everything at once: different requests of one player, each sent several times. One is stored, and all that sent it
// are told the same.
func TestARaceHasOneWinner(t *testing.T) {
	match := newSite(t)
	var group sync.WaitGroup
	var mutex sync.Mutex
	won := map[string][]string{}
	for at := range 24 {
		id := fmt.Sprint(at % 6)
		group.Go(func() {
			status, answer := match.play(match.turn, 0, id, draw)
			switch status {
			case http.StatusOK:
				mutex.Lock()
				defer mutex.Unlock()
				won[id] = append(won[id], answer)
			case http.StatusConflict:
			default:
				t.Errorf("%d %s", status, answer)
			}
		})
	}
	group.Wait()
	if len(won) != 1 {
		t.Fatalf("%d requests were stored", len(won))
	}
	for _, answers := range won {
		for _, answer := range answers {
			if !bytes.Equal([]byte(answer), []byte(answers[0])) {
				t.Error(answer)
			}
		}
	}
	if view := match.view(match.turn); view.GetRevision() != 1 {
		t.Error(view.GetRevision())
	}
}

func TestTheStoreComparesAndSets(t *testing.T) {
	store := NewStore()
	if !store.Create("m", Match{}) || store.Create("m", Match{Revision: 9}) {
		t.Error("a match was made twice, or never")
	}
	change := Change{Before: 0, After: Match{Revision: 1}, ID: "a", Receipt: Receipt{Answer: []byte("r")}}
	if store.Replace("another", change) || !store.Replace("m", change) {
		t.Error("the first change")
	}
	for _, later := range []Change{change, {Before: 0, ID: "b"}, {Before: 1, ID: "a"}, {Before: 2, ID: "c"}} {
		if store.Replace("m", later) {
			t.Errorf("%+v was stored", later)
		}
	}
	if match, ok := store.Load("m"); !ok || match.Revision != 1 {
		t.Error(match, ok)
	}
	if receipt, ok := store.Receipt("m", "a"); !ok || string(receipt.Answer) != "r" {
		t.Error(receipt, ok)
	}
	if _, ok := store.Receipt("m", "b"); ok {
		t.Error("a receipt of nothing")
	}
}
