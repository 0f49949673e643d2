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

/** Bare metal is slow to start and accelerators are expensive: only for those who can use nothing else. */
export const exoticInstance: LaunchFilter = {
  name: 'exotic-instance-filter',
  keep: (types, required) => {
    if (required.hasMinValues) return types;
    const generic = types.filter((type) => !isExotic(type, required));
    return generic.length === 0 ? types : generic;
  },
};

/** Cached by type: every launch asks about hundreds. */
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
