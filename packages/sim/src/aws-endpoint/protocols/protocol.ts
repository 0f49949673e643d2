import type { StaticOperationSchema } from '@smithy/types';
import { shapeOf, type WireShape } from '../shapes/shape.ts';
import type { WireReply, WireRequest } from '../wire-request.ts';

/** One operation of a service: its types on the wire, and who serves it. */
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
  /** The caller repeats failed calls itself. */
  readonly retries: 'none';
  readonly signal: AbortSignal;
}

/** Why a request is refused, as callers of AWS see it. */
export interface WireRefusal {
  readonly code: string;
  readonly message: string;
  readonly statusCode: number;
  readonly fault: 'client' | 'server';
}

/** How a service speaks over HTTP. */
export interface Protocol {
  accepts(request: WireRequest): boolean;
  /** The name by which the request calls its operation, for a refusal too. */
  nameIn(request: WireRequest): string;
  find(request: WireRequest, operations: readonly WireOperation[]): WireOperation | undefined;
  /** What the caller passes to the operation. Throws a Refusal for what cannot be read. */
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
