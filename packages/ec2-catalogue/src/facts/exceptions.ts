/**
 * Sizes that differ from the row of their family. Bare metal has the values of its virtual size, unless
 * `metal-24xl` and the like list it. A line such as `6gd` stands for the c, m and r families of that name.
 */
export const clockExceptions = `
families                | GHz by size
c5 c5d                  | 12:3.6 24:3.6
m5ad r5ad               | 8:2.5 16:2.5
8g x8g 8gd 8gn 8gb i8ge | 48:2.7
`;

/** GiB of memory by size. */
export const memoryExceptions = `
families | GiB by size
c5n      | 9:96 18:192
`;

export const storageExceptions = `
families                               | GB by size
c5d                                    | 12:1800 24:3600
c5ad                                   | 24:3800
6gd 6id 6idn 7gd 8gd 8id 8idn 8idb 9gd | 2:474
`;

export const networkExceptions = `
families        | interfaces × addresses by size
m5zn z1d x2iezn | 12:15x50
6in 6idn        | 32:8+8x50
i3en            | 3:4x15
i4i             | 24:15x30
i7ie            | 3:4x15 12:8x50 48:8+7x50
i8ge            | 3:6x30 6:10x30 12:12x30 18:16x50 24:16x50 48:12+12x50
`;

export const efaExceptions = `
families | interfaces by size
i7i      | metal-24xl:0
`;
