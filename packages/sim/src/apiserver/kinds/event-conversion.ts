import type { Json, JsonObject } from '@karpenter/core/schema';
import type { Conversion } from './served-kind.ts';

/** Names of the same field in events.k8s.io and in the core group. */
const renamed: ReadonlyMap<string, string> = new Map(
  Object.entries({
    note: 'message',
    regarding: 'involvedObject',
    reportingController: 'reportingComponent',
    deprecatedCount: 'count',
    deprecatedFirstTimestamp: 'firstTimestamp',
    deprecatedLastTimestamp: 'lastTimestamp',
    deprecatedSource: 'source',
  }),
);
const inverse = new Map([...renamed].map(([name, stored]) => [stored, name]));

function withNames(object: JsonObject, apiVersion: string, names: ReadonlyMap<string, string>): JsonObject {
  const entries = Object.entries(object).map(([name, value]): [string, Json] => [
    names.get(name) ?? name,
    value,
  ]);
  return { ...Object.fromEntries(entries), apiVersion };
}

/** The server stores events in the shape of the core group. */
export const eventConversion: Conversion = {
  toStored: async (event) => withNames(event, 'v1', renamed),
  fromStored: async (events) => events.map((event) => withNames(event, 'events.k8s.io/v1', inverse)),
};
