/** Calls for the vectors: JSON in, JSON out, by the descriptors of the generated code. */

import { create, type DescMethodUnary, type DescService, fromJson, toJson } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { codeName } from "burraco";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "burraco/google/rpc";
import { ArbiterService, GameService } from "burraco/v1";

import { isObject, type Json, type JsonObject } from "./values.js";

const TIMEOUT_MS = 30_000;
const DOMAIN = "burraco";
const SERVICES: readonly DescService[] = [GameService, ArbiterService];

/** Tells the runner's own transports which bytes to send in place of the message; it never leaves them. */
const RAW_HEADER = "runner-raw-request";

/** A transport for each service that has an address, by the service's name. */
export type Transports = ReadonlyMap<string, Transport>;

export interface Call {
  readonly rpc: string;
  readonly metadata: JsonObject;
  readonly request: Json;
  readonly raw?: Uint8Array | undefined;
}

/** Makes a call and says how it ended, as `expect` of a vector has it. */
export async function call(transports: Transports, { rpc, metadata, request, raw }: Call): Promise<JsonObject> {
  const method = methodOf(rpc);
  const transport = transports.get(method.parent.typeName);
  if (transport === undefined) {
    throw new RangeError(`${method.parent.typeName} has no address`);
  }
  const headers = Object.entries(metadata).map(([name, value]): [string, string] => [name, String(value)]);
  if (raw !== undefined) {
    headers.push([RAW_HEADER, base64Encode(raw)]);
  }
  try {
    const message = raw === undefined ? fromJson(method.input, request) : create(method.input);
    const answer = await transport.unary(method, undefined, TIMEOUT_MS, headers, message);
    return { code: "OK", answer: toJson(method.output, answer.message) as Json };
  } catch (failure) {
    if (failure instanceof ConnectError) {
      return failureOf(failure);
    }
    throw failure;
  }
}

function methodOf(rpc: string): DescMethodUnary {
  const [service, name] = rpc.split("/");
  const method = SERVICES.find((each) => each.typeName === service)?.methods.find((each) => each.name === name);
  if (method?.methodKind !== "unary") {
    throw new RangeError(`${rpc} is no unary method of the contract`);
  }
  return method as DescMethodUnary;
}

/** Writes how a call failed. Without the details of this service nothing but the code is told. */
function failureOf(error: ConnectError): JsonObject {
  const failure: JsonObject = { code: codeName(error.code) };
  const info = error.findDetails(ErrorInfoSchema)[0];
  if (info?.domain !== DOMAIN) {
    if (error.code === Code.Unknown || error.code === Code.Internal) {
      failure["message"] = error.rawMessage; // no vector expects one: it says what went wrong here
    }
    return failure;
  }
  failure["reason"] = info.reason;
  failure["message"] = error.rawMessage;
  if (Object.keys(info.metadata).length > 0) {
    failure["arguments"] = { ...info.metadata };
  }
  const bad = error.findDetails(BadRequestSchema)[0];
  const fields = bad && (toJson(BadRequestSchema, bad) as JsonObject)["fieldViolations"];
  if (fields !== undefined) {
    failure["fields"] = fields;
  }
  const retry = error.findDetails(RetryInfoSchema)[0];
  const delay = retry && (toJson(RetryInfoSchema, retry) as JsonObject)["retryDelay"];
  if (delay !== undefined) {
    failure["retryDelay"] = delay;
  }
  return failure;
}

/** Takes out of the headers what is to be sent in place of the message, as a frame of gRPC. */
export function takeRaw(headers: Headers): Uint8Array<ArrayBuffer> | undefined {
  const text = headers.get(RAW_HEADER);
  headers.delete(RAW_HEADER);
  if (text === null) {
    return undefined;
  }
  const message = base64Decode(text);
  const frame = new Uint8Array(5 + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, 5);
  return frame;
}

/** Whether a value is what a step of a vector is. */
export function object(value: Json | undefined, what: string): JsonObject {
  if (!isObject(value)) {
    throw new TypeError(`${what} is no object`);
  }
  return value;
}
