import type { Json, JsonObject } from '@karpenter/core/schema';
import { isJsonArray, isJsonObject } from '@karpenter/core/schema';
import { StepCounter, type Steps } from '@karpenter/core/yielding';
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { StatusError } from '../status/status-error.ts';
import { unrecognizedBody } from './body-refusal.ts';
import { type DecodedBody, plainJson } from './json-body.ts';
import { depthLimit } from './json-scan.ts';
import { YamlLimit } from './yaml-limit.ts';
import { plainScalar } from './yaml-scalar.ts';

const decoder = new TextDecoder('utf-8');
/** Limit on nodes after resolving aliases, against "billion laughs" documents. */
const nodeLimit = 200_000;

/** Decodes a YAML body. Of several documents it uses the first, like kube-apiserver. */
export function* decodeYaml(body: Uint8Array, kind: string): Steps<DecodedBody> {
  const text = decoder.decode(body);
  const json = yield* plainJson(text);
  if (json !== undefined) return { object: json, strictErrors: [] };
  const reader = new YamlReader(text);
  const value = yield* attempt(reader.read(), (problem) => unrecognizedBody(kind, body, problem));
  if (!isJsonObject(value)) {
    const found = foundType(value);
    const target = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
    const problem = `json: cannot unmarshal ${found} into Go value of type ${target}`;
    throw unrecognizedBody(kind, body, `couldn't get version/kind; json parse error: ${problem}`);
  }
  return { object: value, strictErrors: reader.duplicates };
}

/** Decodes the body of a server-side apply, which has its own error messages. */
export function* decodeApplyPatch(body: Uint8Array): Steps<DecodedBody> {
  const text = decoder.decode(body);
  const json = yield* plainJson(text);
  if (json !== undefined) return { object: json, strictErrors: [] };
  const reader = new YamlReader(text);
  const refuse = (problem: string) => new StatusError(400, 'BadRequest', `error decoding YAML: ${problem}`);
  const value = yield* attempt(reader.read(), refuse);
  if (!isJsonObject(value)) {
    const problem = `json: cannot unmarshal ${foundType(value)} into Go value of type map[string]interface {}`;
    throw refuse(`error unmarshaling JSON: while decoding JSON: ${problem}`);
  }
  return { object: value, strictErrors: reader.duplicates };
}

function* attempt<T>(reading: Steps<T>, refuse: (problem: string) => StatusError): Steps<T> {
  try {
    return yield* reading;
  } catch (error) {
    if (error instanceof YamlProblem) throw refuse(error.message);
    throw error;
  }
}

function foundType(value: Json): string {
  return isJsonArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
}

class YamlProblem extends Error {}

