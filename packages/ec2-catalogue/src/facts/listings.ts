/** Families by what AWS has published of them; a line such as `8gn` stands for the c, m and r family of that name. */
const families = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Left out of the table of baseline network bandwidths. */
export const withoutListedBandwidth = families('r9g r9gd');

/** Left out of the table of interfaces and addresses in a VPC. */
export const withoutListedLimits = families(
  'c9g c9gd r9g r9gd hpc6a hpc6id hpc7a hpc7g hpc8a trn2 trn2u t8i',
);

/** Only their bare metal is left out of that table. */
export const withoutListedMetalLimits = families('8gn 8gb 8ib 8idn 8idb m8in r8in');
