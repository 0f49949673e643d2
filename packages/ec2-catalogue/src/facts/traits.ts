/** Families by capability. A line such as `6g` stands for the c, m and r families of that name. */
const families = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Families on Xen; the others run on Nitro. */
export const onXen = families('i3 x1 x1e h1 p3 c1 c3 c4 d2 g3 g3s i2 m1 m2 m3 m4 p2 r3 r4 t1 t2');

/** Families without enhanced networking, except for single types. */
export const withoutEna = families('c1 c3 c4 d2 i2 m1 m2 m3 m4 r3 t1 t2');
export const withEnaAfterAll = families('m4.16xlarge');

/** Families whose types have optimized EBS bandwidth on request only, if at all. */
export const withEbsOnRequest = families('c1 c3 i2 m1 m2 m3 r3');
export const withoutEbsOptimization = families('t1 t2');

/** Types that also run 32-bit systems. */
export const with32Bits = families(
  'c1.medium c3.large m1.small m1.medium t1.micro t2.nano t2.micro t2.small t2.medium',
);

export const withoutEncryptionInTransit = families(
  'a1 c5 c5d 6g 6gd g5g i3 m5 m5a m5ad m5d r5 r5a r5ad r5b r5d t3 t3a t4g x1 x1e h1 x2gd z1d p3' +
    ' c1 c3 c4 d2 g3 g3s i2 m1 m2 m3 m4 p2 r3 r4 t1 t2' +
    ' mac1 mac2 mac2-m1ultra mac2-m2 mac2-m2pro mac-m3ultra mac-m4max',
);

export const withoutClusterPlacement = families(
  't1 t2 t3 t3a t4g t8i 7i-flex 8i-flex vt1 c1 m1 m2 m3' +
    ' mac1 mac2 mac2-m1ultra mac2-m2 mac2-m2pro mac-m3ultra mac-m4 mac-m4max mac-m4pro',
);

/** Applies to virtual sizes only. */
export const withNestedVirtualization = families('7i 7i-flex 8i 8i-flex 8id r7iz i7i i7ie x8i');

export const withDisksThatAreNotNvme = families('h1 x1 x1e c1 c3 d2 i2 m1 m2 m3 r3');

/** Families, or single types of a family, that EC2 does not offer as spot. */
export const withoutSpot = families(
  'hpc6a hpc6id hpc7a hpc7g hpc8a u-3tb1 u-6tb1 u7i-6tb u7i-8tb u7i-12tb u7in-16tb u7in-24tb u7in-32tb trn2u' +
    ' t2.nano mac1 mac2 mac2-m1ultra mac2-m2 mac2-m2pro mac-m3ultra mac-m4 mac-m4max mac-m4pro',
);

/** Families, or single types of a family. */
export const withCapacityBlocks = families('p4d p4de p5 p5e p5en p6-b200 p6-b300 trn1.32xlarge trn2 trn2u');
