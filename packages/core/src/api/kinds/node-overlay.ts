import {
  conditions,
  integer,
  map,
  object,
  quantity,
  type ResourceOf,
  required,
  resourceKind,
  string,
} from '../../schema/index.ts';
import { ageColumn, readyColumn } from './columns.ts';
import { karpenterDomain, labelKeyRules, type ReservedDomain } from './label-rules.ts';
import { plainRequirementList } from './requirement-schema.ts';

const pricePattern = '^\\d+(\\.\\d+)?$';
const priceAdjustmentPattern =
  '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$';

const spec = (domains: readonly ReservedDomain[]) =>
  object(
    'Which instance types are seen differently, and how.',
    {
      requirements: required(
        plainRequirementList(
          'Conditions on the labels of instance types and offerings; the overlay changes those that meet all of them.',
          labelKeyRules(domains),
        ),
      ),
      price: string('The price in dollars an hour to use instead of the known one.', {
        pattern: pricePattern,
      }),
      priceAdjustment: string(
        'A change to the known price: dollars an hour (`+0.05`, `-0.05`) or a share of it (`+10%`, `-25%`). The price never falls below 0.',
        { pattern: priceAdjustmentPattern },
      ),
      capacity: map(
        'Resources that the instance types have besides the ones known, such as `smarter-devices/fuse: 1`.',
        quantity(),
        {
          rules: [
            {
              rule: `self.all(resource, !(resource in ['cpu', 'memory', 'ephemeral-storage', 'pods']))`,
              message: 'invalid resource restricted',
            },
          ],
        },
      ),
      weight: integer(
        'Where several overlays say something about the same price or resource, the highest weight wins; unset counts as 0.',
        { format: 'int32', minimum: 1, maximum: 10000 },
      ),
    },
    {
      rules: [
        {
          rule: '!(has(self.price) && has(self.priceAdjustment))',
          message: `cannot set both 'price' and 'priceAdjustment'`,
        },
      ],
    },
  );

/** @param providerDomains label domains reserved by the cloud provider */
export function nodeOverlayKind(providerDomains: readonly ReservedDomain[]) {
  return resourceKind({
    group: 'karpenter.sh',
    version: 'v1alpha1',
    kind: 'NodeOverlay',
    plural: 'nodeoverlays',
    shortNames: ['overlays'],
    scope: 'Cluster',
    categories: ['karpenter'],
    description:
      'Alpha. A NodeOverlay corrects what is known about instance types: their price, or resources they have.',
    columns: [
      readyColumn,
      ageColumn,
      { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
    ],
    spec: spec([karpenterDomain, ...providerDomains]),
    specRequired: true,
    status: object('What the controllers know about the overlay.', { conditions }),
  });
}

export type NodeOverlay = ResourceOf<ReturnType<typeof nodeOverlayKind>>;
