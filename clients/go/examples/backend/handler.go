package main

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"burraco"
	"burraco/burracopb"
)

const mostBytes = 1 << 16

// Handler answers players over HTTP. A player shows the session of his seat as a bearer token.
//
//	POST /matches/{match}?preset=PRESET_GIN    deals, and answers the sessions
//	GET  /matches/{match}                      answers the player's view
//	POST /matches/{match}/moves                {"revision": 3, "requestId": "...", "moves": [{"drawStock": {}}]}
func Handler(backEnd *BackEnd) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /matches/{match}", func(writer http.ResponseWriter, request *http.Request) {
		preset := burracopb.Preset(burracopb.Preset_value[request.FormValue("preset")])
		sessions, err := backEnd.Create(request.Context(), request.PathValue("match"), preset)
		if err != nil {
			refuse(writer, err)
			return
		}
		writeJSON(writer, http.StatusCreated, map[string]any{"sessions": sessions})
	})
	mux.HandleFunc("GET /matches/{match}", func(writer http.ResponseWriter, request *http.Request) {
		view, err := backEnd.View(request.Context(), request.PathValue("match"), session(request))
		if err != nil {
			refuse(writer, err)
			return
		}
		writeMessage(writer, view)
	})
	mux.HandleFunc("POST /matches/{match}/moves", func(writer http.ResponseWriter, request *http.Request) {
		play, err := readPlay(http.MaxBytesReader(writer, request.Body, mostBytes))
		if err != nil {
			writeJSON(writer, http.StatusBadRequest, map[string]any{"error": err.Error()})
			return
		}
		answer, err := backEnd.Play(request.Context(), request.PathValue("match"), session(request), play)
		if err != nil {
			refuse(writer, err)
			return
		}
		write(writer, http.StatusOK, answer)
	})
	return mux
}

func readPlay(body io.Reader) (Play, error) {
	var read struct {
		Revision  *uint64
		RequestID string
		Moves     []json.RawMessage
	}
	if err := json.NewDecoder(body).Decode(&read); err != nil {
		return Play{}, err
	}
	if read.Revision == nil || read.RequestID == "" {
		return Play{}, errors.New("send the revision that the player saw, and a requestId of the player's own")
	}
	play := Play{Revision: *read.Revision, RequestID: read.RequestID}
	for _, each := range read.Moves {
		move := new(burracopb.Move)
		if err := protojson.Unmarshal(each, move); err != nil {
			return Play{}, err
		}
		play.Moves = append(play.Moves, move)
	}
	return play, nil
}

func session(request *http.Request) string {
	return strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
}

// refuse says why in the status, and everything wrong with an illegal move in the body.
func refuse(writer http.ResponseWriter, err error) {
	if illegal, ok := errors.AsType[*burraco.IllegalMove](err); ok {
		violations := make([]json.RawMessage, len(illegal.Violations))
		for at, violation := range illegal.Violations {
			violations[at], _ = protojson.Marshal(violation)
		}
		writeJSON(writer, http.StatusUnprocessableEntity, map[string]any{"violations": violations})
		return
	}
	status := statusOf(err)
	if failed, ok := errors.AsType[*burraco.RulesError](err); ok && failed.Transient() {
		writer.Header().Set("Retry-After", strconv.Itoa(int(failed.RetryAfter.Seconds())+1))
	}
	if status == http.StatusInternalServerError {
		slog.Error("a call failed", "error", err)
		err = errors.New("something is wrong on our side")
	}
	writeJSON(writer, status, map[string]any{"error": err.Error()})
}

func statusOf(err error) int {
	switch {
	case errors.Is(err, ErrUnknown):
		return http.StatusNotFound
	case errors.Is(err, ErrStale), errors.Is(err, ErrReused):
		return http.StatusConflict
	case errors.Is(err, ErrOver):
		return http.StatusGone
	case errors.Is(err, ErrNotForPlayers):
		return http.StatusForbidden
	}
	failed, ok := errors.AsType[*burraco.RulesError](err)
	switch {
	case ok && failed.Transient():
		return http.StatusServiceUnavailable
	case ok && len(failed.Fields) > 0:
		return http.StatusBadRequest
	default:
		return http.StatusInternalServerError
	}
}

func writeMessage(writer http.ResponseWriter, message proto.Message) {
	content, err := protojson.Marshal(message)
	if err != nil {
		refuse(writer, err)
		return
	}
	write(writer, http.StatusOK, content)
}

func writeJSON(writer http.ResponseWriter, status int, value any) {
	content, err := json.Marshal(value)
	if err != nil {
		status, content = http.StatusInternalServerError, []byte("{}")
	}
	write(writer, status, content)
}

func write(writer http.ResponseWriter, status int, content []byte) {
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(status)
	_, _ = writer.Write(content) // whoever asked may have gone
}
