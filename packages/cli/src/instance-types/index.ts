// Instance types computed from the built-in EC2 catalogue, or from saved output of DescribeInstanceTypes, without a
// call to AWS. `simulate`, `instance-types` and `render` use it. Start reading at `type-list.ts`.

export { describedTypesOf } from './described-file.ts';
export { emptyPool } from './empty-pool.ts';
export { nodeClassOf, nodePoolOf, placedObjects } from './manifest-file.ts';
export { namedTypes, type TypeSelection } from './named-types.ts';
export { defaultNodeClass, inZones } from './node-class.ts';
export { allowedBy } from './pool-filter.ts';
export { typeDocument } from './type-line.ts';
export { catalogueInstanceTypes, defaultSettings, typeList } from './type-list.ts';
export { typeTable } from './type-table.ts';
export { readZones } from './zone-option.ts';
