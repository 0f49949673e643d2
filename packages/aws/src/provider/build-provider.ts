import { amiFamilyOf } from '../ami-family/index.ts';
import { awsErrorFields, errorText } from '../aws-errors/index.ts';
import { AwsCloudProvider, ClassLookup, ClassTypes, InheritedInstances } from '../cloud-provider/index.ts';
import type { LaunchSettings } from '../fleet/index.ts';
import type { LaunchTemplateProvider } from '../launch-templates/index.ts';
import { type EC2NodeClass, ec2NodeClassHash } from '../node-class/index.ts';
import type { PricingProvider } from '../pricing/index.ts';
import type { AwsProvider, AwsProviderOptions } from './aws-provider.ts';
import { classResolvers } from './class-resolvers.ts';
import { launchProviders } from './launch-providers.ts';
import { offeringReport } from './offering-report.ts';
import { offeringSources } from './offering-sources.ts';
import { atStart, checkAccess } from './start-up.ts';

/** Builds all parts of the AWS provider. Calls nothing in AWS before `start` (ADR 0022). */
export function awsProvider(options: AwsProviderOptions): AwsProvider {
  const { services, region, settings, nodePools, nodeClaims, clock } = options;
  const { clusterName, featureGates } = settings;
  const sources = offeringSources(options);
  const resolvers = classResolvers(options, sources.reservationCounts);
  const launchSettings = () => launchSettingsOf(options, resolvers.clusterCidr.known);
  const { launcher, batches, ...launching } = launchProviders(options, {
    ...sources,
    ...resolvers,
    launchSettings,
  });
  const hashOf = classHashes(options);
  const classes = new ClassLookup(options);
  const types = new ClassTypes({ ...sources, ...resolvers });
  const inherited = nodeClaims && new InheritedInstances({ ...launching, batches, nodeClaims, clock });
  const cloud = new AwsCloudProvider({
    clock,
    classes,
    types,
    nodePools,
    launcher,
    batches,
    ...sources,
    ...launching,
    inherited,
    clusterName,
    hashOf,
    overlaid: featureGates.NodeOverlay ? options.overlaid : undefined,
  });
  return {
    ...sources,
    ...resolvers,
    ...launching,
    cloud,
    launchSettings,
    hashOf,
    reportOfferings: offeringReport({ ...options, featureGates, classes, types }),
    start: () =>
      atStart(async () => {
        await checkAccess(services.ec2, region);
        await resolvers.version.get();
        await sources.zonalShifts.refresh();
        await Promise.all([
          sources.instanceTypes.refresh(),
          loadPrices(sources.pricing, options),
          // NodeClaims of an earlier leader may be launched before any class is reconciled. A failure does not fail
          // the start: classes that need the CIDR report it in their status.
          resolvers.clusterCidr.resolve(),
        ]);
      }),
    takeOver: (quiet) => inherited?.takeOver(quiet),
    run: async (signal) => {
      await hydrate(launching.launchTemplates, options);
      await launching.launchTemplates.run(signal);
    },
  };
}

function launchSettingsOf(
  { settings, region, cluster }: AwsProviderOptions,
  cidr: string | undefined,
): LaunchSettings {
  const { endpoint, caBundle, dnsIp } = cluster();
  return {
    cluster: { name: settings.clusterName, endpoint, caBundle, cidr, dnsIp },
    region,
    reservedCapacity: settings.featureGates.ReservedCapacity,
    minValuesPolicy: settings.minValuesPolicy,
  };
}

/** Cached by object, because every launch needs the hash; a changed class is another object. */
function classHashes({ cluster }: AwsProviderOptions): AwsProvider['hashOf'] {
  const known = new WeakMap<EC2NodeClass, { readonly caBundle: string; readonly hash: string }>();
  return (nodeClass) => {
    const { caBundle = '' } = cluster();
    const earlier = known.get(nodeClass);
    if (earlier?.caBundle === caBundle) return earlier.hash;
    const { spec } = nodeClass;
    const hash = ec2NodeClassHash(spec, { amiFamily: amiFamilyOf(spec).name, caBundle });
    known.set(nodeClass, { caBundle, hash });
    return hash;
  };
}

/** A failure does not fail the start: launches use the shipped prices until the next refresh. */
async function loadPrices(pricing: PricingProvider, { log }: AwsProviderOptions): Promise<void> {
  try {
    await pricing.refresh();
  } catch (error) {
    log.error('unable to learn prices at the start', { error: errorText(error), ...awsErrorFields(error) });
  }
}

/** A failure is only logged: templates of an earlier leader are then deleted with their class. */
async function hydrate(templates: LaunchTemplateProvider, { log }: AwsProviderOptions): Promise<void> {
  try {
    await templates.hydrate();
  } catch (error) {
    log.error('unable to hydrate the AWS launch template cache', {
      error: errorText(error),
      ...awsErrorFields(error),
    });
  }
}
