/** Gaps in tables published by AWS. A line such as `8gn` stands for the c, m and r families of that name. */
const families = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Missing in the table of network interfaces and addresses. */
export const withoutListedLimits = families(
  'c9g c9gd r9g r9gd hpc6a hpc6id hpc7a hpc7g hpc8a trn2 trn2u t8i g3 g3s p2',
);

/** Only their bare metal sizes are missing in that table. */
export const withoutListedMetalLimits = families('8gn 8gb 8ib 8idn 8idb m8in r8in');
