import {
  type CapacityBuffer,
  capacityBufferConditionSet,
  capacityBufferConditions,
  conditionedObject,
  equalConditions,
  formatTimestamp,
} from '@karpenter/core/api';
import {
  type BufferCondition,
  type BufferOutcome,
  type BufferResolution,
  provisioningCondition,
  resolveBuffer,
} from '@karpenter/core/capacity-buffers';
import { keyOf, keyText } from '@karpenter/kube/client';
import { capacityBuffers, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { bufferReferences, isOurs } from '../planning/index.ts';

export type BufferContext = Pick<ControllerContext, 'client' | 'caches' | 'clock'>;

/** Says on each buffer what the last plan did for it. */
export async function writeBufferOutcomes(
  context: BufferContext,
  outcomes: ReadonlyMap<string, BufferOutcome>,
): Promise<void> {
  const references = bufferReferences(context.caches);
  const buffers = context.caches.of(capacityBuffers).list().filter(isOurs);
  await Promise.all(
    buffers.map(async (buffer) => {
      const outcome = outcomes.get(keyText(keyOf(buffer)));
      const condition = provisioningCondition(resolveBuffer(buffer, references), outcome);
      if (condition !== undefined) await writeBuffer(context, buffer, { provisioning: condition });
    }),
  );
}

interface BufferNews {
  readonly provisioning?: BufferCondition | undefined;
  readonly readyForProvisioning?: BufferCondition;
  readonly resolution?: BufferResolution;
}

/** Nothing is written that stands there already. */
export async function writeBuffer(
  { client, clock }: BufferContext,
  buffer: CapacityBuffer,
  { provisioning, readyForProvisioning, resolution }: BufferNews,
): Promise<void> {
  const now = formatTimestamp(clock.now());
  const changes = [
    { type: capacityBufferConditions.readyForProvisioning, condition: readyForProvisioning },
    { type: capacityBufferConditions.provisioning, condition: provisioning },
  ];
  let conditions = buffer.status?.conditions ?? [];
  for (const { type, condition } of changes) {
    if (condition === undefined) continue;
    const object = { ...conditionedObject(buffer), conditions };
    const { status, ...words } = condition;
    conditions =
      status === 'True'
        ? capacityBufferConditionSet.setTrue(object, { type, now, ...words })
        : capacityBufferConditionSet.setFalse(object, { type, now, ...words });
  }
  const fields = resolution === undefined ? {} : statusFields(buffer, resolution);
  if (equalConditions(conditions, buffer.status?.conditions ?? []) && isStated(buffer, fields)) return;
  await writeStatus(client, capacityBuffers, buffer, { ...fields, conditions });
}

type StatusFields = Partial<Omit<NonNullable<CapacityBuffer['status']>, 'conditions'>>;

function statusFields({ spec }: CapacityBuffer, resolution: BufferResolution): StatusFields {
  const { replicas, podTemplateRef, podTemplateGeneration } = resolution;
  return {
    ...(replicas !== undefined && { replicas }),
    ...(podTemplateRef !== undefined && { podTemplateRef }),
    ...(podTemplateGeneration !== undefined && { podTemplateGeneration }),
    provisioningStrategy: spec.provisioningStrategy,
  };
}

function isStated({ status = {} }: CapacityBuffer, fields: StatusFields): boolean {
  const { podTemplateRef, ...plain } = fields;
  return (
    status.podTemplateRef?.name === (podTemplateRef ?? status.podTemplateRef)?.name &&
    Object.entries(plain).every(([name, value]) =>
      Object.entries(status).some(([key, has]) => key === name && has === value),
    )
  );
}
