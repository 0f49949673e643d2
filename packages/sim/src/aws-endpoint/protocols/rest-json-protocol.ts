import { Refusal } from '../../cloud/index.ts';
import { fromJson, toJson } from '../shapes/json-shape.ts';
import { scalarFrom } from '../shapes/scalars.ts';
import { fieldsOf, hasTrait, traitText, type WireShape } from '../shapes/shape.ts';
import type { WireReply, WireRequest } from '../wire-request.ts';
import { jsonBody } from './json-body.ts';
import type { Protocol, WireOperation, WireRefusal } from './protocol.ts';

/** JSON with the operation in method and path: EKS and zonal shift. */
export class RestJsonProtocol implements Protocol {
  accepts(): boolean {
    return true;
  }

  nameIn({ method, path }: WireRequest): string {
    return `${method} ${path}`;
  }

  find(request: WireRequest, operations: readonly WireOperation[]): WireOperation | undefined {
    return operations.find((operation) => labelsIn(operation, request) !== undefined);
  }

  read(operation: WireOperation, request: WireRequest): unknown {
    const { input } = operation;
    if (!input.isStructSchema()) return {};
    const labels = labelsIn(operation, request) ?? new Map<string, string>();
    const body = fieldsOf(fromJson(input, jsonBody(request.body)));
    const members: [string, unknown][] = [...body];
    for (const [member, target] of input.structIterator()) {
      const text = hasTrait(target, 'httpLabel') ? labels.get(member) : queryText(target, request);
      if (text !== undefined) members.push([member, valueFrom(target, text, member)]);
    }
    return Object.fromEntries(members);
  }

  answer({ output, http }: WireOperation, value: unknown, requestId: string): WireReply {
    const json = output.isStructSchema() ? toJson(output, value) : {};
    return jsonReply(http?.statusCode ?? 200, json, { 'x-amzn-requestid': requestId });
  }

  refuse({ code, message, statusCode }: WireRefusal, requestId: string): WireReply {
    const headers = { 'x-amzn-requestid': requestId, 'x-amzn-errortype': code };
    return jsonReply(statusCode, { message }, headers);
  }
}

/** The values of the labels in the path by name; undefined if the request is for another operation. */
function labelsIn(
  { http }: WireOperation,
  { method, path }: WireRequest,
): ReadonlyMap<string, string> | undefined {
  if (http === undefined || http.method !== method) return undefined;
  const wanted = segmentsOf(http.path);
  const given = segmentsOf(path);
  if (wanted.length !== given.length) return undefined;
  const labels = new Map<string, string>();
  for (const [index, segment] of wanted.entries()) {
    const text = given[index] ?? '';
    if (segment.startsWith('{')) labels.set(segment.slice(1, -1), unescaped(text));
    else if (segment !== text) return undefined;
  }
  return labels;
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('BadRequestException', `The path has a malformed escape: ${text.slice(0, 80)}`);
  }
}

function queryText(target: WireShape, { query }: WireRequest): string | undefined {
  const name = traitText(target, 'httpQuery');
  return name === undefined ? undefined : (query.get(name) ?? undefined);
}

/** A list parameter may occur several times in a query; reading one is enough for the operations served here. */
function valueFrom(target: WireShape, text: string, member: string): unknown {
  if (target.isListSchema()) return [scalarFrom(target.getValueSchema(), text, member)];
  return scalarFrom(target, text, member);
}

function jsonReply(statusCode: number, json: unknown, headers: Readonly<Record<string, string>>): WireReply {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  };
}
