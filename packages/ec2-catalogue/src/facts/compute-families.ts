/**
 * Compute, general-purpose and memory families, one row for all sizes of a family. A cell has one value for
 * all families of its row, or one value per family. `metal=24` has the shape of 24xlarge. NVMe is in GB per
 * vCPU. EFA lists the sizes with one EFA interface; `48:2` has two.
 */
export const computeFamilies = `
families                   | GiB/vCPU | CPU            | sizes                       | metal                 | net | NVMe   | EFA        | $ large
m5 r5                      | 4 8      | I3.1           | l x 2 4 8 12 16 24          | metal=24              | N1  | -      | -          | 0.096 0.126
m5d r5d                    | 4 8      | I3.1           | l x 2 4 8 12 16 24          | metal=24              | N1  | 37.5   | -          | 0.113 0.144
m5n r5n                    | 4 8      | I3.1           | l x 2 4 8 12 16 24          | metal=24              | N1  | -      | 24         | 0.119 0.149
m5dn r5dn                  | 4 8      | I3.1           | l x 2 4 8 12 16 24          | metal=24              | N1  | 37.5   | 24         | 0.136 0.167
r5b                        | 8        | I3.1           | l x 2 4 8 12 16 24          | metal=24              | N1  | -      | -          | 0.149
c5a m5a r5a                | 2 4 8    | A3.3 A2.5 A2.5 | l x 2 4 8 12 16 24          | -                     | N1  | -      | -          | 0.077 0.086 0.113
c5ad m5ad r5ad             | 2 4 8    | A3.3 A2.2 A2.2 | l x 2 4 8 12 16 24          | -                     | N1  | 37.5   | -          | 0.086 0.103 0.131
c5                         | 2        | I3.4           | l x 2 4 9 12 18 24          | metal=24              | N1  | -      | -          | 0.085
c5d                        | 2        | I3.4           | l x 2 4 9 12 18 24          | metal=24              | N1  | 25     | -          | 0.096
m5zn                       | 4        | I4.5           | l x 2 3 6 12                | metal=12              | N1  | -      | 12         | 0.1652
c6a m6a r6a                | 2 4 8    | A3.6           | l x 2 4 8 12 16 24 32 48    | metal=48              | N1  | -      | 48         | 0.0765 0.0864 0.1134
c6g m6g r6g                | 2 4 8    | G2.5           | m l x 2 4 8 12 16           | metal=16              | N1  | -      | -          | 0.068 0.077 0.1008
c6gd m6gd r6gd             | 2 4 8    | G2.5           | m l x 2 4 8 12 16           | metal=16              | N1  | 59.375 | -          | 0.0768 0.0904 0.1152
c6gn                       | 2        | G2.5           | m l x 2 4 8 12 16           | -                     | N1  | -      | 16         | 0.0864
c6i m6i r6i                | 2 4 8    | I3.5           | l x 2 4 8 12 16 24 32       | metal=32              | N1  | -      | 32         | 0.085 0.096 0.126
c6id m6id r6id             | 2 4 8    | I3.5           | l x 2 4 8 12 16 24 32       | metal=32              | N1  | 59.375 | 32         | 0.1008 0.11865 0.1512
c6in m6in r6in             | 2 4 8    | I3.5           | l x 2 4 8 12 16 24 32       | metal=32              | N1  | -      | 32:2       | 0.1134 0.13923 0.17433
m6idn r6idn                | 4 8      | I3.5           | l x 2 4 8 12 16 24 32       | metal=32              | N1  | 59.375 | 32:2       | 0.15912 0.19539
c7a m7a r7a                | 2 4 8    | A3.7           | m l x 2 4 8 12 16 24 32 48  | metal-48xl            | N1  | -      | 48         | 0.10264 0.11592 0.15215
c7g m7g r7g                | 2 4 8    | G2.6           | m l x 2 4 8 12 16           | metal=16              | N1  | -      | 16         | 0.0725 0.0816 0.1071
c7gd m7gd r7gd             | 2 4 8    | G2.6           | m l x 2 4 8 12 16           | metal=16              | N1  | 59.375 | 16         | 0.0907 0.1068 0.1361
c7gn                       | 2        | G2.6           | m l x 2 4 8 12 16           | metal=16              | N1  | -      | 16         | 0.1248
c7i m7i r7i                | 2 4 8    | I3.2           | l x 2 4 8 12 16 24 48       | metal-24xl metal-48xl | N1  | -      | 48         | 0.08925 0.1008 0.1323
c7i-flex m7i-flex          | 2 4      | I3.2           | l x 2 4 8 12 16             | -                     | N1  | -      | -          | 0.08479 0.09576
r7iz                       | 8        | I3.9           | l x 2 4 8 12 16 32          | metal-16xl metal-32xl | N1  | -      | 32         | 0.186
c8a m8a r8a                | 2 4 8    | A4.5           | m l x 2 4 8 12 16 24 48     | metal-24xl metal-48xl | N3  | -      | 48         | 0.10777 0.12172 0.15976
m8azn                      | 4        | A5.0           | m l x 3 6 12 24             | metal-12xl metal-24xl | N7  | -      | 24         | 0.20646
c8g m8g r8g x8g            | 2 4 8 16 | G2.8           | m l x 2 4 8 12 16 24 48     | metal-24xl metal-48xl | N1  | -      | 24 48      | 0.07976 0.08976 0.11782 0.1954
c8gd m8gd r8gd             | 2 4 8    | G2.8           | m l x 2 4 8 12 16 24 48     | metal-24xl metal-48xl | N1  | 59.375 | 24 48      | 0.09798 0.11532 0.14696
c8gn m8gn r8gn             | 2 4 8    | G2.8           | m l x 2 4 8 12 16 24 48     | metal-24xl metal-48xl | N4  | -      | 16 24 48:2 | 0.1185 0.1455 0.1822
c8gb m8gb r8gb             | 2 4 8    | G2.8           | m l x 2 4 8 12 16 24 48     | metal-24xl metal-48xl | N4  | -      | 16 24 48:2 | 0.1185 0.1455 0.18218
c8i m8i r8i                | 2 4 8    | I3.9           | l x 2 4 8 12 16 24 32 48 96 | metal-48xl metal-96xl | N2  | -      | 48 96      | 0.09371 0.10584 0.13892
c8id m8id r8id             | 2 4 8    | I3.9           | l x 2 4 8 12 16 24 32 48 96 | metal-48xl metal-96xl | N2  | 59.375 | 48 96      | 0.11088 0.13052 0.16632
c8i-flex m8i-flex r8i-flex | 2 4 8    | I3.9           | l x 2 4 8 12 16             | -                     | N2  | -      | -          | 0.08902 0.10055 0.13197
c8in m8in r8in             | 2 4 8    | I3.9           | l x 2 4 8 12 16 24 32 48 96 | metal-48xl metal-96xl | N5  | -      | 48 96:2    | 0.13608 0.16708 0.2092
c8ib m8ib r8ib             | 2 4 8    | I3.9           | l x 2 4 8 12 16 24 32 48 96 | metal-48xl metal-96xl | N5  | -      | 48 96:2    | 0.13608 0.16708 0.2092
m8idn r8idn                | 4 8      | I3.9           | l x 2 4 8 12 16 24 32 48 96 | metal-48xl metal-96xl | N5  | 59.375 | 48 96:2    | 0.19094 0.23447
m8idb r8idb                | 4 8      | I3.9           | l x 2 4 8 12 16 24 32 48 96 | metal-48xl metal-96xl | N5  | 59.375 | 48 96:2    | 0.19094 0.23447
c8ine m8ine                | 2 4      | I3.9           | l x 2 4 8 12                | -                     | N5  | -      | -          | 0.1701 0.20885
c9g m9g r9g                | 2 4 8    | G3.3           | m l x 2 4 8 12 16 24 48     | metal-48xl            | N6  | -      | 48         | 0.08694 0.09784 ?
c9gd m9gd r9gd             | 2 4 8    | G3.3           | m l x 2 4 8 12 16 24 48     | metal-48xl            | N6  | 59.375 | 48         | 0.1068 0.1257 ?
`;
