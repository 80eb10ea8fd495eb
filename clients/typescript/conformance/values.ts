/** JSON values of a vector: paths into them, references to what earlier steps saved, and differences. */

import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** A place where an answer is not what was expected. */
export interface Difference {
  readonly path: string;
  readonly expected: Json;
  readonly actual: Json;
}

/** Stands in a difference for what is not there. */
export const ABSENT = "(absent)";

type Step = string | number;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// --- paths -----------------------------------------------------------------------------------------------------------

/** The string at a path without `*`; undefined where there is none. */
export function stringAt(value: Json | undefined, path: string): string | undefined {
  let found = value;
  for (const step of stepsOf(path)) {
    found = found === undefined || step === "*" ? undefined : inside(found, step)[0];
  }
  return typeof found === "string" ? found : undefined;
}

/** Removes what a path leads to, in place, and says how many values that were. */
export function takeOut(value: Json, path: string): number {
  const way = stepsOf(path);
  const last = way.pop();
  if (typeof last !== "string" || last === "*") {
    throw new SyntaxError(`${path} has to end with a name: an array keeps its length`);
  }
  let holders: Json[] = [value];
  for (const step of way) {
    holders = holders.flatMap((holder) => inside(holder, step));
  }
  const having = holders.filter((holder): holder is JsonObject => isObject(holder) && Object.hasOwn(holder, last));
  for (const holder of having) {
    delete holder[last];
  }
  return having.length;
}

function stepsOf(path: string): Step[] {
  const parts = [...path.matchAll(/\.?(\w+)|\[(\d+|\*)\]/g)];
  if (parts.map(([whole]) => whole).join("") !== path) {
    throw new SyntaxError(`${path} is no path`);
  }
  return parts.map(([, name, index]) => name ?? (index === "*" ? "*" : Number(index)));
}

function inside(holder: Json, step: Step): Json[] {
  if (Array.isArray(holder)) {
    const entry = typeof step === "number" ? holder[step] : undefined;
    return step === "*" ? holder : entry === undefined ? [] : [entry];
  }
  const value = isObject(holder) && Object.hasOwn(holder, String(step)) ? holder[step] : undefined;
  return value === undefined ? [] : [value];
}

// --- references ------------------------------------------------------------------------------------------------------

/**
 * Puts values in the place of references, all the way down.
 *
 * @throws RangeError when a variable was never saved.
 */
export function resolve(value: Json, variables: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) {
    return value.map((each) => resolve(each, variables));
  }
  if (!isObject(value)) {
    return value;
  }
  const saved = (name: Json): string => {
    const found = variables.get(String(name));
    if (found === undefined) {
      throw new RangeError(`nothing was saved as ${String(name)}`);
    }
    return found;
  };
  const { $var, $bytes, $text, $zeros } = value;
  if ($var !== undefined) {
    return saved($var);
  }
  if ($bytes !== undefined) {
    return base64Encode(edited(base64Decode(saved($bytes)), value));
  }
  if ($text !== undefined) {
    return new TextDecoder().decode(edited(new TextEncoder().encode(saved($text)), value));
  }
  if ($zeros !== undefined) {
    return base64Encode(new Uint8Array(Number($zeros)));
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, variables)]));
}

/** Changes content as asked: `xor` first, then `cut`, then `append`. */
function edited(content: Uint8Array, edits: JsonObject): Uint8Array {
  const changed = [...content];
  for (const change of Array.isArray(edits["xor"]) ? edits["xor"] : []) {
    const { at, with: mask } = change as { at: number; with: number };
    const index = at < 0 ? changed.length + at : at;
    changed[index] = (changed[index] ?? 0) ^ mask;
  }
  const kept = typeof edits["cut"] === "number" ? changed.slice(0, edits["cut"]) : changed;
  return Uint8Array.from([...kept, ...base64Decode(String(edits["append"] ?? ""))]);
}

// --- differences -----------------------------------------------------------------------------------------------------

/** Every place where two values differ; neither may have a key that the other has not. */
export function* differences(
  expected: Json | undefined,
  actual: Json | undefined,
  path = "",
): Generator<Difference, void, undefined> {
  if (isObject(expected) && isObject(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      yield* differences(own(expected, name), own(actual, name), path === "" ? name : `${path}.${name}`);
    }
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let at = 0; at < Math.max(expected.length, actual.length); at++) {
      yield* differences(expected[at], actual[at], `${path}[${at}]`);
    }
  } else if (expected !== actual) {
    yield { path, expected: expected ?? ABSENT, actual: actual ?? ABSENT };
  }
}

function own(holder: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}
