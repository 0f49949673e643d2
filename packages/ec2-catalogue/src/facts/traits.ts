/** Families by capability. A line such as `6g` stands for the c, m and r families of that name. */
const families = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Families on Xen; the others run on Nitro. */
export const onXen = families('i3 x1 x1e h1 p3');

export const withoutEncryptionInTransit = families(
  'a1 c5 c5d 6g 6gd g5g i3 m5 m5a m5ad m5d r5 r5a r5ad r5b r5d t3 t3a t4g x1 x1e h1 x2gd z1d p3',
);

export const withoutClusterPlacement = families('t3 t3a t4g 7i-flex 8i-flex vt1');

/** Applies to virtual sizes only. */
export const withNestedVirtualization = families('7i 7i-flex 8i 8i-flex 8id r7iz i7i i7ie x8i');

export const withDisksThatAreNotNvme = families('h1 x1 x1e');

/** Families that EC2 does not offer as spot. */
export const withoutSpot = families(
  'hpc6a hpc6id hpc7a hpc7g hpc8a u-3tb1 u-6tb1 u7i-6tb u7i-8tb u7i-12tb u7in-16tb u7in-24tb u7in-32tb trn2u',
);

/** Families, or single types of a family. */
export const withCapacityBlocks = families('p4d p4de p5 p5e p5en p6-b200 p6-b300 trn1.32xlarge trn2 trn2u');
