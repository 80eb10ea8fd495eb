/** The lists of legal moves in the vectors, which the service made: each expands to as many moves as it says, each once. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { fromJson, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { moves } from "burraco";
import { LegalMovesSchema, MoveSchema } from "burraco/v1";

import { isObject, type Json, type JsonObject } from "../conformance/values.js";

const VECTORS = fileURLToPath(new URL("../../../tests/conformance/vectors/", import.meta.url));

function* listsIn(value: Json): Generator<JsonObject, void, undefined> {
  if (Array.isArray(value)) {
    for (const each of value) {
      yield* listsIn(each);
    }
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (name === "legalMoves" && isObject(each)) {
        yield each;
      }
      yield* listsIn(each);
    }
  }
}

test("every list of legal moves in the vectors expands to its count", () => {
  let lists = 0;
  let groups = 0;
  for (const path of readdirSync(VECTORS, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".json")) {
      continue;
    }
    for (const json of listsIn(JSON.parse(readFileSync(join(VECTORS, path), "utf8")) as Json)) {
      const legal = fromJson(LegalMovesSchema, json);
      const keys = Array.from(moves.expand(legal), (move) => base64Encode(toBinary(MoveSchema, move)));
      assert.equal(BigInt(keys.length), legal.count, path);
      assert.equal(new Set(keys).size, keys.length, `${path}: a move came twice`);
      for (const group of legal.groups) {
        assert.equal(BigInt([...moves.expandGroup(group)].length), group.count, path);
        groups += 1;
      }
      lists += 1;
    }
  }
  // A test that found nothing would prove nothing.
  assert.ok(lists >= 10, `${lists} lists`);
  assert.ok(groups >= 20, `${groups} groups`);
});
