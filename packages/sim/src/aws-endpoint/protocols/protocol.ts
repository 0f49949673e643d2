import type { StaticOperationSchema } from '@smithy/types';
import { shapeOf, type WireShape } from '../shapes/shape.ts';
import type { WireReply, WireRequest } from '../wire-request.ts';

/** One operation of a service: its wire types and its handler. */
export interface WireOperation {
  readonly name: string;
  readonly input: WireShape;
  readonly output: WireShape;
  /** Method, path with labels and status code, for REST. */
  readonly http: HttpBinding | undefined;
  serve(input: unknown, options: ServeOptions): Promise<unknown>;
}

interface HttpBinding {
  readonly method: string;
  readonly path: string;
  readonly statusCode: number;
}

interface ServeOptions {
  /** The SDK of the client retries. */
  readonly retries: 'none';
  readonly signal: AbortSignal;
}

/** An AWS error as it appears in a response. */
export interface WireRefusal {
  readonly code: string;
  readonly message: string;
  readonly statusCode: number;
  readonly fault: 'client' | 'server';
}

/** A wire protocol of AWS services. */
export interface Protocol {
  accepts(request: WireRequest): boolean;
  /** The operation that the request names, also for error messages. */
  nameIn(request: WireRequest): string;
  find(request: WireRequest, operations: readonly WireOperation[]): WireOperation | undefined;
  /** Parses the input of the operation. Throws a Refusal if it is malformed. */
  read(operation: WireOperation, request: WireRequest): unknown;
  answer(operation: WireOperation, output: unknown, requestId: string): WireReply;
  refuse(refusal: WireRefusal, requestId: string): WireReply;
}

/** The call behind an operation. Its input is what the protocol read by the operation's own schema. */
type Serve = (input: never, options: ServeOptions) => Promise<unknown>;

export function operation(schema: StaticOperationSchema, serve: Serve): WireOperation {
  const [, , name, traits, input, output] = schema;
  return {
    name,
    input: shapeOf(input),
    output: shapeOf(output),
    http: bindingIn(traits),
    serve: (value, options) => serve(value as never, options),
  };
}

function bindingIn(traits: StaticOperationSchema[3]): HttpBinding | undefined {
  if (typeof traits !== 'object') return undefined;
  const [method, path, statusCode] = traits.http ?? [];
  return method === undefined || path === undefined || statusCode === undefined
    ? undefined
    : { method, path, statusCode };
}
