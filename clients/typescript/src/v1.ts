/** All that is generated of `burraco.v1`: messages, enums and services. */

export * from "./gen/burraco/v1/arbiter_service_pb.js";
export * from "./gen/burraco/v1/cards_pb.js";
export * from "./gen/burraco/v1/events_pb.js";
export * from "./gen/burraco/v1/game_service_pb.js";
export * from "./gen/burraco/v1/melds_pb.js";
export * from "./gen/burraco/v1/moves_pb.js";
export * from "./gen/burraco/v1/reasons_pb.js";
export * from "./gen/burraco/v1/rules_pb.js";
export * from "./gen/burraco/v1/scores_pb.js";
export * from "./gen/burraco/v1/state_pb.js";
export * from "./gen/burraco/v1/views_pb.js";
