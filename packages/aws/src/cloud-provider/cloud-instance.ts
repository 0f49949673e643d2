import type { CloudInstance, InstanceType } from '@karpenter/core/ports';
import { claimFieldsOf, type Ec2Instance } from '../instances/index.ts';
import { awsAnnotationKeys } from '../names/index.ts';
import { type EC2NodeClass, ec2NodeClassHashVersion } from '../node-class/index.ts';

/** Without annotations: they describe the class at launch, which an instance does not tell. */
export function cloudInstanceOf(instance: Ec2Instance, type?: InstanceType): CloudInstance {
  return { ...claimFieldsOf(instance, type), annotations: {} };
}

/** Adds the annotations that drift and the garbage collection of instance profiles read later. */
export function launchedInstance(
  instance: Ec2Instance,
  type: InstanceType,
  { nodeClass, hash }: { readonly nodeClass: EC2NodeClass; readonly hash: string },
): CloudInstance {
  return {
    ...claimFieldsOf(instance, type),
    annotations: {
      [awsAnnotationKeys.ec2NodeClassHash]: hash,
      [awsAnnotationKeys.ec2NodeClassHashVersion]: ec2NodeClassHashVersion,
      [awsAnnotationKeys.instanceProfileName]: nodeClass.status?.instanceProfile ?? '',
    },
  };
}
