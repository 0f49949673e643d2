import { randomUUID } from 'node:crypto';
import { isJsonArray, isJsonObject, type JsonObject, member } from '@karpenter/core/schema';
import type { WebhookConverter } from '../custom/custom-kind.ts';
import type { ServedDefinition } from '../custom/definition.ts';
import { StatusError } from '../status/status-error.ts';
import type { WebhookClient } from './webhook-client.ts';

const timeoutMs = 30_000;

/** Asks the webhook of a definition to turn objects into another version. */
export function webhookConverter(client: WebhookClient): WebhookConverter {
  return {
    convert: async (definition, objects, apiVersion) => {
      const uid = randomUUID();
      try {
        const reply = await client.call({
          clientConfig: definition.spec.conversion?.webhook?.clientConfig ?? {},
          body: review(uid, objects, apiVersion),
          timeoutMs,
        });
        return convertedObjects(reply, uid, objects.length);
      } catch (error) {
        throw refusal(definition, objects, error);
      }
    },
  };
}

function review(uid: string, objects: readonly JsonObject[], desiredAPIVersion: string): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    request: { uid, desiredAPIVersion, objects: [...objects] },
  };
}

function convertedObjects(reply: JsonObject, uid: string, count: number): readonly JsonObject[] {
  const { response } = reply;
  if (member(response, 'uid') !== uid)
    throw new Error('the response is not to this request: its uid differs');
  const result = member(response, 'result');
  if (member(result, 'status') !== 'Success')
    throw new Error(String(member(result, 'message') ?? 'conversion failed'));
  const objects = member(response, 'convertedObjects');
  if (
    objects === undefined ||
    !isJsonArray(objects) ||
    objects.length !== count ||
    !objects.every(isJsonObject)
  ) {
    throw new Error(`the webhook was asked for ${count} objects and returned others`);
  }
  return objects;
}

function refusal({ spec }: ServedDefinition, objects: readonly JsonObject[], error: unknown): StatusError {
  const why = error instanceof Error ? error.message : String(error);
  const from = String(objects[0]?.['apiVersion'] ?? '');
  return new StatusError(
    500,
    'InternalError',
    `Internal error occurred: conversion webhook for ${from}, Kind=${spec.names.kind} failed: ${why}`,
  );
}
