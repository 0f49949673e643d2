import type { StaticListSchema, StaticOperationSchema, StaticStructureSchema } from '@smithy/types';
import type { AdministratorServices } from '../../cloud/index.ts';
import { operation } from '../protocols/protocol.ts';
import { RestJsonProtocol } from '../protocols/rest-json-protocol.ts';
import type { WireService } from './wire-service.ts';

const namespace = 'com.amazonaws.arczonalshift';
const [text, time] = [0, 7] as const;
const [isLabel, noTraits] = [1, 0] as const;

const zonalShift: StaticStructureSchema = [
  3,
  namespace,
  'ZonalShiftInResource',
  noTraits,
  ['awayFrom', 'appliedStatus', 'expiryTime'],
  [text, text, time],
];
const zonalShifts: StaticListSchema = [1, namespace, 'ZonalShiftsInResource', noTraits, () => zonalShift];
const request: StaticStructureSchema = [
  3,
  namespace,
  'GetManagedResourceRequest',
  noTraits,
  ['resourceIdentifier'],
  [[text, isLabel]],
];
const response: StaticStructureSchema = [
  3,
  namespace,
  'GetManagedResourceResponse',
  noTraits,
  ['zonalShifts'],
  [() => zonalShifts],
];
/** Written like the SDK's schemas, because the registry that we install from has no client of this service. */
const getManagedResource: StaticOperationSchema = [
  9,
  namespace,
  'GetManagedResource',
  { http: ['GET', '/managedresources/{resourceIdentifier}', 200] },
  () => request,
  () => response,
];

export function zonalShiftWire({ zonalShift: service }: AdministratorServices): WireService {
  return {
    name: 'arc-zonal-shift',
    isRegional: true,
    protocols: [new RestJsonProtocol()],
    operations: [operation(getManagedResource, service.getManagedResource)],
  };
}
