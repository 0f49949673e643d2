import { capacityOf, type LaunchableType, onlyValue } from '../../launchable/index.ts';
import { awsResources, instanceLabelKeys } from '../../names/index.ts';
import type { LaunchFilter, LaunchRequirements } from './launch-filter.ts';

const accelerators = [
  awsResources.nvidiaGpu,
  awsResources.amdGpu,
  awsResources.habanaGaudi,
  awsResources.neuron,
  awsResources.neuronCore,
];

/**
 * Drops bare metal, which is slow to start, and types with accelerators, which are expensive, if other types remain.
 * With minValues they stay, as in Karpenter, because they may be needed for the minimum.
 */
export const exoticInstance: LaunchFilter = {
  name: 'exotic-instance-filter',
  keep: (types, required) => {
    if (required.hasMinValues) return types;
    const generic = types.filter((type) => !isExotic(type, required));
    return generic.length === 0 ? types : generic;
  },
};

/** Cached by type, because every launch checks hundreds of types. */
const exotic = new WeakMap<LaunchableType['type'], boolean>();

function isExotic(type: LaunchableType, required: LaunchRequirements): boolean {
  const known = exotic.get(type.type) ?? hasMetalOrAccelerator(type, required);
  exotic.set(type.type, known);
  return known;
}

function hasMetalOrAccelerator(type: LaunchableType, { catalogue }: LaunchRequirements): boolean {
  const size = onlyValue(type.requirements.find(catalogue.vocabulary.key(instanceLabelKeys.size)));
  return size?.includes('metal') === true || accelerators.some((resource) => capacityOf(type, resource) > 0);
}
