import { instanceType } from '@karpenter/ec2-catalogue';
import type { EC2NodeClassSpec } from '../../node-class/index.ts';
import type { EksctlFields } from './fields.ts';

type NetworkInterface = NonNullable<EC2NodeClassSpec['networkInterfaces']>[number];

/** The primary interface and one EFA interface per network card that supports it. */
export function efaInterfaces(fields: EksctlFields): readonly NetworkInterface[] {
  const [type = fields.text('instanceType') ?? ''] = fields.texts('instanceTypes');
  const count = instanceType(type)?.NetworkInfo.EfaInfo?.MaximumEfaInterfaces ?? 1;
  const efa = Array.from(
    { length: count },
    (_, card): NetworkInterface => ({
      networkCardIndex: card,
      deviceIndex: 1,
      interfaceType: 'efa-only',
    }),
  );
  return [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }, ...efa];
}
