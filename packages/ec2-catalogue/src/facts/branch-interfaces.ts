/**
 * Branch interfaces by size (limit of pods with their own
 * security groups). Bare metal has those of its virtual size.
 */
export const branchInterfaceCounts = `
families                | by size
c5 c5d c5n              | l:9 x:18 2:38 4:54 9:54 12:54 18:107 24:107
m5 r5                   | l:9 x:18 2:38 4:54 8:54 12:54 16:107 24:107 metal:120
6i 6id 6a 7a 7i r7iz    | m:4 l:9 x:18 2:38 4:54 8:84 12:114 16:107 24:107 32:107 48:107
6in 6idn                | l:9 x:18 2:38 4:54 8:84 12:114 16:107 24:107 32:106
i7i                     | l:9 x:18 2:38 4:54 8:84 12:84 16:107 24:107 48:107
8i 8id 8a x8i           | m:4 l:9 x:18 2:38 4:54 8:82 12:110 16:106 24:106 32:98 48:98 64:98 96:98
8ine c8in               | l:8 x:18 2:38 4:54 8:84 12:110 16:106 24:106 32:106 48:98 96:98
m8in r8in 8ib 8idn 8idb | l:8 x:18 2:38 4:54 8:84 12:110 16:106 24:106 32:106 48:98 96:98 metal-48xl:0 metal-96xl:0
m9g m9gd                | m:4 l:9 x:18 2:38 4:54 8:52 12:50 16:106 24:98 48:98
8gn 8gb                 | m:4 l:9 x:18 2:38 4:54 8:52 12:50 16:106 24:98 48:98 metal-24xl:0 metal-48xl:0
7i-flex                 | l:3 x:8 2:18 4:34 8:54 12:114 16:107
8i-flex                 | l:3 x:8 2:18 4:34 8:52 12:110 16:106
i3                      | l:0 x:0 2:0 4:0 8:0 16:0 metal:120
i3en                    | l:5 x:12 2:28 3:38 6:54 12:54 24:107
i4i                     | l:0 x:6 2:26 4:52 8:112 12:112 16:120 24:105 32:120
i7ie                    | l:19 x:27 2:27 3:27 6:54 12:54 18:107 24:107 48:107
i8ge                    | l:19 x:27 2:27 3:25 6:52 12:50 18:106 24:106 48:98
m8azn x8aedz            | m:3 l:8 x:18 3:34 6:54 12:106 24:106
m5zn                    | l:13 x:29 2:62 3:92 6:114 12:107
z1d                     | l:13 x:28 2:58 3:54 6:54 12:107
a1 x2gd                 | m:10
x2iedn                  | x:11 2:27 4:54 8:114
x2iezn                  | 2:62 4:114 6:114 8:114 12:107
d3                      | x:42 2:92 4:118 8:119
d3en                    | x:24 2:58 4:118 6:118 8:118 12:119
g4dn                    | x:39 2:39 4:59 8:58 12:54 16:118 metal:107
g4ad                    | x:12 2:12 4:11 8:10 16:6
g5                      | x:4 2:17 4:34 8:84 12:107 16:114 24:107 48:115
g6 gr6                  | x:18 2:38 4:54 8:84 12:114 16:107 24:107 48:107
g6e                     | x:18 2:38 4:54 8:84 12:112 16:107 24:102 48:82
g6f                     | l:10
g7                      | 2:38 4:54 8:82 12:110 24:98 48:98
g7e                     | 2:120 4:120 8:120 12:120 24:120 48:120
f2                      | 6:84 12:114
p4d p4de dl1            | 24:62
p5                      | 4:58 48:120
p5e p5en                | 48:120
p6-b200 p6-b300         | 48:120
inf1                    | x:38 24:111
inf2                    | 8:84
trn1                    | 2:17 32:82
trn1n                   | 32:120
vt1                     | 3:38
u-3tb1                  | 56:6
u7in-16tb u7in-24tb u7in-32tb | 224:106
mac1 mac2 mac2-m1ultra mac2-m2 mac2-m2pro      | metal:6
mac-m3ultra mac-m4 mac-m4max mac-m4pro         | metal:6
`;

/** Families without branch interfaces, or missing in the published limits. */
export const withoutBranchInterfaces =
  't1 t2 t3 t3a t4g t8i u-6tb1 x1 x1e h1 p2 p3 g3 g3s c1 c3 c4 d2 i2 m1 m2 m3 m4 r3 r4 c9g c9gd r9g r9gd hpc6a hpc6id hpc7a hpc7g hpc8a trn2 trn2u';

/** Default for families without a row; the first limit that covers the vCPUs applies. */
export const otherBranchInterfaces = 'm:4 l:9 x:18 2:38 <=12:54 <=224:107';
