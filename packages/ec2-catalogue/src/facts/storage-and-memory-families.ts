/**
 * The other families with one row for all sizes. `x=0.8` is the price of xlarge for a family without large.
 */
export const storageAndMemoryFamilies = `
families | GiB/vCPU | CPU  | sizes                          | metal                 | net | NVMe    | EFA      | $ large
c5n      | 2.625    | I3.4 | l x 2 4 9 18                   | metal=18              | N1  | -       | 9 18     | 0.108
z1d      | 8        | I4.0 | l x 2 3 6 12                   | metal=12              | N1  | 37.5    | -        | 0.186
x8i      | 16       | I3.9 | l x 2 4 8 12 16 24 32 48 64 96 | metal-48xl metal-96xl | N2  | -       | 48 64 96 | 0.21883
x8aedz   | 32       | A5.0 | l x 3 6 12 24                  | metal-12xl metal-24xl | N7  | 79.1667 | 24       | ?
a1       | 2        | G2.3 | m l x 2 4                      | metal=4               | N1  | -       | -        | 0.051
i3       | 7.625    | I2.3 | l x 2 4 8 16                   | -                     | N1  | 237.5   | -        | 0.156
i3en     | 8        | I3.1 | l x 2 3 6 12 24                | metal=24              | N1  | 625     | 12 24    | 0.226
i4i      | 8        | I3.5 | l x 2 4 8 12 16 24 32          | metal=32              | N1  | 234.375 | 32       | x=0.3432
i4g      | 8        | G2.5 | l x 2 4 8 16                   | -                     | N1  | 234.375 | 16       | 0.15444
im4gn    | 4        | G2.5 | l x 2 4 8 16                   | -                     | N1  | 468.75  | 16       | 0.1819
is4gen   | 6        | G2.5 | m l x 2 4 8                    | -                     | N1  | 937.5   | -        | 0.28815
i7i      | 8        | I3.2 | l x 2 4 8 12 16 24 48          | metal-24xl metal-48xl | N1  | 234.375 | 24 48    | 0.1888
i7ie     | 8        | I3.2 | l x 2 3 6 12 18 24 48          | metal-24xl metal-48xl | N1  | 625     | 48       | 0.2599
i8g      | 8        | G2.8 | l x 2 4 8 12 16 24 48          | metal-24xl metal-48xl | N1  | 234.375 | 48       | 0.1716
i8ge     | 8        | G2.8 | l x 2 3 6 12 18 24 48          | metal-24xl metal-48xl | N1  | 625     | 48       | 0.2373
x2gd     | 16       | G2.5 | m l x 2 4 8 12 16              | metal=16              | N1  | 59.375  | -        | 0.167
x2idn    | 16       | I3.5 | 16 24 32                       | metal=32              | N1  | 29.6875 | 32       | 16=6.669
x2iedn   | 32       | I3.5 | x 2 4 8 16 24 32               | metal=32              | N1  | 29.6875 | 32       | x=0.83363
x2iezn   | 32       | I4.5 | 2 4 6 8 12                     | metal=12              | N1  | -       | 12       | 2=1.668
`;
