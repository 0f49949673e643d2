/** Branch interfaces by size (the limit of pods with their own security groups); bare metal follows its twin. */
export const branchInterfaceCounts = `
families                | by size
c5 c5d c5n              | l:9 x:18 2:38 4:54 9:54 12:54 18:107 24:107
m5 r5                   | l:9 x:18 2:38 4:54 8:54 12:54 16:107 24:107 metal:120
6i 6id 6a 7a 7i r7iz    | m:4 l:9 x:18 2:38 4:54 8:84 12:114 16:107 24:107 32:107 48:107
6in 6idn                | l:9 x:18 2:38 4:54 8:84 12:114 16:107 24:107 32:106
i7i                     | l:9 x:18 2:38 4:54 8:84 12:54 16:107 24:107 48:107
8i 8id 8a x8i           | m:4 l:9 x:18 2:38 4:54 8:82 12:110 16:106 24:106 32:98 48:98 64:98 96:98
8ine c8in               | l:8 x:18 2:38 4:54 8:84 12:110 16:106 24:106 32:106 48:98 96:98
m8in r8in 8ib 8idn 8idb | l:8 x:18 2:38 4:54 8:84 12:110 16:106 24:106 32:106 48:98 96:98 metal-48xl:0 metal-96xl:0
m9g m9gd                | m:4 l:9 x:18 2:38 4:54 8:52 12:50 16:106 24:98 48:98
8gn 8gb                 | m:4 l:9 x:18 2:38 4:54 8:52 12:50 16:106 24:98 48:98 metal-24xl:0 metal-48xl:0
7i-flex                 | l:3 x:8 2:18 4:34 8:54 12:114 16:107
8i-flex                 | l:3 x:8 2:18 4:34 8:52 12:110 16:106
i4i                     | l:0 x:18 2:38 4:54 8:54 12:54 16:107 24:107 32:107
g5                      | x:4
f2                      | 12:114
p4d p4de                | 24:62
trn1                    | 2:17
`;

/** Families that cannot carry branch interfaces, or that the published limits leave out. */
export const withoutBranchInterfaces =
  't3 t3a t4g i3 u-6tb1 x1 x1e h1 p3 c9g c9gd r9g r9gd hpc6a hpc6id hpc7a hpc7g hpc8a trn2 trn2u';

/** Where no row says otherwise; the first that reaches the number of vCPUs counts. */
export const otherBranchInterfaces = 'm:4 l:9 x:18 2:38 <=12:54 <=224:107';
