/** Maximum EBS bandwidth in Mbps: per vCPU with a minimum, by size, or up to a size. */
export const ebsBandwidths = `
families                                                                 | Mbps
6i 6id 7g 7gd 7i-flex 8i-flex 8a 8in 8idn 8ine i4i i4g i7i i7ie i8g i8ge | 312.5/vCPU >=10000
6a 7a 7i 8g 8gd x8g                                                      | 312.5/vCPU >=10000 48:40000
8i 8id                                                                   | 312.5/vCPU >=10000 96:80000
x8i                                                                      | 312.5/vCPU >=10000 64:70000 96:80000
r7iz                                                                     | 312.5/vCPU >=10000 12:19000
8gn 7gn im4gn is4gen r5b                                                 | 625/vCPU >=10000
6in 6idn 8ib 8idb                                                        | 781.25/vCPU >=25000
8gb                                                                      | 1562.5/vCPU >=25000
9g 9gd                                                                   | 375/vCPU >=12000
6g 6gd x2gd                                                              | 296.875/vCPU >=4750
c6gn                                                                     | 593.75/vCPU >=9500
x2idn x2iedn                                                             | 625/vCPU >=20000
m8azn x8aedz                                                             | 625/vCPU >=15000
m5 r5 m5d r5d m5n r5n m5dn r5dn                                          | <=4:4750 8:6800 12:9500 16:13600 24:19000
c5 c5d c5n                                                               | <=4:4750 9:9500 12:9500 18:19000 24:19000
c5a c5ad                                                                 | <=8:3170 12:4750 16:6300 24:9500
m5a m5ad                                                                 | <=4:2880 8:4750 12:6780 16:9500 24:13750
r5a r5ad                                                                 | <=4:2880 8:4750 12:6780 16:9500 24:13570
m5zn z1d                                                                 | <=2:3170 3:4750 6:9500 12:19000
x2iezn                                                                   | 2:3170 4:4750 6:9500 8:12000 12:19000
i3                                                                       | l:425 x:850 2:1700 4:3500 8:7000 16:14000
i3en                                                                     | <=6:4750 12:9500 24:19000
a1                                                                       | <=4:3500
`;
