const notImplemented = 'moto does not have this operation: it answers with a page of HTML';
const noPrices = 'moto has no service of prices';
const noPages = 'moto answers with everything on one page, whatever page size is asked for';
const noTokens = 'moto takes no notice of client tokens';
const unchecked = 'moto accepts what AWS refuses';
const launchUnchecked = 'moto launches whatever a fleet asks for, without looking at image, profile or count';
const noAllocation = 'moto takes the first override, whatever the allocation strategy';
const oneZone = 'moto launches all instances of a group in one zone';
const noTime = 'moto tells nothing of instances on queues, and its time cannot be moved';

/** Why moto cannot pass a case, by `area: title`. A listed case that passes fails the tier. */
export const exceptions: Readonly<Record<string, string>> = {
  'subnets: an unknown filter is rejected': 'moto answers with an error of its own that is no XML',
  'reservations and placement groups: an account without capacity reservations has an empty list of them':
    notImplemented,
  'reservations and placement groups: an unknown capacity reservation is rejected': notImplemented,
  'reservations and placement groups: an unknown placement group is rejected': notImplemented,
  'reservations and placement groups: a filter without matching placement groups returns an empty list':
    notImplemented,
  'subnets: a running instance uses an address and termination frees it':
    'moto does not give the address of a terminated instance back',
  'instance types: a dry run fails with DryRunOperation':
    'moto answers dry runs of this operation as if they were none',
  'instance types: more than a hundred types on a page are rejected': unchecked,
  'instance types: offerings are paged': noPages,
  'images: deprecated images are included on request': 'moto knows no deprecation of images',
  'parameters: every variant of Amazon Linux 2023 has a recommended image':
    'moto has no parameters of EKS; those of the two standard images are answered for it',
  'parameters: Bottlerocket has a latest image of each architecture':
    'moto has no parameters of Bottlerocket',
  'parameters: Windows has an image of each year': 'moto has no parameters of Windows for EKS',
  'prices: spot prices are paged': noPages,
  'prices: on-demand prices are found by the attributes of a product': noPrices,
  'prices: bare metal has a product family of its own': noPrices,
  'prices: products are paged with at most a hundred': noPrices,
  'launch templates: an unknown id is rejected with another error code': 'moto answers with an empty list',
  'launch templates: user data of more than 16 KiB is rejected': unchecked,
  'launch templates: a missing template cannot be deleted': 'moto refuses it with MissingParameter',
  'launch templates: a repeated request with the same client token creates no second template': noTokens,
  'fleets: the on-demand strategy lowest-price takes the cheapest type': noAllocation,
  'fleets: the on-demand strategy prioritized takes the lowest number': noAllocation,
  'fleets: a spot fleet launches spot instances':
    'moto says spot of the lifecycle of such instances, but names no spot request',
  'fleets: a missing image is an error of the fleet': launchUnchecked,
  'fleets: a missing profile is an error of the fleet': launchUnchecked,
  'fleets: an image of another architecture is an error of the fleet': launchUnchecked,
  'fleets: a fleet with capacity zero is rejected': launchUnchecked,
  'fleets: a missing subnet is an error of the fleet': 'moto refuses the request as a whole',
  'fleets: an error names its override': 'moto refuses the request as a whole',
  'fleets: a repeated request with the same client token launches nothing more': noTokens,
  'fleets: a client token with other parameters is rejected': noTokens,
  'instances: an instance has the security groups of its template':
    'moto does not read the groups of the network interfaces of a template',
  'instances: an instance has the profile of its template': 'moto does not read the profile of a template',
  'instances: a page size below five is rejected': unchecked,
  'instances: a malformed instance id is rejected': 'moto refuses it as not found',
  'single launches: a dry run with a missing profile reports it':
    'moto does not read the profile of a template',
  'single launches: a count below one is rejected': unchecked,
  'instance status: the filter for impaired instances finds no healthy one':
    'moto takes no notice of these filters',
  'tags: an unknown instance cannot be tagged': unchecked,
  'tags: keys that begin with aws: are rejected': unchecked,
  'instance profiles: a missing role cannot be removed': 'moto fails with an error of its own',
  'instance profiles: profiles are listed by path prefix': 'moto lists all profiles, whatever their path',
  'instance profiles: the list of profiles is paged': noPages,
  'queues: a state change of an instance is sent to the queue': noTime,
  'queues: a message that is not deleted reappears after its visibility timeout': noTime,
  'auto scaling groups: a group spreads its instances over its zones': oneZone,
  'auto scaling groups: an uneven group moves an instance to the emptier zone': oneZone,
  'auto scaling groups: the minimum keeps an instance from being terminated with a lowered size': unchecked,
  'auto scaling groups: a minimum above the maximum is rejected': unchecked,
  'auto scaling groups: an instance of no group is rejected': 'moto refuses it with an error of its own',
  'the cluster and its account: no zonal shift is active at first': 'moto has no service of zonal shifts',
};
