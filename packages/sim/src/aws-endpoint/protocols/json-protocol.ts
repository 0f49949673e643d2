import { fromJson, toJson } from '../shapes/json-shape.ts';
import { targetOf, type WireReply, type WireRequest } from '../wire-request.ts';
import { jsonBody } from './json-body.ts';
import type { Protocol, WireOperation, WireRefusal } from './protocol.ts';

export interface JsonProtocolOptions {
  readonly version: '1.0' | '1.1';
  /** Error code of the query protocol, sent in a header for clients that still expect it. */
  readonly queryCodeOf?: (code: string) => string;
}

/** JSON both ways, with the operation in a header: SSM, Pricing and SQS. */
export class JsonProtocol implements Protocol {
  readonly #options: JsonProtocolOptions;

  constructor(options: JsonProtocolOptions) {
    this.#options = options;
  }

  accepts(request: WireRequest): boolean {
    return targetOf(request) !== undefined;
  }

  nameIn(request: WireRequest): string {
    return targetOf(request)?.operation ?? '';
  }

  find(request: WireRequest, operations: readonly WireOperation[]): WireOperation | undefined {
    const wanted = this.nameIn(request);
    return operations.find(({ name }) => name === wanted);
  }

  read({ input }: WireOperation, { body }: WireRequest): unknown {
    const value = jsonBody(body);
    return input.isStructSchema() ? fromJson(input, value) : {};
  }

  answer({ output }: WireOperation, value: unknown, requestId: string): WireReply {
    const json = output.isStructSchema() ? toJson(output, value) : {};
    return { statusCode: 200, headers: this.#headers(requestId), body: JSON.stringify(json) };
  }

  refuse({ code, message, statusCode, fault }: WireRefusal, requestId: string): WireReply {
    const { queryCodeOf } = this.#options;
    const query =
      queryCodeOf === undefined
        ? {}
        : { 'x-amzn-query-error': `${queryCodeOf(code)};${fault === 'client' ? 'Sender' : 'Receiver'}` };
    return {
      statusCode,
      headers: { ...this.#headers(requestId), ...query },
      body: JSON.stringify({ __type: code, message }),
    };
  }

  #headers(requestId: string): Record<string, string> {
    return {
      'content-type': `application/x-amz-json-${this.#options.version}`,
      'x-amzn-requestid': requestId,
    };
  }
}
