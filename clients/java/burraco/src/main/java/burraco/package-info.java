/**
 * Client of the Burraco rules service.
 *
 * <p>{@link burraco.Burraco} is a connection, a {@link burraco.Table} keeps a match on it, {@link burraco.Moves} and
 * {@link burraco.Cards} write what a player does. {@code burraco.v1} holds the generated messages and stubs, which all
 * of this is made of and which can be used alone; {@code burraco.rpc} has the messages that say why a call failed.
 *
 * <p>The same sources are compiled twice: for the full protobuf runtime, and for the lite one that Android apps use.
 */
package burraco;
