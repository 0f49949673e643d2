export { describedTypesOf } from './described-file.ts';
export { nodeClassOf, nodePoolOf } from './manifest-file.ts';
export { inZones, usualNodeClass, usualZones } from './node-class.ts';
export { allowedBy } from './pool-filter.ts';
export { typeLine } from './type-line.ts';
export { catalogueInstanceTypes, typeList, usualSettings } from './type-list.ts';
export { typeTable } from './type-table.ts';
export { readZones, unknownRegion } from './zone-option.ts';
