package burraco;

import java.io.Serializable;

/**
 * A field of a request that is wrong.
 *
 * @param field path of the field, such as {@code moves[0].meld.cards[2]}
 * @param reason what is wrong, as a stable code, such as {@code REASON_FIELD_MISSING}
 * @param description what is wrong, in English
 */
public record FieldViolation(String field, String reason, String description) implements Serializable {}
