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
import { bufferReferences, isActiveBuffer } from '../planning/index.ts';

export type BufferContext = Pick<ControllerContext, 'client' | 'caches' | 'clock'>;

/**
 * Writes the condition Provisioning of every buffer after a plan, from where its virtual pods were placed.
 */
export async function writeBufferOutcomes(
  context: BufferContext,
  outcomes: ReadonlyMap<string, BufferOutcome>,
): Promise<void> {
  const references = bufferReferences(context.caches);
  const buffers = context.caches.of(capacityBuffers).list().filter(isActiveBuffer);
  await Promise.all(
    buffers.map(async (buffer) => {
      const outcome = outcomes.get(keyText(keyOf(buffer)));
      const condition = provisioningCondition(resolveBuffer(buffer, references), outcome);
      if (condition !== undefined) await writeBuffer(context, buffer, { provisioning: condition });
    }),
  );
}

/** What to write; absent parts stay as they are. */
interface BufferUpdate {
  readonly provisioning?: BufferCondition | undefined;
  readonly readyForProvisioning?: BufferCondition;
  readonly resolution?: BufferResolution;
}

/** Writes conditions and resolved fields of a buffer in one patch; sends nothing if the status has them already. */
export async function writeBuffer(
  { client, clock }: BufferContext,
  buffer: CapacityBuffer,
  { provisioning, readyForProvisioning, resolution }: BufferUpdate,
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
    const { status, ...reason } = condition;
    conditions =
      status === 'True'
        ? capacityBufferConditionSet.setTrue(object, { type, now, ...reason })
        : capacityBufferConditionSet.setFalse(object, { type, now, ...reason });
  }
  const fields = resolution === undefined ? {} : statusFields(buffer, resolution);
  if (equalConditions(conditions, buffer.status?.conditions ?? []) && hasFields(buffer, fields)) return;
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

/** Whether the status already has these fields; fields that are absent here are not compared. */
function hasFields({ status = {} }: CapacityBuffer, fields: StatusFields): boolean {
  const { podTemplateRef, ...plain } = fields;
  return (
    status.podTemplateRef?.name === (podTemplateRef ?? status.podTemplateRef)?.name &&
    Object.entries(plain).every(([name, value]) =>
      Object.entries(status).some(([key, current]) => key === name && current === value),
    )
  );
}
