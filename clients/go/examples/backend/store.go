package main

import "sync"

// A Match is what a back end keeps of one. It never changes: a change puts another one in its place.
type Match struct {
	// State is sealed, as the service gave it. No player's device ever has it.
	State    []byte
	Revision uint64
	// Sessions say who a player is, by seat.
	Sessions []string
}

// A Receipt is what is remembered of a request that was stored.
type Receipt struct {
	Play   Play
	Answer []byte
}

// A Change is what a player's accepted moves make of a match.
type Change struct {
	// Before is the revision that it was made from.
	Before  uint64
	After   Match
	ID      string
	Receipt Receipt
}

// A Store keeps matches in memory. One in a database does the same in a transaction or a script: state and receipt are
// written together, and only while the match is still at the revision that the change was made from.
type Store struct {
	mutex    sync.Mutex
	matches  map[string]Match
	receipts map[string]map[string]Receipt
}

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{matches: map[string]Match{}, receipts: map[string]map[string]Receipt{}}
}

// Create keeps a new match. False, and nothing is kept, if there is one of that name.
func (s *Store) Create(name string, match Match) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, ok := s.matches[name]; ok {
		return false
	}
	s.matches[name], s.receipts[name] = match, map[string]Receipt{}
	return true
}

// Load finds a match as it stands.
func (s *Store) Load(name string) (Match, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	match, ok := s.matches[name]
	return match, ok
}

// Receipt finds what a request did, if it was stored.
func (s *Store) Receipt(name, id string) (Receipt, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	receipt, ok := s.receipts[name][id]
	return receipt, ok
}

// Replace compares, and sets: false, and nothing is written, if the match is not at Before, or has such a request.
func (s *Store) Replace(name string, change Change) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	match, ok := s.matches[name]
	_, again := s.receipts[name][change.ID]
	if !ok || again || match.Revision != change.Before {
		return false
	}
	s.matches[name], s.receipts[name][change.ID] = change.After, change.Receipt
	return true
}
