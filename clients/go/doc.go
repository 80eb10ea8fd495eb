// Package burraco is the client of the Burraco rules service, which plays by the rules of Burraco, Ramino, Gin and
// Scala 40 and keeps nothing between calls.
//
// [Dial] opens a [Client] with the deadline, retries and load balancing that the service recommends. [Create] deals a
// match, and the [Table] that it returns keeps the sealed state and its revision. Package moves makes moves and goes
// through the legal ones, package cards reads and writes cards as people do. Package burracopb has what is generated
// from the contract; all of this is made of it, and it can be used alone.
//
// A call that fails is a [*RulesError]; a move that the rules forbid is an [*IllegalMove]. Both are found with
// [errors.As].
package burraco
