const notImplemented = 'moto does not have this operation: it answers with a page of HTML';
const noPrices = 'moto has no service of prices';
const noPages = 'moto answers with everything on one page, whatever page size is asked for';
const noTokens = 'moto takes no notice of client tokens';
const unchecked = 'moto accepts what AWS refuses';
const launchUnchecked = 'moto launches whatever a fleet asks for, without looking at image, profile or count';
const noAllocation = 'moto takes the first override, whatever the allocation strategy';
const noTime = 'moto tells nothing of instances on queues, and its time cannot be moved';

/** Why moto cannot pass a case, by `area: title`. A case that passes after all fails the tier. */
export const exceptions: Readonly<Record<string, string>> = {
  'subnets: an unknown filter is refused': 'moto answers with an error of its own that is no XML',
  'reservations and placement groups: an account without capacity reservations has an empty list of them':
    notImplemented,
  'reservations and placement groups: an unknown capacity reservation is refused': notImplemented,
  'reservations and placement groups: an unknown placement group is refused': notImplemented,
  'reservations and placement groups: placement groups that no filter finds are an empty list':
    notImplemented,
  'subnets: a running instance takes an address, and its end gives it back':
    'moto does not give the address of a terminated instance back',
  'instance types: a dry run is refused as one that would have succeeded':
    'moto answers dry runs of this operation as if they were none',
  'instance types: more than a hundred types on a page are refused': unchecked,
  'instance types: offerings come in pages': noPages,
  'images: deprecated images are shown to who asks for them': 'moto knows no deprecation of images',
  'parameters: every variant of Amazon Linux 2023 has a recommended image':
    'moto has no parameters of EKS; those of the two standard images are answered for it',
  'parameters: Bottlerocket has a latest image of each architecture':
    'moto has no parameters of Bottlerocket',
  'parameters: Windows has an image of each year': 'moto has no parameters of Windows for EKS',
  'prices: spot prices come in pages': noPages,
  'prices: on-demand prices are found by the attributes of a product': noPrices,
  'prices: bare metal has a product family of its own': noPrices,
  'prices: products come in pages of a hundred at most': noPrices,
  'launch templates: an unknown id is refused by another code': 'moto answers with an empty list',
  'launch templates: user data of more than 16 KiB is refused': unchecked,
  'launch templates: a template that is not there cannot be deleted': 'moto refuses it with MissingParameter',
  'launch templates: a repeated request with the same client token makes no second template': noTokens,
  'fleets: on-demand by lowest price takes the cheapest type': noAllocation,
  'fleets: on-demand by priority takes the lowest number': noAllocation,
  'fleets: a spot fleet launches spot instances':
    'moto says spot of the lifecycle of such instances, but names no spot request',
  'fleets: an image that does not exist is an error of the fleet': launchUnchecked,
  'fleets: a profile that does not exist is an error of the fleet': launchUnchecked,
  'fleets: an image of another architecture is an error of the fleet': launchUnchecked,
  'fleets: a fleet of nothing is refused': launchUnchecked,
  'fleets: a subnet that does not exist is an error of the fleet': 'moto refuses the request as a whole',
  'fleets: an error names its override': 'moto refuses the request as a whole',
  'fleets: a repeated request with the same client token launches nothing more': noTokens,
  'fleets: a client token with other parameters is refused': noTokens,
  'instances: an instance has the security groups of its template':
    'moto does not read the groups of the network interfaces of a template',
  'instances: an instance has the profile of its template': 'moto does not read the profile of a template',
  'instances: a page of fewer than five is refused': unchecked,
  'instances: a malformed instance id is refused': 'moto refuses it as not found',
  'single launches: a dry run with a profile that does not exist says so':
    'moto does not read the profile of a template',
  'single launches: fewer than one instance are refused': unchecked,
  'instance status: no healthy instance is among the impaired': 'moto takes no notice of these filters',
  'tags: an unknown instance cannot be tagged': unchecked,
  'tags: keys that begin with aws: are refused': unchecked,
  'instance profiles: a role that is not there cannot be removed': 'moto fails with an error of its own',
  'instance profiles: profiles are listed by the beginning of their path':
    'moto lists all profiles, whatever their path',
  'instance profiles: the list of profiles comes in pages': noPages,
  'queues: a change of state of an instance is told on the queue': noTime,
  'queues: a message that is not deleted comes again when its time is over': noTime,
  'the cluster and its account: no zonal shift is in force at first': 'moto has no service of zonal shifts',
};