class YamlReader {
  readonly duplicates: string[] = [];
  readonly #lines = new LineCounter();
  readonly #text: string;
  /** The anchored nodes so far: an alias refers to the last one before it. */
  readonly #anchors = new Map<string, unknown>();
  readonly #counter = new StepCounter();
  #nodes = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Steps<Json> {
    const document = yield* this.#firstDocument();
    yield;
    const [error] = document?.errors ?? [];
    if (error !== undefined) {
      const { line } = this.#lines.linePos(Math.max(0, error.pos[0]));
      throw new YamlProblem(`yaml: line ${line}: ${error.message}`);
    }
    return yield* this.#value(document?.contents);
  }

  *#firstDocument(): Steps<Document.Parsed | undefined> {
    const tokens = yield* this.#tokens();
    yield;
    // The library parses only the structure; scalarValue() interprets scalars like Go's library.
    const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
    const [document] = composer.compose(tokens);
    return document;
  }

  /** The library's own loop from lexemes to tokens does not yield. */
  *#tokens(): Steps<readonly CST.Token[]> {
    const limit = new YamlLimit();
    const parser = new Parser(this.#lines.addNewLine);
    const tokens: CST.Token[] = [];
    this.#lines.addNewLine(0);
    for (const lexeme of new Lexer().lex(this.#text)) {
      limit.add(lexeme);
      if (limit.isTooDeep) throw new YamlProblem('yaml: exceeded max depth');
      for (const token of parser.next(lexeme)) tokens.push(token);
      this.#counter.spend();
      if (this.#counter.endsStep()) yield;
    }
    return [...tokens, ...parser.end()];
  }

  *#value(node: unknown): Steps<Json> {
    this.#nodes += 1;
    this.#counter.spend();
    if (this.#counter.endsStep()) yield;
    if (this.#depth > depthLimit) throw new YamlProblem('yaml: exceeded max depth');
    if (this.#nodes > nodeLimit) throw new YamlProblem('yaml: document contains excessive aliasing');
    if (isScalar(node)) return this.#scalar(node);
    this.#depth += 1;
    const value = yield* this.#below(node);
    this.#depth -= 1;
    return value;
  }

  #scalar(node: Scalar): Json {
    this.#remember(node);
    return finite(scalarValue(node));
  }

  *#below(node: unknown): Steps<Json> {
    if (isAlias(node)) return yield* this.#value(this.#target(node));
    this.#remember(node);
    if (isMap(node)) return yield* this.#map(node);
    const items: Json[] = [];
    if (!isSeq(node)) return null;
    for (const item of node.items) items.push(yield* this.#value(item));
    return items;
  }

  #remember(node: unknown): void {
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  #target({ source }: Alias): unknown {
    const target = this.#anchors.get(source);
    if (target === undefined) throw new YamlProblem(`yaml: unknown anchor '${source}' referenced`);
    return target;
  }

  *#map(map: YAMLMap): Steps<JsonObject> {
    const members = new Map<string, Json>();
    const merged: JsonObject[] = [];
    for (const { key, value } of map.items) {
      if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN')
        for (const source of yield* this.#mergeSources(value)) merged.push(source);
      else yield* this.#member(members, key, value);
    }
    // Own members win over merged ones, and the first merged map wins over later ones.
    return Object.fromEntries([
      ...merged.toReversed().flatMap((source) => Object.entries(source)),
      ...members,
    ]);
  }

  *#member(members: Map<string, Json>, key: unknown, value: unknown): Steps<void> {
    const name = yield* this.#name(key, value);
    if (members.has(name)) {
      const { line } = this.#lines.linePos((isNode(key) ? key.range?.[0] : undefined) ?? 0);
      this.duplicates.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
    }
    members.set(name, yield* this.#value(value));
  }

  /** JSON names are strings; YAML keys may also be numbers and booleans. */
  *#name(key: unknown, value: unknown): Steps<string> {
    this.#remember(key);
    const name = isScalar(key) ? scalarValue(key) : undefined;
    if (typeof name === 'string' || typeof name === 'boolean' || typeof name === 'number')
      return String(name);
    const shown = JSON.stringify(yield* this.#value(value));
    throw new YamlProblem(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
  }

  *#mergeSources(node: unknown): Steps<readonly JsonObject[]> {
    const value = yield* this.#value(node);
    const sources = isJsonArray(value) ? value : [value];
    if (sources.every(isJsonObject)) return sources;
    throw new YamlProblem('yaml: map merge requires map or sequence of maps as the value');
  }
}

function finite(value: Json): Json {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new YamlProblem(`json: unsupported value: ${text}`);
}

const plainTags = ['bool', 'float', 'int', 'null'].map((name) => `tag:yaml.org,2002:${name}`);

function scalarValue({ value, tag, type = 'PLAIN' }: Scalar): Json {
  if (value instanceof Uint8Array) return decoder.decode(value);
  const text = String(value ?? '');
  if (tag !== undefined && plainTags.includes(tag)) return plainScalar(text);
  return type === 'PLAIN' && tag === undefined ? plainScalar(text) : text;
}
