package burraco;

import burraco.v1.Spectator;
import burraco.v1.Viewer;

/** Whose eyes an answer is made for. */
public final class Viewers {
  private static final Viewer SPECTATOR =
      Viewer.newBuilder().setSpectator(Spectator.getDefaultInstance()).build();

  private Viewers() {}

  /** A seat: it sees its own hand and all that is public. */
  public static Viewer seat(int seat) {
    return Viewer.newBuilder().setSeat(seat).build();
  }

  /** Somebody at no seat: sees what is public and nothing else. */
  public static Viewer spectator() {
    return SPECTATOR;
  }
}
