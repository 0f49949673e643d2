import { instanceType } from '@karpenter/ec2-catalogue';
import type { EC2NodeClassSpec } from '../../node-class/index.ts';
import type { EksctlFields } from './fields.ts';

type NetworkInterface = NonNullable<EC2NodeClassSpec['networkInterfaces']>[number];

/** One EFA interface on each network card that the type has them on, beside the primary interface. */
export function efaInterfaces(fields: EksctlFields): readonly NetworkInterface[] {
  const [type = fields.text('instanceType') ?? ''] = fields.texts('instanceTypes');
  const most = instanceType(type)?.NetworkInfo.EfaInfo?.MaximumEfaInterfaces ?? 1;
  const efa = Array.from(
    { length: most },
    (_, card): NetworkInterface => ({
      networkCardIndex: card,
      deviceIndex: 1,
      interfaceType: 'efa-only',
    }),
  );
  return [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }, ...efa];
}
