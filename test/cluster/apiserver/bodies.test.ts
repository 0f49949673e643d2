import type { JsonObject } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import {
  decodeApplyPatch,
  decodeJson,
  decodePatch,
  decodeProtobuf,
  decodeYaml,
  StatusError,
} from '@karpenter/sim/apiserver';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, sharedControlPlane } from '../shared-control-plane.ts';
import { installWidget } from './custom-kind.ts';
import { kubectlBodies } from './kubectl-bodies.ts';
import type { TwinKind } from './twin-object.ts';

const plane = sharedControlPlane();
let namespace = '';
let widget: TwinKind;

beforeAll(async () => {
  namespace = await createNamespace(plane);
  widget = await installWidget(plane, namespace);
});

const volatile = [
  'uid',
  'creationTimestamp',
  'time',
  'token',
  'expirationTimestamp',
  'clusterIP',
  'clusterIPs',
];

/** Removes what differs on each run: uids, times, suffixes, and the order of rules. */
function comparable(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value: unknown) => {
    if (volatile.includes(name) || name.endsWith('controller-uid')) return undefined;
    if (name.endsWith('Rules') && Array.isArray(value))
      return value.map((rule) => JSON.stringify(rule)).sort();
    return value;
  });
  return JSON.parse(text.replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access'));
}

describe('protobuf bodies of kubectl', () => {
  it.each(kubectlBodies)('give the same object as on a real API server: %s', async (_, path, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    const decoded = decodeProtobuf(bytes, 'Anything');
    const target = `${path.replace('NAMESPACE', namespace)}?dryRun=All`;
    const send = (body: unknown, type: string) =>
      plane.request('POST', target, body, { 'content-type': type });
    const [theirs, ours] = [
      await send(bytes, 'application/vnd.kubernetes.protobuf'),
      await send(decoded, 'application/json'),
    ];
    expect(theirs.status, JSON.stringify(theirs.body)).toBe(201);
    expect(comparable(ours.body)).toEqual(comparable(theirs.body));
  });
});

const malformed: readonly (readonly [string, string])[] = [
  ['a text that ends early', '{"apiVersion":"v1","kind":'],
  ['a missing comma', '{"apiVersion":"v1" "kind":"Widget"}'],
  ['a missing colon', '{"apiVersion" "v1"}'],
  ['a name without quotes', '{a:1}'],
  ['a comma too many', '{"a":[1,]}'],
  ['a wrong word', '{"a":tru3}'],
  ['a wrong number', '{"a":-x}'],
  ['a wrong fraction', '{"a":1.x}'],
  ['a wrong exponent', '{"a":1ex}'],
  ['a wrong escape', String.raw`{"a":"\q"}`],
  ['a wrong code', String.raw`{"a":"\u12g4"}`],
  ['a line break in a text', '{"a":"x\ny"}'],
  ['something after the end', '{"a":1} {"b":2}'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['nothing', ''],
  ['too deep a list', '['.repeat(10_001)],
  ['too deep an object', '{"a":'.repeat(10_001)],
  [
    'too large a number',
    '{"apiVersion":"GROUP/v1","kind":"Widget","metadata":{"name":"x"},"spec":{"free":{"a":1e400}}}',
  ],
];

describe('malformed JSON', () => {
  it.each(malformed)('gets the same error message: %s', async (_, text) => {
    const body = text.replace('GROUP/v1', widget.apiVersion);
    const answer = await plane.request('POST', widget.collection, body, {
      'content-type': 'application/json',
    });
    const refusal = refusalOf(() => runAtOnce(decodeJson(Buffer.from(body), 'Widget')));
    expect(refusal.toStatus()).toEqual(answer.body);
  });

  it('gets the same error message in a patch', async () => {
    const type = { 'content-type': 'application/merge-patch+json' };
    const path = `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`;
    await expect.poll(async () => (await plane.request('GET', path)).status).toBe(200);
    for (const text of ['{', '{"a" 1}', '{"a":1}}']) {
      const answer = await plane.request('PATCH', path, text, type);
      expect(refusalOf(() => runAtOnce(decodePatch(Buffer.from(text)))).toStatus()).toEqual(answer.body);
    }
  });
});

describe('strict decoding', () => {
  it('reports the same duplicate fields in JSON and YAML', async () => {
    const { apiVersion } = widget;
    const json = `{"apiVersion":"${apiVersion}","kind":"Widget","metadata":{"name":"x"},"spec":{"size":1,"size":2,"ports":[{"port":1,"port":2}],"size":3}}`;
    const yaml = `apiVersion: ${apiVersion}\nkind: Widget\nmetadata: {name: x}\nspec:\n  size: 1\n  size: 2\n`;
    const path = `${widget.collection}?fieldValidation=Strict`;
    const strict = async (text: string, type: string) => {
      const { body } = await plane.request('POST', path, text, { 'content-type': type });
      return (body as { readonly message: string }).message;
    };
    const jsonErrors = runAtOnce(decodeJson(Buffer.from(json), 'Widget')).strictErrors;
    expect(await strict(json, 'application/json')).toContain(
      `strict decoding error: ${jsonErrors.join(', ')}`,
    );
    const [yamlError = ''] = runAtOnce(decodeYaml(Buffer.from(yaml), 'Widget')).strictErrors;
    expect(await strict(yaml, 'application/yaml')).toContain(yamlError);
  });
});

describe('YAML', () => {
  it('decodes to the same values', async () => {
    const free = `{a: yes, b: 012, c: 1_000, d: 0x1f, e: 0b11, f: 1e3, g: .5, i: ~, j: "12:30", j2: 12:30, k: 2020-01-01,
      l: 0o14, n: N, o: y, p: off, q: "yes", r: !!binary aGk=, s: 2020-01-01T00:00:00Z, t: +12, u: -0x10, v: 1.,
      w: "", x: Null, z: 0, aa: 08, bb: 1e, cc: True, dd: nULL, on: 1, 1: 2, ee: !!str 12, ff: !!int "12", gg: 0.0}`;
    const yaml = `apiVersion: ${widget.apiVersion}\nkind: Widget\nmetadata: {name: values}\nspec:\n  free: &x\n    ${free}\n  labels: {<<: {p: q}}\n`;
    const { status, body } = await plane.request('POST', widget.collection, yaml, {
      'content-type': 'application/yaml',
    });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(runAtOnce(decodeYaml(Buffer.from(yaml), 'Widget')).object['spec']).toEqual(
      (body as JsonObject)['spec'],
    );
  });

  it('that is a list gets the same error message when applied', async () => {
    const path = `${widget.collection}/x?fieldManager=a`;
    const answer = await plane.request('PATCH', path, '- a', {
      'content-type': 'application/apply-patch+yaml',
    });
    expect(refusalOf(() => runAtOnce(decodeApplyPatch(Buffer.from('- a')))).toStatus()).toEqual(answer.body);
  });
});

function refusalOf(decode: () => unknown): StatusError {
  try {
    decode();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('the body was not refused');
}
