// Client of the Burraco rules service. `burraco::v1` is all that is generated, which the rest is made of.
#ifndef BURRACO_BURRACO_H_
#define BURRACO_BURRACO_H_

#include "burraco/cards.h"   // IWYU pragma: export
#include "burraco/client.h"  // IWYU pragma: export
#include "burraco/error.h"   // IWYU pragma: export
#include "burraco/moves.h"   // IWYU pragma: export
#include "burraco/table.h"   // IWYU pragma: export

#endif  // BURRACO_BURRACO_H_
