package burraco;

import burraco.v1.Reason;
import java.io.Serializable;

/**
 * A field of a request that is wrong.
 *
 * @param field path of the field, such as {@code moves[0].meld.cards[2]}
 * @param reason what is wrong, as a stable code; {@code REASON_UNSPECIFIED} where it is newer than this client
 * @param description what is wrong, in English
 */
public record FieldViolation(String field, Reason reason, String description) implements Serializable {}
