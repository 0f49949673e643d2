import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { ServerExchange } from '@karpenter/testkit/http-server';

/** A way in which a conversion webhook handles a review incorrectly. */
export type Misbehaviour = (exchange: ServerExchange, review: Json) => void;

export const group = 'conversions.example.com';

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});

/** A definition that is stored as v1 and served as v2 through the webhook. */
export function conversionDefinition(clientConfig: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      versions: [version('v1', true), version('v2', false)],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  };
}

type Change<T> = (value: T) => Json;
const same = <T extends Json>(value: T): Json => value;

function answer(exchange: ServerExchange, response: Json): void {
  exchange.start(200, { 'content-type': 'application/json' });
  exchange.end(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response }));
}

function objectsIn(review: Json): readonly JsonObject[] {
  const objects = member(member(review, 'request'), 'objects');
  return isJsonArray(objects) ? objects.filter(isJsonObject) : [];
}

function responseTo(review: Json, change: Change<JsonObject> = same): JsonObject {
  const request = member(review, 'request');
  const apiVersion = member(request, 'desiredAPIVersion') ?? '';
  const convertedObjects = objectsIn(review).map((object) => change({ ...object, apiVersion }));
  return { uid: member(request, 'uid') ?? '', result: { status: 'Success' }, convertedObjects };
}

/** Sends the correct response, with a change to its objects. */
export function converted(exchange: ServerExchange, review: Json, change: Change<JsonObject> = same): void {
  answer(exchange, responseTo(review, change));
}

const withMetadata = (fields: JsonObject) => (object: JsonObject) => ({
  ...object,
  metadata: { ...(isJsonObject(object['metadata']) ? object['metadata'] : {}), ...fields },
});

const changed =
  (change: Change<JsonObject>): Misbehaviour =>
  (exchange, review) =>
    converted(exchange, review, change);

const instead =
  (fields: JsonObject): Misbehaviour =>
  (exchange, review) =>
    answer(exchange, { ...responseTo(review), ...fields });

const text =
  (status: number, body: string): Misbehaviour =>
  (exchange) => {
    exchange.start(status, { 'content-type': 'application/json' });
    exchange.end(body);
  };

/** Incorrect responses of a webhook, except never responding. */
export const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  'cuts the connection': (exchange) => exchange.drop(),
  'cuts the connection half way': (exchange, review) => {
    exchange.start(200, { 'content-type': 'application/json', 'content-length': '10000' });
    exchange.write(JSON.stringify({ response: responseTo(review) }));
    exchange.onDrain(() => exchange.drop());
    setImmediate(() => exchange.drop());
  },
  'answers 500': text(500, 'no'),
  'answers 404': text(404, ''),
  'answers 204': text(204, ''),
  'answers nothing': text(200, ''),
  'answers text': text(200, 'converted!'),
  'answers half of a JSON': text(200, '{"response": {"uid"'),
  'answers null': text(200, 'null'),
  'answers a list': text(200, '[]'),
  'answers a number': text(200, '1e999'),
  'answers without a response': text(200, '{}'),
  'answers a response of null': text(200, '{"response":null}'),
  'answers a response with a prototype': text(200, '{"__proto__":{"response":{}}}'),
  'answers with another uid': instead({ uid: 'other' }),
  'answers without a uid': (exchange, review) => {
    const { uid: _, ...rest } = responseTo(review);
    answer(exchange, rest);
  },
  'answers with a failure': instead({ result: { status: 'Failure', message: 'cannot convert' } }),
  'answers with a failure without words': instead({ result: { status: 'Failure' } }),
  'answers without a result': instead({ result: null }),
  'returns no objects': instead({ convertedObjects: [] }),
  'returns null': instead({ convertedObjects: null }),
  'returns an object in place of a list': instead({ convertedObjects: {} }),
  'returns one too many': (exchange, review) => {
    const objects = [...objectsIn(review), ...objectsIn(review)];
    answer(exchange, { ...responseTo(review), convertedObjects: objects });
  },
  'returns no object': changed(() => null),
  'returns lists': changed(() => []),
  'returns texts': changed(() => 'gadget'),
  'returns objects of the old version': (exchange, review) =>
    answer(exchange, { ...responseTo(review), convertedObjects: [...objectsIn(review)] }),
  'returns objects of another kind': changed((object) => ({ ...object, kind: 'Widget' })),
  'returns objects without metadata': changed(({ metadata: _, ...object }) => object),
  'returns objects with metadata of null': changed((object) => ({ ...object, metadata: null })),
  'returns objects with another name': changed(withMetadata({ name: 'other' })),
  'returns objects in another namespace': changed(withMetadata({ namespace: 'kube-system' })),
  'returns objects with another uid': changed(withMetadata({ uid: 'other' })),
};
