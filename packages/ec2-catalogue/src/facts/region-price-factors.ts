/**
 * Prices of families in other regions, as factors on those of us-east-1: `1.1146=m5,m5d` makes m5 and m5d cost
 * 11.46 % more. Recorded for every family that was in the price list of its region: of May 2025 for commercial
 * regions, of August 2026 for GovCloud and cn-north-1, whose factors turn dollars into yuan.
 */
export const regionPriceFactors = `
region         | factor=families
us-east-2      | 0.9965=c8g 0.9967=c7g 0.9985=r3
us-east-2      | 1=a1,c4,c5,c5a,c5ad,c5d,c5n,c6a,c6g,c6gd,c6gn,c6i,c6id,c6in,c7a,c7gd,c7gn,c7i,c7i-flex,c8gd
us-east-2      | 1=d2,d3,g3,g3s,g4ad,g4dn,g5,g6,g6e,gr6,h1,i2,i3,i3en,i4g,i4i,i7ie,im4gn,inf1,inf2,is4gen,m4
us-east-2      | 1=m5,m5a,m5ad,m5d,m5dn,m5n,m5zn,m6a,m6g,m6gd,m6i,m6id,m6idn,m6in,m7a,m7g,m7gd,m7i,m7i-flex
us-east-2      | 1=m8g,m8gd,p2,p3,p4d,p5,p5en,r4,r5,r5a,r5ad,r5b,r5d,r5dn,r5n,r6a,r6g,r6gd,r6i,r6id,r6idn
us-east-2      | 1=r6in,r7a,r7g,r7gd,r7i,r7iz,r8g,r8gd,t2,t3,t3a,t4g,trn1,trn1n,u-12tb1,u-3tb1,u-6tb1,u-9tb1
us-east-2      | 1=x1,x1e,x2gd,x2idn,x2iedn,z1d
us-west-1      | 1.08=g2 1.0843=m1 1.1=i2 1.1026=i3,i4i 1.1062=i3en 1.111=r8g 1.1111=r5,r6a,r6g,r6i,r7g,r7i
us-west-1      | 1.1143=r3,r4 1.115=r5a 1.1224=m2 1.125=r5d,r7gd 1.1285=r6gd 1.1298=r5ad 1.1322=d2 1.1342=r5n
us-west-1      | 1.1344=z1d 1.1381=c3 1.1385=c1 1.1528=m6idn 1.1579=m3 1.1636=m6g
us-west-1      | 1.1667=m5,m5zn,m6a,m6i,m6in,m7g,m7i,m7i-flex,m8g 1.17=m4 1.1726=m6gd 1.1744=m5a
us-west-1      | 1.177=m5d,m6id,m7gd 1.1845=m5ad 1.1875=t3a 1.1897=t2 1.1905=t4g 1.1923=t3 1.1999=g4dn
us-west-1      | 1.2017=inf1 1.2338=c5a 1.2427=c8g 1.2428=c7g 1.2471=c5,c6a,c6g,c6i,c7i,c7i-flex
us-west-1      | 1.25=c5d,c5n,c6gd,c6gn,c6in,c7gd,p5,t1 1.2513=c4 1.3=x2idn,x2iedn 1.3456=g3
us-west-2      | 1=a1,c1,c3,c4,c5,c5a,c5ad,c5d,c5n,c6a,c6g,c6gd,c6gn,c6i,c6id,c6in,c7a,c7g,c7gd,c7gn,c7i
us-west-2      | 1=c7i-flex,c8g,c8gd,cr1,d2,d3,d3en,dl1,f1,f2,g2,g3,g3s,g4ad,g4dn,g5,g5g,g6,g6e,gr6,h1,i2,i3
us-west-2      | 1=i3en,i4g,i4i,i7ie,i8g,im4gn,inf1,inf2,is4gen,m1,m2,m3,m4,m5,m5a,m5ad,m5d,m5dn,m5n,m5zn,m6a
us-west-2      | 1=m6g,m6gd,m6i,m6id,m6idn,m6in,m7a,m7g,m7gd,m7i,m7i-flex,m8g,m8gd,p2,p3,p3dn,p4d,p4de,p5
us-west-2      | 1=p5en,r3,r4,r5,r5a,r5ad,r5b,r5d,r5dn,r5n,r6a,r6g,r6gd,r6i,r6id,r6idn,r6in,r7a,r7g,r7gd,r7i
us-west-2      | 1=r7iz,r8g,r8gd,t1,t2,t3,t3a,t4g,trn1,trn1n,u-12tb1,u-18tb1,u-24tb1,u-3tb1,u-6tb1,u-9tb1
us-west-2      | 1=u7i-12tb,u7i-6tb,u7in-16tb,u7in-24tb,u7in-32tb,vt1,x1,x1e,x2gd,x2idn,x2iedn,x2iezn,x8g,z1d
ca-central-1   | 1.0905=c7g 1.0909=c5a 1.0926=c5n,c6in 1.094=r5b,r5n 1.0941=c5,c6a,c6g,c6i,c7i,c7i-flex
ca-central-1   | 1.0946=m6idn 1.0949=c6gn 1.0952=r5,r6a,r6g,r6i,r7g,r7i,t4g,u-3tb1,u-6tb1 1.0972=r5d,r6gd
ca-central-1   | 1.0973=r5a 1.0977=r4 1.0992=r5ad 1.0993=x1e 1.1=c4,d2,p3,x1,x2idn,x2iedn 1.1016=d3 1.102=i4g
ca-central-1   | 1.1026=i3,i4i,im4gn 1.1034=t2 1.1041=c7gd 1.1042=c5d,c6gd,c6id 1.1062=i3en,is4gen 1.11=m4
ca-central-1   | 1.1103=g4dn,g5,g6,gr6 1.1104=t3a 1.1117=m6g 1.1141=inf1 1.1146=m5,m6a,m6i,m6in,m7i,m7i-flex
ca-central-1   | 1.1147=m7g 1.115=m5d,m6gd,m6id 1.1154=t3 1.1163=m5a 1.1165=g4ad,m5ad 1.15=p4d,p5 1.2421=g3
ca-west-1      | 1.0905=c7g 1.0941=c5,c6g,c6i 1.0949=c6gn 1.0952=r5,r6g,r6i,t4g 1.0972=r6id 1.1026=i4i
ca-west-1      | 1.1042=c6id 1.1062=i3en 1.1117=m6g 1.1146=m5,m6i 1.115=m5d,m6gd,m6id 1.1154=t3
mx-central-1   | 1.0499=c7g,t3,t4g
mx-central-1   | 1.05=c6g,c6gn,c6i,c6id,c7i,c7i-flex,i3en,i4i,m6gd,m6i,m6id,m7g,m7gd,m7i,m7i-flex,r6g,r6i
mx-central-1   | 1.05=r6id,r7g,r7gd,r7i 1.0501=m6g
sa-east-1      | 1.3173=m2 1.3329=m1 1.35=t1 1.3788=c1 1.4295=m3 1.5318=c8g 1.5322=c7g 1.5325=c5a 1.537=c5n,c6in
sa-east-1      | 1.5394=c6gn 1.5412=c5,c6a,c6g,c6i,c7i,c7i-flex 1.5476=c3 1.5495=c6gd 1.5521=c5d,c6id 1.5525=c4
sa-east-1      | 1.5581=c5ad 1.5833=r5d,r6gd 1.5839=r5n 1.5878=r5ad 1.5896=m6g 1.59=m4 1.5906=r5b 1.5914=r7g
sa-east-1      | 1.5929=i3en,m5d,m6gd,m6id,m7gd 1.5937=m6a,m7g,m7i 1.5938=m5,m5zn,m6i,m7i-flex
sa-east-1      | 1.5952=r5,r6g,r6i,r7i,t4g,u-12tb1,u-18tb1,u-3tb1,u-6tb1,u-9tb1 1.5962=i3,i4i 1.5967=i4g
sa-east-1      | 1.6018=r5a 1.6019=m5ad 1.6034=t2 1.6047=m5a 1.6084=t3a 1.6154=t3 1.6193=p4d 1.6524=inf1 1.68=p5
sa-east-1      | 1.6996=g4dn 1.6998=g5,g6,gr6 1.7=inf2 1.9492=x1e 1.9501=x1,x2idn,x2iedn 2.1041=r3 2.1053=r4
eu-central-1   | 1.0509=f1 1.1299=c5a 1.1372=c7g,c8g 1.1389=c5n,c6in 1.1407=c4
eu-central-1   | 1.1412=a1,c5,c6a,c6g,c6gn,c6i,c7a,c7i,c7i-flex 1.1429=t4g 1.1489=t3a 1.1507=d2 1.1538=t3
eu-central-1   | 1.1552=t2 1.1562=c5d,c6id 1.1563=c7gd 1.1589=c6gd 1.1628=c5ad 1.1849=m5n,m6in 1.1861=m3
eu-central-1   | 1.1877=g2 1.188=i2 1.1912=m5dn,m6idn 1.1916=r5dn,r6idn 1.1923=i3,i4i,i8g,im4gn
eu-central-1   | 1.1946=r5b,r5n,r6in 1.1947=i3en,i7ie,is4gen 1.1948=m6g
eu-central-1   | 1.1979=m5,m5zn,m6a,m6i,m7a,m7i,m7i-flex,r6gd 1.198=m7g 1.1981=m8g 1.2=m4 1.2014=r5d,r6id,r7gd
eu-central-1   | 1.203=r3 1.2034=r4 1.2035=m5d,m6id,m7gd 1.2058=m6gd 1.2061=r5ad 1.2062=r8g
eu-central-1   | 1.2063=r5,r6a,r6g,r6i,r7a,r7g,r7i,u-12tb1,u-18tb1,u-9tb1 1.2064=u-3tb1,u-6tb1 1.2093=m5a
eu-central-1   | 1.2097=r7iz,z1d 1.2124=r5a 1.2136=m5ad 1.2286=c3 1.2493=p3 1.2494=p4d 1.25=g3,g4dn,p4de
eu-central-1   | 1.2501=inf1 1.2503=g4ad 1.2504=g6e 1.2505=g5,g6,gr6 1.2507=g3s 1.2509=g5g 1.3175=d3 1.3176=d3en
eu-central-1   | 1.3976=x8g 1.3993=x1e 1.4001=x1,x2idn,x2iedn 1.4733=p2 1.5=inf2
eu-central-2   | 1.251=c7g 1.2549=c6in 1.2553=c6g 1.2554=c5 1.2574=t4g 1.2692=t3 1.2719=c5d 1.2747=c6gd
eu-central-2   | 1.2981=m6idn 1.3115=i4i 1.3116=i3 1.3142=i3en 1.3143=m6g 1.3177=m5,m6i,m6in,m7g,r6gd 1.3215=r5d
eu-central-2   | 1.3239=m5d,m6id 1.3263=m6gd 1.327=r6g,r6i,u-3tb1,u-6tb1 1.3271=r5 1.3482=g6 1.4065=gr6
eu-central-2   | 1.4494=d3 1.5401=x2idn
eu-north-1     | 1.0116=d2 1.0238=t4g 1.0385=t3 1.0432=m6idn 1.0449=i3,i4i 1.0487=i3en 1.0556=r5d,r6gd,r7gd
eu-north-1     | 1.0599=r5dn,r6idn 1.06=r5b 1.0606=g5,g6 1.0607=g6e,gr6 1.0608=g4dn 1.0615=r6g
eu-north-1     | 1.0619=m5d,m6gd,m7gd 1.0625=m5,m6i,m7a,m7g,m7i 1.0626=inf1,m7i-flex,m8g 1.063=m6in
eu-north-1     | 1.0631=u-6tb1 1.0634=r7a,r8g 1.0635=r5,r6i,r7g,r7i 1.0649=c5a,m6g 1.067=c7g,c8g 1.0671=r5n,r6in
eu-north-1     | 1.07=p5 1.0705=c7a 1.0706=c5,c6i,c7i,c7i-flex 1.0735=c6g 1.0741=c5n,c6in 1.0764=c6gn
eu-north-1     | 1.0833=c5d,c6gd 1.0834=c7gd 1.1=inf2 1.119=u-9tb1 1.1404=x2idn 1.1405=x2iedn
eu-south-1     | 1.1188=d2 1.1429=t4g 1.1469=t3a 1.152=t3 1.1601=i3en 1.1603=i3,i4i 1.1636=m6g
eu-south-1     | 1.1667=m5,m6a,m6i,r5d 1.1681=m5d,m6gd 1.1708=g4dn 1.1712=inf1 1.1718=r7g 1.1737=r5dn 1.1744=m5a
eu-south-1     | 1.1745=r5b,r5n 1.1746=r5,r6g,r6i,r7i 1.175=u-12tb1,u-3tb1,u-6tb1 1.177=r5a 1.1814=c7g
eu-south-1     | 1.1818=c5a 1.1875=c5d 1.1882=c5,c6g,c6i 1.1944=c5n,c6gn,c6in 1.1977=c5ad 1.2596=x2idn,x2iedn
eu-south-2     | 1.0537=g6,g6e,gr6 1.069=c7g,c8g 1.0729=c6g 1.08=p5en 1.0946=m6idn 1.0952=t4g 1.0962=t3
eu-south-2     | 1.1026=i3,im4gn 1.1062=i3en 1.1111=r5d,r6gd,r6id,r7gd 1.1139=m8g 1.114=m7g
eu-south-2     | 1.1146=m5,m6in,m7a,m7i,m7i-flex 1.115=m5d,m6gd,m7gd 1.116=g5g 1.1169=m6g 1.1185=r8g 1.1186=r7g
eu-south-2     | 1.119=r5,r6g,r7a,r7i,u-6tb1 1.1287=c6in 1.1294=c5,c7a,c7i,c7i-flex 1.1354=c5d,c6gd,c7gd
eu-south-2     | 1.2=x2idn,x2iedn
eu-west-1      | 1=t1 1.0613=g3s 1.0614=g3 1.0652=d2 1.0692=c7g,c8g 1.0714=cr1
eu-west-1      | 1.0729=c6a,c6g,c6i,c7a,c7i,c7i-flex,hpc7g 1.08=g2,p2 1.0801=p3,p3dn,p4d 1.0843=m1 1.0851=t3a
eu-west-1      | 1.0862=t2 1.0952=t4g 1.0962=t3 1.0987=m3 1.1=f1,i2 1.102=i4g 1.1026=i3,i4i,im4gn
eu-west-1      | 1.1062=i3en,i7ie,is4gen 1.109=h1 1.11=m4 1.1111=r5d,r6gd,r6id,r7gd 1.1138=r5dn,r6idn
eu-west-1      | 1.1141=inf1 1.1143=r3,r4 1.1145=m8g,r5ad 1.1146=m5,m5zn,m6a,m6i,m7a,m7g,m7i,m7i-flex
eu-west-1      | 1.115=g4dn,m5d,m6gd,m6id,m7gd 1.1163=g5,m5a 1.1165=g4ad,m5ad 1.1169=c5a,m6g
eu-west-1      | 1.1176=m5dn,m5n,m6idn,m6in 1.1183=r7iz,z1d
eu-west-1      | 1.119=r5,r6a,r6g,r6i,r7a,r7g,r7i,r8g,u-12tb1,u-18tb1,u-3tb1,u-6tb1,u-9tb1 1.1208=r5b,r5n,r6in
eu-west-1      | 1.1224=m2 1.1239=r5a 1.1294=a1,c5,vt1 1.1296=c5n,c6gn,c6in 1.1298=c7gn
eu-west-1      | 1.1354=c5d,c6gd,c6id,c7gd 1.1369=c4 1.1381=c3 1.1385=c1 1.1395=c5ad 1.1976=x2gd
eu-west-1      | 1.199=x1e,x2iezn 1.2=x1,x2idn,x2iedn 1.22=d3en 1.2201=d3 1.25=inf2
eu-west-2      | 1.1187=d2 1.119=t4g 1.1297=t3a 1.1346=t3 1.1379=t2 1.1532=m6g 1.1552=f1
eu-west-2      | 1.1562=m5,m6a,m6i,m7i,m7i-flex 1.1564=m7g,m8g 1.1593=m5d,m6gd,m6id 1.16=m4 1.1603=i3,i4i,im4gn
eu-west-2      | 1.1628=m5a 1.1637=i3en,i7ie,is4gen 1.165=m5ad 1.1696=g4ad 1.17=g4dn 1.1712=inf1 1.1729=p3,r4
eu-west-2      | 1.1736=r5d,r6gd,r6id,r7gd 1.1745=r5b,r5n 1.1746=r5,r6g,r6i,r7g,r7i,u-6tb1,u-9tb1 1.1756=r5ad
eu-west-2      | 1.177=r5a 1.1812=z1d 1.1818=c5a 1.1841=c8g 1.1843=c7g 1.1852=c5n,c6in 1.1863=c6gn
eu-west-2      | 1.1882=c5,c6a,c6g,c6i,c7i,c7i-flex 1.1935=c4 1.1979=c5d,c6gd,c6id 1.198=c7gd 1.2533=g3s
eu-west-2      | 1.2535=g3 1.26=x1,x2idn,x2iedn 1.2694=g5,g6,gr6 1.2811=d3 1.3=f2,p5 1.5=inf2
eu-west-3      | 1.1188=d2 1.119=t4g 1.1297=t3a 1.1346=t3 1.1379=t2 1.1603=i3,i4i,im4gn 1.1637=i3en,is4gen
eu-west-3      | 1.1667=m5,m6a,m6i,m7g,m7i,m7i-flex 1.1679=r5ad 1.1681=m5d,m6gd 1.1682=m7gd 1.1686=inf1
eu-west-3      | 1.1688=m6g 1.1692=g4dn 1.1706=r6g 1.1729=r4 1.1736=r5d,r6gd 1.1737=r5dn 1.1744=m5a 1.1745=r5n
eu-west-3      | 1.1746=r5,r6i,r7i,u-6tb1,u-9tb1 1.1748=m5ad 1.177=r5a 1.1818=c5a 1.1843=c7g 1.1852=c5n,c6in
eu-west-3      | 1.1863=c6gn 1.1882=c5,c6i,c7i,c7i-flex 1.1912=c6g 1.1979=c5d,c6gd,c6id 1.26=x1,x2idn,x2iedn
eu-west-3      | 1.2694=g6,gr6 1.2811=d3 1.4=inf2
il-central-1   | 1.1265=c6g 1.1266=c6i 1.1403=t3a 1.1499=t4g 1.152=t3 1.1577=i4i 1.1578=i3 1.1615=i3en
il-central-1   | 1.1667=r5d,r6id 1.1703=m6i,m7g 1.1704=m5 1.1707=m5d 1.1708=m6gd,m6id 1.1721=g5 1.1727=m6g
il-central-1   | 1.1749=r5 1.175=r6g,r6i 1.1858=c5 1.1861=c6gn 1.1862=c6in 1.1922=c6id 1.1923=c5d 1.2811=d3
il-central-1   | 1.2961=p4de
me-central-1   | 1.1803=c6g 1.2058=t3 1.2116=i4i 1.2127=i3 1.2143=t4g 1.2168=i3en 1.2222=r5d,r7gd 1.2257=m6gd
me-central-1   | 1.226=m6i,m7g 1.2261=m5 1.2266=g5,m5d,m7gd 1.2286=m6g 1.2296=x2iezn 1.2302=x2idn 1.2309=r5
me-central-1   | 1.231=r6g,r6i 1.2416=c6in 1.2424=c5 1.2489=c5d
me-south-1     | 1.1717=d2 1.1949=t4g 1.2058=t3 1.2116=i3en,i4i 1.2127=i3 1.2208=m6g 1.2222=r5d 1.2261=m5
me-south-1     | 1.2264=inf1 1.2265=g4dn 1.2266=m5d,m6gd 1.2302=x2idn 1.2309=r5,r7g 1.231=r6g,r6i 1.2338=c5a
me-south-1     | 1.2407=c5n,c6gn,c6in 1.2424=c5,c6i 1.2494=c5d 1.25=c6g 1.2558=c5ad 1.375=m6i,m7g
af-south-1     | 1.2681=d2 1.2902=t4g 1.3041=t3 1.3141=i3,i4i 1.3142=i3en 1.3194=r5d 1.3195=m6g 1.3229=m5,m6i
af-south-1     | 1.3234=r5dn 1.3241=inf1 1.3267=g4dn 1.3274=m5d,m6gd 1.3317=u-12tb1,u-6tb1 1.3333=r5,r5n,r6g,r6i
af-south-1     | 1.3377=c5a 1.3412=c5,c6g,c6i 1.3444=c5n,c6in 1.3542=c5d 1.3605=c5ad 1.4269=x1e
af-south-1     | 1.4281=x1,x2idn,x2iedn
ap-east-1      | 1.2153=r5d,r7gd 1.2552=c7g 1.2597=c5a 1.2647=c6g 1.2706=c5,c6a,c6i 1.2812=c5d 1.32=i3en
ap-east-1      | 1.3205=i3,i4i 1.3241=c5n,c6in 1.3252=c6gn 1.3254=r5,r6i 1.3259=r7g 1.327=u-3tb1 1.3294=r6g
ap-east-1      | 1.3557=r5n 1.3717=m5d,m6gd 1.375=m5,m6i 1.3766=m6g 1.381=t4g 1.387=d2 1.4038=t3 1.5399=g4dn
ap-east-1      | 1.5415=inf1 1.5951=x1
ap-northeast-1 | 1.1729=cr1 1.1731=i3,i4i,im4gn 1.1735=m2 1.1736=i2 1.177=i3en,i7ie,is4gen 1.2=r3 1.203=r4
ap-northeast-1 | 1.2062=r8g 1.2063=r5,r6a,r6g,r6i,r7a,r7g,r7i,u-12tb1,u-3tb1,u-9tb1 1.2064=u-6tb1 1.2066=r6gd
ap-northeast-1 | 1.2083=r5d,r6id,r7gd 1.2124=r5a 1.2137=r5ad 1.2148=r5b,r5n,r6in 1.2154=c1 1.2156=r5dn,r6idn
ap-northeast-1 | 1.2161=c3 1.2204=r7iz,z1d 1.2232=d2 1.2468=c5a 1.25=p5en 1.253=p5 1.2545=c8g 1.2546=c7g,hpc7g
ap-northeast-1 | 1.2588=a1,c5,c6a,c6g,c6i,c7a,c7i,c7i-flex,vt1 1.2593=c5n,c6in 1.2612=c7gn 1.2616=c6gn 1.2663=c4
ap-northeast-1 | 1.2708=c5d,c6id 1.271=c7gd 1.276=c6gd 1.2857=m5n,m6g,m6in,t4g 1.2868=m5dn,m6idn 1.29=m4
ap-northeast-1 | 1.2917=m5,m5zn,m6a,m6i,m7a,m7g,m7i,m7i-flex,m8g 1.292=m5d,m6id 1.2921=m7gd 1.2942=m6gd 1.3=t1
ap-northeast-1 | 1.301=m5ad 1.3019=t3a 1.3023=m5a 1.3077=t3 1.3103=t2 1.3495=g4ad 1.3498=g5g 1.3499=g4dn
ap-northeast-1 | 1.3508=inf1 1.3706=p3 1.3707=p3dn,p4d 1.3815=g2 1.386=g3 1.3867=g3s 1.3886=m1 1.4474=m3
ap-northeast-1 | 1.4496=x1e,x2iezn 1.45=d3,d3en 1.4501=x1,x2idn,x2iedn 1.4503=g5,g6,g6e,gr6 1.5=inf2 1.7133=p2
ap-northeast-2 | 1.0952=c3 1.1169=c5a 1.1255=c7g 1.1285=c6gn 1.1294=c5,c6i,c7i,c7i-flex 1.1296=c5n,c6in
ap-northeast-2 | 1.1324=c6g 1.1407=c4 1.1458=c5d,c6gd,c6id 1.1731=i3,i4i 1.1736=i2 1.177=i3en 1.1916=r5dn
ap-northeast-2 | 1.1946=r5b,r5n 1.2=r3 1.2014=r5d,r6gd 1.2017=r6id 1.203=r4 1.2035=r5a 1.2061=r5ad
ap-northeast-2 | 1.2063=r5,r6i,r7g,r7i,u-12tb1,u-9tb1,u7in-16tb 1.2064=u-24tb1,u-6tb1,u7i-6tb,u7i-8tb 1.2097=z1d
ap-northeast-2 | 1.2103=r6g 1.2208=m6g 1.2232=d2 1.229=m5zn 1.2292=m5,m6i,m7g,m7i,m7i-flex 1.2294=g6e
ap-northeast-2 | 1.2296=g5,g6,gr6 1.23=g5g,m4 1.2301=g4dn,m5d,m6gd,m6id 1.2317=inf1 1.2326=m5a 1.233=m5ad
ap-northeast-2 | 1.2381=t4g 1.2414=t2 1.2447=t3a 1.2453=g3s 1.2456=g3 1.25=t3 1.3759=m3 1.38=p5en 1.3815=g2
ap-northeast-2 | 1.3837=p3 1.385=p4d 1.4496=x1e 1.4501=x1,x2idn,x2iedn 1.6278=p2
ap-northeast-3 | 1.1731=i3,i4i 1.177=i3en 1.203=r4 1.2063=r5,r6g,r6i,r7i 1.2064=u-6tb1 1.2082=r7gd
ap-northeast-3 | 1.2083=r5d,r6gd 1.2232=d2 1.2545=c7g 1.2584=c6in 1.2588=c5,c6i 1.2593=c5n 1.2641=c6gn
ap-northeast-3 | 1.2647=c6g 1.2663=c4 1.2708=c5d 1.276=c6gd 1.2883=m6g 1.29=m4 1.2917=m5,m6i,m7g 1.292=m5d,m6gd
ap-northeast-3 | 1.2954=t4g 1.3077=t3 1.3103=t2 1.3499=g4dn 1.4496=x1e 1.4501=x1,x2idn,x2iedn
ap-south-1     | 0.6104=c5a 0.6111=c6a 0.6265=c6g 0.6305=r6a 0.6327=r5a 0.6337=r5ad 0.6349=c7gd 0.638=c6gd
ap-south-1     | 0.6429=m6a 0.6448=r6g 0.6458=m5a 0.6467=r7gd 0.6488=r6gd 0.6513=m5ad 0.6556=t3a 0.6571=m6g
ap-south-1     | 0.6649=m7gd 0.6667=t4g 0.6681=m6gd 0.6768=c8g 0.677=c7g 0.7009=r8g 0.701=r7g 0.7147=m7g
ap-south-1     | 0.7148=m8g 1=a1,c5,c5n,c6i,c6in,c7i,c7i-flex 1.0012=c6gn 1.005=c4 1.0268=r5n 1.0301=r4
ap-south-1     | 1.0312=c5d,x1e 1.0317=r5,r6i,r7i,u-12tb1,u-6tb1,u-9tb1 1.0318=x1,x2idn,x2iedn 1.042=m6in
ap-south-1     | 1.0485=d3 1.0486=r5d 1.0489=r6id 1.05=m4 1.0521=inf1,m5,m6i,m7i,m7i-flex 1.0538=z1d
ap-south-1     | 1.0662=m6idn 1.069=t2 1.0769=t3 1.0796=m5d,m6id 1.1007=g4dn 1.1338=i2 1.1346=i3,i4i
ap-south-1     | 1.1366=is4gen 1.1372=i3en 1.1398=r3 1.1978=d2 1.1998=p4d 1.2=p5,p5en 1.2008=g5,g6,gr6 1.3=inf2
ap-south-1     | 1.9089=p2
ap-south-2     | 0.6111=c6a 0.6265=c6g 0.6305=r6a 0.6429=m6a 0.6448=r6g 0.6467=r7gd 0.6571=m6g 0.6667=t4g
ap-south-2     | 0.6681=m6gd 0.677=c7g 0.701=r7g 0.7147=m7g 0.7148=m8g 0.9991=c6in 1=c5,c6i 1.0254=u-9tb1
ap-south-2     | 1.0312=c5d 1.0317=r5,r6i 1.0318=x2idn,x2iedn 1.0486=r5d 1.0521=m5,m6i 1.0769=t3 1.0796=m5d
ap-south-2     | 1.1346=i3,i4i 1.1372=i3en
ap-southeast-1 | 1=t1 1.1429=c5a 1.1458=c6gn 1.1481=c5n,c6in 1.149=c7g 1.1529=a1,c5,c6a,c6g,c6i,c7i
ap-southeast-1 | 1.1532=c7i-flex 1.1608=c4 1.1667=c5d,c6id,c7gd 1.1719=c6gd 1.1744=c5ad 1.1935=i2
ap-southeast-1 | 1.1946=r5b,r5n,r6in 1.1976=r5dn,r6idn 1.1987=i3,i4g,i4i,im4gn 1.1991=i3en,is4gen
ap-southeast-1 | 1.2=p4d,p4de,r3 1.203=r4 1.2035=r5a 1.2062=u-3tb1 1.2063=r5,r6a,r6g,r6i,r7g,r7i,u-12tb1,u-9tb1
ap-southeast-1 | 1.2064=u-6tb1 1.2066=r6gd 1.2082=m2 1.2083=r5d,r6id,r7gd 1.2137=r5ad 1.2151=z1d 1.2269=m5n,m6in
ap-southeast-1 | 1.2279=m5dn,m6idn 1.2468=m6g 1.2478=m5d,m6id,m7gd 1.25=m4,m5,m6a,m6gd,m6i,m7g,m7i,m7i-flex
ap-southeast-1 | 1.2502=m5zn 1.2524=m5ad 1.2533=d3 1.2534=d3en 1.2553=t3a 1.2558=m5a 1.2586=t2 1.2595=c3
ap-southeast-1 | 1.2606=c1 1.2609=d2 1.2619=t4g 1.2692=t3 1.3329=m1 1.3508=inf1 1.3837=p3 1.3993=g4dn,g5g
ap-southeast-1 | 1.4=inf2 1.4496=x1e 1.4501=x1,x2idn,x2iedn 1.4649=g3 1.4737=m3 1.5385=g2 1.9089=p2
ap-southeast-2 | 1=t1 1.1508=r6id,r7gd 1.1935=i2 1.1984=r5,r6a,r6g,r6i,r7i,r8g,u-12tb1,u-3tb1,u-6tb1,u7in-16tb
ap-southeast-2 | 1.1985=r7g 1.1987=i3,i4g,i4i,im4gn 1.1991=i3en,is4gen 1.2=f2,r3,r4 1.2006=f1 1.2035=r5a
ap-southeast-2 | 1.2066=r6gd 1.2082=m2 1.2083=r5d 1.2137=r5ad 1.2148=r5b,r5n,r6in 1.2151=z1d 1.2216=r5dn,r6idn
ap-southeast-2 | 1.2468=m6g 1.25=m4,m5,m6a,m6i,m7a,m7g,m7i,m7i-flex,m8g 1.2501=inf1 1.2502=m5zn 1.2533=d3
ap-southeast-2 | 1.2534=d3en 1.2558=m5a 1.2566=m5d,m6id,m7gd 1.2586=t2 1.2595=c3 1.2605=m6in 1.2606=c1 1.2609=d2
ap-southeast-2 | 1.2611=m6gd 1.2619=t4g 1.2621=m5ad 1.264=t3a 1.2647=m6idn 1.2692=t3 1.2987=c5a 1.3=inf2,p4d,p5
ap-southeast-2 | 1.3002=g5,g6,gr6 1.3004=g4dn 1.3014=c8g 1.3015=c7g 1.3056=c5n,c6in
ap-southeast-2 | 1.3059=a1,c5,c6a,c6g,c6i,c7i,c7i-flex 1.3079=c6gn 1.3105=c4 1.3125=c5d,c6id 1.3126=c7gd
ap-southeast-2 | 1.314=c5ad 1.3151=c6gd 1.3329=m1 1.3815=g2 1.3837=p3 1.3985=m3 1.4496=x1e
ap-southeast-2 | 1.4501=x1,x2idn,x2iedn 1.5386=g3 1.5387=g3s 1.7133=p2
ap-southeast-3 | 1.1481=c5n,c6gn,c6in 1.1529=c5,c6g 1.1667=c5d 1.1719=c6gd 1.1987=i3,i4i 1.1991=i3en
ap-southeast-3 | 1.2063=r5,r6g,r7i 1.2064=u-6tb1 1.2066=r6gd 1.2082=r7gd 1.2083=r5d 1.2468=m6g 1.2478=m5d
ap-southeast-3 | 1.25=m5,m6gd,m6i,m7g,m7i,m7i-flex 1.2534=d3en 1.2619=t4g 1.2692=t3 1.38=p5en 1.3996=g5
ap-southeast-3 | 1.4501=x2idn,x2iedn
ap-southeast-4 | 1.1984=r5,r6g,r7i 1.1987=i3,i4i 1.1991=i3en 1.2083=r5d 1.2468=m6g 1.25=m5,m7g,m7i,m7i-flex
ap-southeast-4 | 1.2566=m5d 1.2611=m6gd 1.2619=t4g 1.2692=t3 1.3051=c6in 1.3059=c5,c6g 1.3125=c5d
ap-southeast-5 | 0.9741=c6gn 0.9759=c6in 0.9766=c7g 0.98=c6g,c6i 0.9801=c7i,c7i-flex 0.9916=c7gd 0.9917=c6id
ap-southeast-5 | 1.0254=r6g,r6i,r7g,r7i 1.027=r7gd 1.0271=r6id 1.0597=m6g 1.0606=m6id,m7gd 1.0624=m6gd
ap-southeast-5 | 1.0625=m6i,m7g,m7i,m7i-flex 1.0788=i4i 1.0793=i3en 1.1358=t4g 1.1424=t3 1.2596=gr6 1.2597=g6
ap-southeast-5 | 1.3051=x2idn,x2iedn
ap-southeast-7 | 0.9741=c6gn 0.9766=c7g 0.98=c6g,c6i 0.9801=c7i,c7i-flex 0.9917=c6id 1.0254=r6g,r6i,r7g,r7i
ap-southeast-7 | 1.027=r7gd 1.0271=r6id 1.0597=m6g 1.0606=m6id,m7gd 1.0624=m6gd 1.0625=m6i,m7g,m7i,m7i-flex
ap-southeast-7 | 1.0788=i4i 1.0793=i3en 1.1358=t4g 1.1424=t3 1.3051=x2idn
us-gov-east-1  | 1.1667=t4g 1.1682=t3a 1.1731=t3 1.1948=c5a 1.1959=c7g
us-gov-east-1  | 1.1984=r5,r6g,r6i,r7i,r8g,r8i,u-12tb1,u-24tb1,u-6tb1,u-9tb1,u7i-12tb,u7i-6tb,u7in-16tb
us-gov-east-1  | 1.1984=u7in-24tb 1.1985=r7g,r8i-flex 1.199=x1e
us-gov-east-1  | 1.2=c5,c6g,c6i,c7i,d2,p3dn,p6-b200,p6-b300,x1,x2idn,x2iedn 1.2013=r5n 1.2014=r5d,r6gd,r7gd
us-gov-east-1  | 1.2035=r5a 1.2036=r5dn 1.2037=c5n,c6gn,c6in,c8gn 1.2051=i3,i4i,i7i 1.208=i3en,i7ie
us-gov-east-1  | 1.2083=c5d,c6gd,c7gd 1.2521=m5n 1.2571=m6g 1.2574=m5dn 1.2598=m7g,m8g
us-gov-east-1  | 1.2604=g6,m5,m6i,m7i,m7i-flex,m8i 1.2605=gr6,m8i-flex 1.2606=g4dn 1.261=inf1 1.2655=m5d,m6gd
us-gov-east-1  | 1.2674=m5a
us-gov-west-1  | 1.1573=g3s 1.1579=g3 1.1667=t4g 1.1682=t3a 1.1724=t2 1.1731=t3 1.1948=c5a 1.1958=c8g
us-gov-west-1  | 1.1959=c7g,m2 1.1982=d3 1.1983=r8g
us-gov-west-1  | 1.1984=r5,r6g,r6i,r7i,r8i,u-12tb1,u-24tb1,u-3tb1,u-6tb1,u-9tb1,u7i-12tb,u7i-6tb,u7i-8tb
us-gov-west-1  | 1.1984=u7in-16tb,u7in-24tb 1.1985=r7g,r8i-flex 1.199=x1e
us-gov-west-1  | 1.2=c3,c5,c6g,c6i,c7i,d2,f1,i2,p2,p3,p3dn,p5,p5en,p6-b200,r3,r4,t1,x1,x2idn,x2iedn,x8i
us-gov-west-1  | 1.2001=c7i-flex,p4d 1.2013=r5n,r6in 1.2014=r5d,r6gd 1.2017=r6id 1.2018=r7gd 1.2035=c4,r5a
us-gov-west-1  | 1.2036=r5dn,r6idn 1.2037=c5n,c6gn,c6in,c8gn 1.2038=hpc7g 1.2051=i3,i4i,i7i 1.2061=r5ad
us-gov-west-1  | 1.2071=m1 1.2077=c1 1.208=i3en,i7ie 1.2083=c5d,c6gd,c6id,c7gd 1.2521=m5n,m6in 1.2571=m6g
us-gov-west-1  | 1.2574=m5dn,m6idn 1.26=m4 1.2602=m8g 1.2603=m7g 1.2604=g6,m5,m6i,m7i,m7i-flex,m8a,m8i
us-gov-west-1  | 1.2605=gr6,m8i-flex 1.2606=g4dn 1.261=inf1 1.2632=m3 1.2655=m5d,m6gd 1.2659=m6id 1.2674=m5a
us-gov-west-1  | 1.2718=m5ad
cn-north-1     | 6.0309=t4g 6.2926=t3a 6.3194=t3 8.6177=c6gn 8.6178=c6g 8.6236=c5a 8.6684=c7g 8.6984=c6i
cn-north-1     | 8.6985=c5 9.1703=t2 9.4571=g5 9.4844=c5d 9.5898=r6g 9.6703=d2 9.6713=r5,r6i 9.6777=r7g
cn-north-1     | 9.7058=r5a 9.841=u-9tb1 9.8414=u-12tb1,u-6tb1 9.9306=g4dn 10.006=i3 10.0114=i3en 10.0288=inf1
cn-north-1     | 10.0405=c3 10.0455=m1 10.162=r6gd 10.2691=r5d 10.327=x2idn,x2iedn 10.3278=x1 10.4379=m6g
cn-north-1     | 10.5542=m6i,m7g 10.5543=m5 10.5872=m5a 10.6025=i4i 11.05=t1 11.2686=m5d 11.3957=c4 11.7903=p3
cn-north-1     | 11.7911=p2 11.9691=i2 13.047=m3 14.0602=m4 14.2145=g3 14.7418=r4 14.7423=r3 15.0427=g3s
`;
