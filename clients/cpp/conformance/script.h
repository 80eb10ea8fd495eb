// One whole match of Burraco with the hand-written layer, the same each time.
#ifndef CONFORMANCE_SCRIPT_H_
#define CONFORMANCE_SCRIPT_H_

#include "burraco/client.h"

namespace conformance {

// Plays the match twice: it has to end, and to end the same. Throws Problem, or what the layer throws.
void play_twice(const burraco::Client& client);

}  // namespace conformance

#endif  // CONFORMANCE_SCRIPT_H_
