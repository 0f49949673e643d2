import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CodedError } from '@karpenter/core/errors';
import { Refusal, SimulatedAwsError, type SimulatedCloud } from '../cloud/index.ts';
import { JsonProtocol } from './protocols/json-protocol.ts';
import type { Protocol, WireRefusal } from './protocols/protocol.ts';
import { QueryProtocol } from './protocols/query-protocol.ts';
import { RestJsonProtocol } from './protocols/rest-json-protocol.ts';
import { readWireRequest } from './read-request.ts';
import type { WireService } from './services/wire-service.ts';
import { refuseOtherRegions, serviceFor, wireServices } from './services/wire-services.ts';
import { scopeOf, type WireReply, type WireRequest } from './wire-request.ts';

export interface AwsEndpointOptions {
  readonly cloud: SimulatedCloud;
  /** Port on 127.0.0.1; 0, the default, picks a free one. */
  readonly port?: number;
}

export interface AwsEndpoint {
  /** For `--endpoint-url` and AWS_ENDPOINT_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the account in AWS' protocols on loopback. Any credentials are accepted; signatures are not verified. */
export async function startAwsEndpoint({ cloud, port = 0 }: AwsEndpointOptions): Promise<AwsEndpoint> {
  const server = createServer();
  const url = `http://127.0.0.1:${await listening(server, port)}`;
  const services = wireServices({ cloud, origin: url });
  const replies = new Replies(services, cloud.world.region);
  server.on('request', (request, response) => {
    response.on('error', () => {});
    void handle(request, response, replies).catch(() => response.destroy());
  });
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(request: IncomingMessage, response: ServerResponse, replies: Replies): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const reply = await replies.replyTo(() => readWireRequest(request), left.signal);
  if (reply === undefined) {
    response.destroy();
    return;
  }
  response.writeHead(reply.statusCode, reply.headers);
  response.end(reply.body);
}

/** Computes the reply to each request. */
class Replies {
  readonly #services: readonly WireService[];
  readonly #region: string;

  constructor(services: readonly WireService[], region: string) {
    this.#services = services;
    this.#region = region;
  }

  /** Undefined if a fault loses the reply; the connection is then closed without one. */
  async replyTo(read: () => Promise<WireRequest>, signal: AbortSignal): Promise<WireReply | undefined> {
    let protocol: Protocol = rest;
    try {
      const request = await read();
      protocol = unknownProtocol(request);
      const service = serviceFor(request, this.#services);
      protocol = accepting(request, service.protocols);
      refuseOtherRegions(request, service, this.#region);
      const operation = protocol.find(request, service.operations);
      if (operation === undefined) throw unknownOperation(service, protocol.nameIn(request));
      const input = protocol.read(operation, request);
      const output = await operation.serve(input, { retries: 'none', signal });
      return protocol.answer(operation, output, randomUUID());
    } catch (error) {
      const refusal = refusalOf(error);
      // Status 0 is the `lostReplies` fault.
      return refusal.statusCode === 0 ? undefined : protocol.refuse(refusal, requestIdOf(error));
    }
  }
}

const rest = new RestJsonProtocol();
const query = new QueryProtocol({ dialect: 'query', xmlNamespace: 'https://aws.amazon.com/' });
/** REST XML services: their clients only read errors in XML, and their requests have no mark of another protocol. */
const restXmlServices: ReadonlySet<string> = new Set(['s3', 'route53', 'cloudfront']);

/** The protocol for the error response to a request whose service is unknown. */
function unknownProtocol(request: WireRequest): Protocol {
  if (restXmlServices.has(scopeOf(request)?.service ?? '')) return query;
  return accepting(request, [new JsonProtocol({ version: '1.1' }), query, rest]);
}

function accepting(request: WireRequest, protocols: WireService['protocols']): Protocol {
  return protocols.find((each) => each.accepts(request)) ?? protocols[0];
}

function unknownOperation({ name, operations }: WireService, asked: string): Refusal {
  const known = operations.map((each) => each.name).join(', ');
  return new Refusal(
    'InvalidAction',
    `The action ${asked.slice(0, 120)} is not valid for this web service: the simulated ${name} has ${known}`,
  );
}

function refusalOf(error: unknown): WireRefusal {
  if (error instanceof Refusal || error instanceof SimulatedAwsError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'InternalError', message, statusCode: 500, fault: 'server' };
}

function requestIdOf(error: unknown): string {
  return error instanceof SimulatedAwsError ? error.requestId : randomUUID();
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `cannot serve the simulated AWS account on port ${port}: ${cause.message}; choose another with --aws-port`;
      reject(new CodedError('port-in-use', message, { details: { port }, cause }));
    });
    server.listen({ port, host: '127.0.0.1' }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
