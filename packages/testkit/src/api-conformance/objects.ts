import type { JsonObject } from '@karpenter/core/schema';

// Minimal objects; each case adds the fields that it tests.

export function configMap(name: string, fields: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...fields };
}

export function labelled(name: string, labels: JsonObject): JsonObject {
  return configMap(name, { metadata: { name, labels } });
}

export function pod(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
  };
}

export function deployment(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] },
      },
      ...spec,
    },
  };
}
