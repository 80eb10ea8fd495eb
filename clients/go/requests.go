package burraco

import "burraco/burracopb"

// Rules selects a preset. Options that replace the preset's own go into the Game of the result.
func Rules(preset burracopb.Preset) *burracopb.RulesSelection {
	return &burracopb.RulesSelection{Preset: preset}
}

// Seat is the viewer who sits there.
func Seat(seat uint32) *burracopb.Viewer {
	return &burracopb.Viewer{Who: &burracopb.Viewer_Seat{Seat: seat}}
}

// Spectator is a viewer without a seat, who sees what is public.
func Spectator() *burracopb.Viewer {
	return &burracopb.Viewer{Who: &burracopb.Viewer_Spectator{Spectator: &burracopb.Spectator{}}}
}

// GivenSeed is the source of a deck that the caller gives, 32 bytes: for tests and puzzles.
func GivenSeed(seed []byte) *burracopb.CreateMatchRequest_GivenSeed {
	return &burracopb.CreateMatchRequest_GivenSeed{GivenSeed: seed}
}

// SealedSeed is the source of a deck that CommitSeed committed to.
func SealedSeed(seed []byte) *burracopb.CreateMatchRequest_SealedSeed {
	return &burracopb.CreateMatchRequest_SealedSeed{SealedSeed: seed}
}

// FirstDealer seats the players in the order of their numbers, with this first dealer.
func FirstDealer(seat uint32) *burracopb.CreateMatchRequest_GivenSeats {
	return &burracopb.CreateMatchRequest_GivenSeats{GivenSeats: &burracopb.GivenSeats{Dealer: &seat}}
}

// DrawnSeats lets the players draw for seats and first dealer.
func DrawnSeats() *burracopb.CreateMatchRequest_DrawnSeats {
	return &burracopb.CreateMatchRequest_DrawnSeats{DrawnSeats: &burracopb.DrawnSeats{}}
}
