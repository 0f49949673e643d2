/** Factors on the price per vCPU. Bare metal that is not listed costs as much as its virtual size. */
export const priceFactors = `
families                                   | factor by size
r5b m5zn x2gd                              | metal:1.1
7i 8a 8g 8gd x8g                           | metal-24xl:1.1
r7iz                                       | metal-16xl:1.1 metal-32xl:1.1
i8g                                        | metal-24xl:1.1 metal-48xl:1.1
m8azn                                      | metal-12xl:1.1 metal-24xl:1.1
c8i r8i c8id r8id 8in 8ib 8idn 8idb 9g 9gd | metal-48xl:1.1
x8i                                        | 96:1.16 metal-48xl:1.1
6g 6gd                                     | metal:1.06
8gn c8gb                                   | metal-24xl:1.06
i7i                                        | metal-24xl:1.062 metal-48xl:1.062
i7ie i8ge                                  | metal-24xl:1.065 metal-48xl:1.065
`;

/** Prices that the price list rounds differently, and m8gb and r8gb bare metal, which it lists at twice the rest. */
export const listedPrices = `
families | $ by size
c7g      | m:0.0363
r7g      | m:0.0536
c7gd     | m:0.0454
r7gd     | m:0.068
c8gn     | m:0.0593
m8gn     | m:0.0728
m8gb     | metal-24xl:14.80608
r8gb     | metal-24xl:18.53864
i4i      | l:0.172
`;
