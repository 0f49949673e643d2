import { randomUUID } from 'node:crypto';
import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateFleetError,
  CreateFleetInstance,
} from '@aws-sdk/client-ec2';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import { canonicalText } from '../launch-templates/index.ts';
import { batching } from '../names/index.ts';
import type { Answer } from '../ports/index.ts';
import { Batcher, type Share } from './batcher.ts';
import type { Ec2BatchOptions } from './ec2-batchers.ts';
import { patiently } from './throttled-calls.ts';

export type FleetAnswer = Answer<CreateFleetCommandOutput>;

const tooFew: CreateFleetError = {
  ErrorCode: 'too few instances returned',
  ErrorMessage: 'too few instances returned',
};

/** Fleets that ask for the same are asked for as one, and the instances dealt out. */
export function createFleetBatcher(options: Ec2BatchOptions) {
  const { ec2, clock, log, onBatch, unique = randomUUID } = options;
  const batcher = new Batcher<CreateFleetCommandInput, FleetAnswer>({
    clock,
    window: batching.createFleet,
    bucketOf: canonicalText,
    execute: async (inputs) => {
      const [input] = inputs;
      if (input === undefined) return [];
      // Of one token, whatever happens to its attempts: EC2 starts the instances once.
      const request = { ...forMany(input, inputs.length), ClientToken: unique() };
      return deal(await patiently(() => ec2.createFleet(request), options), inputs.length, log);
    },
    ...(onBatch !== undefined && { onBatch }),
  });
  return async (input: CreateFleetCommandInput): Promise<FleetAnswer> => {
    if (input.TargetCapacitySpecification?.TotalTargetCapacity !== 1) throw notSingle();
    return batcher.add(input);
  };
}

export function notSingle(): CodedError {
  return new CodedError('aws-call-failed', 'expected to receive a single instance only');
}

function forMany(input: CreateFleetCommandInput, count: number): CreateFleetCommandInput {
  return {
    ...input,
    TargetCapacitySpecification: { ...input.TargetCapacitySpecification, TotalTargetCapacity: count },
  };
}

function deal(answer: FleetAnswer, callers: number, log: Log): readonly Share<FleetAnswer>[] {
  const launched = (answer.Instances ?? []).flatMap(eachAlone);
  if (launched.length > callers) {
    log.error('received more instances than were requested', {
      requested: callers,
      received: launched.length,
    });
  }
  return Array.from({ length: callers }, (_, index) => {
    const instance = launched[index];
    return { output: instance === undefined ? shortfall(answer) : { ...answer, Instances: [instance] } };
  });
}

function eachAlone(group: CreateFleetInstance): readonly CreateFleetInstance[] {
  return (group.InstanceIds ?? []).map((id) => ({ ...group, InstanceIds: [id] }));
}

/** Why the instance is missing is told in errors that all callers share. */
function shortfall({ FleetId, Errors = [] }: FleetAnswer): FleetAnswer {
  return Errors.length === 0 ? { Errors: [tooFew] } : { FleetId, Errors };
}
