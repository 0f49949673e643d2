// Instance types computed from the built-in EC2 catalogue, or from saved output of DescribeInstanceTypes, without a
// call to AWS. `simulate`, `instance-types` and `render` use it. Start reading at `type-list.ts`.

export { describedTypesOf } from './described-file.ts';
export { nodeClassOf, nodePoolOf } from './manifest-file.ts';
export { defaultNodeClass, defaultZones, inZones } from './node-class.ts';
export { allowedBy } from './pool-filter.ts';
export { typeLine } from './type-line.ts';
export { catalogueInstanceTypes, defaultSettings, typeList } from './type-list.ts';
export { typeTable } from './type-table.ts';
export { readZones, unknownRegion } from './zone-option.ts';
