package burraco;

import burraco.v1.Reason;
import burraco.v1.Rejected;
import burraco.v1.Violation;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.stream.Collectors;

/** The rules forbid a move; nothing has changed. It is an answer of the rules, not a failure of the call. */
public final class IllegalMoveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private transient List<Violation> violations;

  public IllegalMoveException(List<Violation> violations) {
    super(violations.stream()
        .map(wrong -> wrong.getText() + " (" + wrong.getRuleId() + ")")
        .collect(Collectors.joining("; ")));
    this.violations = List.copyOf(violations);
  }

  /** Everything wrong with the first illegal move, in the service's order; never empty. */
  public List<Violation> violations() {
    return violations;
  }

  /** The reasons alone, in the service's order. */
  public List<Reason> reasons() {
    return List.copyOf(violations.stream().map(Violation::getReason).collect(Collectors.toList()));
  }

  /** Writes the violations as a message: those of the lite runtime are not serializable. */
  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeObject(Rejected.newBuilder().addAllViolations(violations).build().toByteArray());
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    violations = List.copyOf(Rejected.parseFrom((byte[]) in.readObject()).getViolationsList());
  }
}
