import { Refusal } from '../../cloud/index.ts';
import { type QueryDialect, QueryShapes } from '../shapes/query-shape.ts';
import { QueryNode } from '../shapes/query-tree.ts';
import { element, escaped, structXml } from '../shapes/xml-shape.ts';
import { parametersOf, type WireReply, type WireRequest } from '../wire-request.ts';
import type { Protocol, WireOperation, WireRefusal } from './protocol.ts';

export interface QueryProtocolOptions {
  readonly dialect: QueryDialect;
  readonly xmlNamespace: string;
  /** Maps error codes for services that use other codes in this protocol. */
  readonly codeOf?: (code: string) => string;
}

/** Parameters that belong to the protocol or the signature, not to an operation. */
const protocolParameters = /^(Action|Version|AWSAccessKeyId|Signature.*|Timestamp|SecurityToken|X-Amz-.*)$/;

/** Form parameters in, XML out: the protocol of EC2, and that of IAM, STS, Auto Scaling and older SQS clients. */
export class QueryProtocol implements Protocol {
  readonly #options: QueryProtocolOptions;
  readonly #shapes: QueryShapes;

  constructor(options: QueryProtocolOptions) {
    this.#options = options;
    this.#shapes = new QueryShapes(options.dialect);
  }

  accepts(request: WireRequest): boolean {
    return parametersOf(request).has('Action');
  }

  nameIn(request: WireRequest): string {
    return parametersOf(request).get('Action') ?? '';
  }

  find(request: WireRequest, operations: readonly WireOperation[]): WireOperation | undefined {
    const action = this.nameIn(request);
    return operations.find(({ name }) => name === action);
  }

  read({ input }: WireOperation, request: WireRequest): unknown {
    const parameters = [...parametersOf(request)].filter(([name]) => !protocolParameters.test(name));
    const tree = QueryNode.of(parameters);
    const value = input.isStructSchema() ? this.#shapes.struct(input, tree) : {};
    const unread = this.#options.dialect === 'ec2' ? tree.unread() : undefined;
    if (unread === undefined) return value;
    throw new Refusal('UnknownParameter', `The parameter ${unread} is not recognized`);
  }

  answer({ name, output }: WireOperation, value: unknown, requestId: string): WireReply {
    const members = structXml(output, value);
    const body =
      this.#options.dialect === 'ec2'
        ? element('requestId', requestId) + (output.isStructSchema() ? members : element('return', 'true'))
        : `${output.isStructSchema() ? element(`${name}Result`, members) : ''}${element('ResponseMetadata', element('RequestId', requestId))}`;
    return xmlReply(
      200,
      `<${name}Response xmlns="${this.#options.xmlNamespace}">${body}</${name}Response>`,
      requestId,
    );
  }

  refuse({ code, message, statusCode, fault }: WireRefusal, requestId: string): WireReply {
    const { dialect, codeOf = (same) => same } = this.#options;
    const words = element('Code', escaped(codeOf(code))) + element('Message', escaped(message));
    if (dialect === 'ec2') {
      const error = element('Errors', element('Error', words));
      return xmlReply(statusCode, element('Response', error + element('RequestID', requestId)), requestId);
    }
    const type = element('Type', fault === 'client' ? 'Sender' : 'Receiver');
    const error = element('Error', type + words) + element('RequestId', requestId);
    return xmlReply(statusCode, element('ErrorResponse', error), requestId);
  }
}

function xmlReply(statusCode: number, root: string, requestId: string): WireReply {
  return {
    statusCode,
    headers: { 'content-type': 'text/xml;charset=UTF-8', 'x-amzn-requestid': requestId },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${root}`,
  };
}
