/** Runs scenarios: each step's request is sent, and the answer compared with what is expected. */

import { base64Decode } from "@bufbuild/protobuf/wire";

import { call, object, type Transports } from "./caller.js";
import {
  ABSENT,
  type Difference,
  differences,
  type Json,
  type JsonObject,
  resolve,
  stringAt,
  takeOut,
} from "./values.js";

/** A step whose answer is not what was expected. */
export interface Failure {
  readonly step: number;
  readonly rpc: string;
  readonly differences: readonly Difference[];
}

/** Runs a scenario until its end or its first failure; `metadata` is sent where a step has none of its own. */
export async function run(
  scenario: JsonObject,
  transports: Transports,
  metadata: JsonObject,
): Promise<Failure | undefined> {
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(object(scenario["variables"] ?? {}, "variables"))) {
    variables.set(name, String(value));
  }
  for (const [index, step] of list(scenario["steps"]).entries()) {
    const found = await runStep(object(step, "a step"), transports, metadata, variables);
    if (found.length > 0) {
      return { step: index, rpc: String(object(step, "a step")["rpc"]), differences: found };
    }
  }
  return undefined;
}

async function runStep(
  step: JsonObject,
  transports: Transports,
  metadata: JsonObject,
  variables: Map<string, string>,
): Promise<Difference[]> {
  const raw = step["requestBytes"];
  const actual = await call(transports, {
    rpc: String(step["rpc"]),
    metadata: object(resolve(step["metadata"] ?? metadata, variables), "metadata"),
    request: resolve(step["request"] ?? {}, variables),
    raw: raw === undefined ? undefined : base64Decode(String(raw)),
  });
  const { any, ignore, ...expected } = object(step["expect"], "expect");
  const compared = structuredClone(actual);
  const found = setAside(compared["answer"], list(any), list(ignore));
  found.push(...differences(expected, compared));
  for (const [name, path] of Object.entries(object(step["save"] ?? {}, "save"))) {
    const value = stringAt(actual["answer"], String(path));
    if (value === undefined) {
      found.push({ path: `answer.${String(path)}`, expected: `(something to save as ${name})`, actual: ABSENT });
    } else {
      variables.set(name, value);
    }
  }
  return found;
}

/** Takes out of an answer what is not compared; what stands under `any` has to be there. */
function setAside(answer: Json | undefined, any: readonly Json[], ignore: readonly Json[]): Difference[] {
  if (answer === undefined) {
    return [];
  }
  const missing = any.map(String).filter((path) => takeOut(answer, path) === 0);
  for (const path of ignore.map(String)) {
    takeOut(answer, path);
  }
  return missing.map((path) => ({ path: `answer.${path}`, expected: "(anything)", actual: ABSENT }));
}

export function list(value: Json | undefined): readonly Json[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw new TypeError("an array was expected");
  }
  return value;
}
