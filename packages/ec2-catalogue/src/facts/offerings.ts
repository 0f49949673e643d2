/**
 * Zones of each region that offer a type, as the numbers of zone ids, recorded in 2026. `*` is the default of a
 * region; families, lines such as `8gn`, and single types below it differ. `-` is offered in no zone.
 */
export const offerings = `
region         | zones       | families and types
us-east-1      | 1 2 4 5 6   | *
us-east-1      | 1 2 3 4 5 6 | 4 i3 i4i p5 x1 t2 d2
us-east-1      | 1 2 3 4 6   | f2 i2
us-east-1      | 1 2 4 5 6   | c8gb.48xlarge c8gb.metal-48xl
us-east-1      | 1 2 4 6     | 8idn 8idb 8ine 9g 9gd 1 r5b x8g m8gn r8gn m8gb r8gb c8in c8ib im4gn is4gen i8g
us-east-1      | 1 2 4 6     | g5g g6e g6f gr6 gr6f g7 p4d d3 d3en x1e u-3tb1 u-6tb1 u7i-6tb u7i-8tb u7i-12tb
us-east-1      | 1 2 4 6     | u7in-16tb t8i m2 mac2 mac-m3ultra mac-m4 mac-m4pro c5d.metal m7i-flex.12xlarge
us-east-1      | 1 2 4 6     | m7i-flex.16xlarge f2.6xlarge
us-east-1      | 2 3 4 6     | 3
us-east-1      | 2 4 5 6     | c8gb inf2 h1 m5n.metal
us-east-1      | 1 2 4       | u7in-24tb
us-east-1      | 2 4 6       | a1 i8ge x2iezn c5d.12xlarge c5d.24xlarge
us-east-1      | 4 5 6       | trn1.32xlarge
us-east-1      | 1 2         | vt1
us-east-1      | 1 4         | u7in-32tb
us-east-1      | 1 6         | p3dn
us-east-1      | 2 6         | g7e p5en p6-b300
us-east-1      | 4 6         | p4de mac1 mac2-m1ultra mac2-m2 mac2-m2pro mac-m4max
us-east-1      | 5 6         | trn1
us-east-1      | 6           | p6-b200 trn1n hpc7g
us-east-1      | -           | x8aedz g4ad p3 p5e dl1 trn2 trn2u dl2q hpc6a hpc6id hpc7a hpc8a g3s g3 p2
us-east-1      | -           | i3.metal
us-east-2      | 1 2 3       | *
us-east-2      | 1 2 3       | trn2.48xlarge
us-east-2      | 1 2         | c5ad z1d a1 x1e u7i-6tb u7i-8tb u7i-12tb u7in-16tb u7in-24tb g7e.8xlarge
us-east-2      | 2 3         | mac1 mac2-m2
us-east-2      | 2           | hpc6a hpc6id hpc7a hpc8a
us-east-2      | 3           | trn1 trn1n
us-east-2      | -           | 8gb 8ine 1 m8gn r8gn c8ib x8aedz x2iezn g4ad g5g p3 p3dn p4de p6-b300 dl1 trn2
us-east-2      | -           | trn2u dl2q f2 vt1 d3en hpc7g u7in-32tb t1 m2 m3 c3 mac2-m1ultra mac-m3ultra
us-east-2      | -           | mac-m4max g3s g3 p2 c8gn.metal-24xl c8gn.metal-48xl c8in.metal-48xl
us-east-2      | -           | c8in.metal-96xl m8in.metal-48xl m8in.metal-96xl r8in.metal-48xl r8in.metal-96xl
us-east-2      | -           | m8ib.metal-48xl m8ib.metal-96xl r8ib.metal-48xl r8ib.metal-96xl m8idn.metal-48xl
us-east-2      | -           | m8idn.metal-96xl r8idn.metal-48xl r8idn.metal-96xl m8idb.metal-48xl
us-east-2      | -           | m8idb.metal-96xl r8idb.metal-48xl r8idb.metal-96xl i3.metal
us-west-1      | -           | *
us-west-1      | 1 3         | 5 5d 5a 6a 6g 6gd 6i 7g 7gd 7i 7i-flex 8g 8i 8i-flex 1 3 4 r5n m5ad r5ad m5zn
us-west-1      | 1 3         | c6gn m6id c6in m6in m6idn c7a r8gd c8gn c5n z1d i3 i3en i4i i7i i7ie x2idn x2iedn
us-west-1      | 1 3         | g4dn inf1 t3 t3a t4g t1 t2 t8i m2 i2 d2 p5.48xlarge
us-west-1      | 3           | p5en
us-west-1      | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
us-west-2      | 1 2 3 4     | *
us-west-2      | 1 2 3       | 1 3 4 m5n r5n m5dn r5b m5zn c6in r6in r6idn m8azn x8g m8gn r8gn m8gb r8gb z1d
us-west-2      | 1 2 3       | im4gn is4gen x2idn x2iedn x2iezn g4dn g5 g5g p4de x1 x1e u-3tb1 u-6tb1 u7i-6tb
us-west-2      | 1 2 3       | u7i-8tb u7i-12tb u7in-16tb t1 t2 m2 i2 mac2-m2 mac2-m2pro r5d.metal
us-west-2      | 1 2 4       | c5ad p6-b200
us-west-2      | 1 3 4       | mac2-m1ultra
us-west-2      | 2 3 4       | p5en
us-west-2      | 1 2         | x8aedz p6-b300
us-west-2      | 1 3         | p3dn f2 h1 u7in-32tb
us-west-2      | 1 4         | trn1
us-west-2      | 2 3         | a1
us-west-2      | 3 4         | mac-m4max
us-west-2      | 1           | vt1
us-west-2      | 3           | p5e
us-west-2      | 4           | trn1n dl2q
us-west-2      | -           | g4ad p3 dl1 trn2 trn2u hpc6a hpc6id hpc7a hpc7g hpc8a g3s g3 p2 c8gn.metal-24xl
us-west-2      | -           | c8gn.metal-48xl m8gn.metal-24xl m8gn.metal-48xl r8gn.metal-24xl r8gn.metal-48xl
us-west-2      | -           | c8gb.metal-24xl c8gb.metal-48xl m8gb.metal-24xl m8gb.metal-48xl r8gb.metal-24xl
us-west-2      | -           | r8gb.metal-48xl m8in.metal-48xl m8in.metal-96xl r8in.metal-48xl r8in.metal-96xl
us-west-2      | -           | c8ib.metal-48xl c8ib.metal-96xl m8ib.metal-48xl m8ib.metal-96xl r8ib.metal-48xl
us-west-2      | -           | r8ib.metal-96xl r8idn.metal-48xl r8idn.metal-96xl m8idb.metal-48xl
us-west-2      | -           | m8idb.metal-96xl r8idb.metal-48xl r8idb.metal-96xl i3.metal
ca-central-1   | -           | *
ca-central-1   | 1 2 4       | 5 5d 6g 6gd 6i 7g 7i 7i-flex 8g 8gd 8i 8i-flex r5n r5b c5a m5a c6a m6a c6gn m6id
ca-central-1   | 1 2 4       | c6in m6in m6idn c8gn c5n i3 i3en i4i i4g im4gn is4gen i7i i7ie i8g i8ge x2idn
ca-central-1   | 1 2 4       | x2iedn g6 t3 t4g d3 u-3tb1 u-6tb1 t8i
ca-central-1   | 1 2         | 4 r5a m5ad r5ad r6a c6id r6in r6idn r8a g4dn g5 g6f gr6 gr6f p4d inf1 t3a x1 x1e
ca-central-1   | 1 2         | u7i-6tb t2 d2 mac2-m2
ca-central-1   | 1 4         | 8id c7gd
ca-central-1   | 4           | f2 p5.48xlarge
ca-central-1   | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
ca-west-1      | -           | *
ca-west-1      | 1 2 3       | 5 6g 6i 6id m5d m6gd c6gn c6in c7g r7g i3en i4i i7i t3 t4g
ca-west-1      | 1 2         | 8g c7i c8gn m8i r8i m8i-flex r8i-flex i7ie
ca-west-1      | 1 3         | r8gd
ca-west-1      | -           | c8gn.metal-24xl c8gn.metal-48xl i4i.12xlarge i4i.24xlarge
sa-east-1      | -           | *
sa-east-1      | 1 2 3       | 5 5d 6g 6gd 6i 7g 7i 7i-flex 8g 8gd 8i-flex r5n r5b c5a m5a c6a m6a c6gn c6id
sa-east-1      | 1 2 3       | c6in m6in m6idn r7gd c8gn m8i r8i c5n x8i i3 i3en i4i i4g i7i i7ie i8g x2idn
sa-east-1      | 1 2 3       | x2iedn g4dn inf1 trn2 t3 t3a t4g u-6tb1 u7i-8tb
sa-east-1      | 1 2         | c5ad m5zn c7gd m7gd g5 g6 g6f gr6 gr6f u-3tb1 c1 i8g.metal-48xl
sa-east-1      | 1 3         | 3 4 r5a m5ad r5ad m6id p4d x1 x1e u7i-6tb u7i-12tb u7in-24tb t2
sa-east-1      | 2 3         | c8i p5e p6-b300
sa-east-1      | 1           | t1 m1 m2
sa-east-1      | 3           | p5 inf2 u7in-16tb
sa-east-1      | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal trn2.48xlarge
eu-central-1   | 1 2 3       | *
eu-central-1   | 1 2         | g7 p4de mac1 mac2-m2 mac-m4
eu-central-1   | 1 3         | f2 u7in-24tb
eu-central-1   | 2 3         | 3 m5ad m5zn a1 g6f gr6 gr6f g7e inf2 i2 m5n.metal
eu-central-1   | 1           | g5g dl2q
eu-central-1   | -           | 8gb 1 c7gn m8gn r8gn m8in c8ib m8ib m8idn m8idb m8ine x8aedz i4g x2gd x2iezn g4ad
eu-central-1   | -           | p3 p3dn p5 p5e p5en p6-b200 p6-b300 dl1 trn1 trn1n trn2 trn2u vt1 h1 hpc6a hpc6id
eu-central-1   | -           | hpc7a hpc7g hpc8a u7in-32tb t1 m2 mac2 mac2-m1ultra mac2-m2pro mac-m3ultra
eu-central-1   | -           | mac-m4max mac-m4pro g3s g3 p2 c8gn.metal-24xl c8gn.metal-48xl c8in.metal-48xl
eu-central-1   | -           | c8in.metal-96xl r8in.metal-48xl r8in.metal-96xl r8ib.metal-48xl r8ib.metal-96xl
eu-central-1   | -           | r8idn.metal-48xl r8idn.metal-96xl r8idb.metal-48xl r8idb.metal-96xl i3.metal
eu-central-1   | -           | i8g.48xlarge
eu-central-2   | -           | *
eu-central-2   | 1 2 3       | 5 5d 6g 6gd m6i r6i m6id c6in m6in m6idn m7g r7g c7i m7i c7i-flex m8g r8g r8i
eu-central-2   | 1 2 3       | r8i-flex i3 i3en i4i i7i i7ie t3 t4g d3
eu-central-2   | 1 2         | c8g x2idn x2iedn u-3tb1 u-6tb1 u7i-12tb
eu-central-2   | 1 3         | r8gd c8gn
eu-central-2   | 2 3         | c7g c7gd g6 gr6
eu-central-2   | 1           | u7i-6tb u7i-8tb
eu-central-2   | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
eu-north-1     | -           | *
eu-north-1     | 1 2 3       | 5 5d 6g 6i 6in 6idn 7a 7g 7gd 7i 7i-flex 8g r5n c5a c6gd m6gd c6gn x8g c8gn c8i
eu-north-1     | 1 2 3       | r8i c8id c5n x8i i3 i3en i4i i7i i7ie i8g i8ge x2idn x2iedn g4dn p5 t3 t4g
eu-north-1     | 1 2 3       | u7i-8tb d2
eu-north-1     | 1 2         | r6gd g6 g6e g6f gr6 gr6f g7 inf2 u-6tb1 u7i-6tb u7i-12tb mac1
eu-north-1     | 1 3         | m8id r8id r8i-flex g7e p5en inf1
eu-north-1     | 2 3         | r5dn r5b r8gd g5
eu-north-1     | 1           | p5e u7in-24tb
eu-north-1     | 2           | p6-b200 hpc6a hpc6id hpc7a hpc8a
eu-north-1     | 3           | x8aedz p4d
eu-north-1     | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
eu-south-1     | -           | *
eu-south-1     | 1 2 3       | 5 5d 5a 6g 6i 7i 8g r5n r5dn r5b c5ad m6a m6gd c6gn c6id c6in c7g r7g r7gd c8gn
eu-south-1     | 1 2 3       | r8i r8i-flex c5n x8i i3 i3en i4i im4gn i7i i7ie x2idn x2iedn t3 t3a t4g d2
eu-south-1     | 1 2         | m6id inf1 u-3tb1 u-6tb1 u7i-6tb u7i-8tb u7i-12tb
eu-south-1     | 2 3         | c7i-flex r8gd g4dn
eu-south-1     | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
eu-south-2     | -           | *
eu-south-2     | 1 2 3       | 5 5d 6g 7a 7g 7gd 7i 7i-flex 8a 8g 8gd 8i 8id 8i-flex 8in 8idn 8idb m6gd r6gd
eu-south-2     | 1 2 3       | m6id r6id c6in m6in m6idn m8ib r8ib i3 i3en i4i im4gn i7i i7ie i8g g5 g6 g6f gr6
eu-south-2     | 1 2 3       | gr6f t3 t4g
eu-south-2     | 1 2         | c6gd c8gn x8i x2idn x2iedn g7 g7e p5en u-6tb1
eu-south-2     | 2 3         | g6e
eu-south-2     | 1           | g5g u7i-12tb
eu-south-2     | -           | c8gn.metal-24xl c8gn.metal-48xl c8in.metal-48xl c8in.metal-96xl m8in.metal-48xl
eu-south-2     | -           | m8in.metal-96xl r8in.metal-48xl r8in.metal-96xl m8ib.metal-48xl m8ib.metal-96xl
eu-south-2     | -           | r8ib.metal-48xl r8ib.metal-96xl m8idn.metal-48xl m8idn.metal-96xl
eu-south-2     | -           | r8idn.metal-48xl r8idn.metal-96xl m8idb.metal-48xl m8idb.metal-96xl
eu-south-2     | -           | r8idb.metal-48xl r8idb.metal-96xl i3.metal
eu-west-1      | 1 2 3       | *
eu-west-1      | 1 2         | r8a m8id a1 x2iezn p3dn vt1 u7i-6tb u7in-24tb mac1 mac2
eu-west-1      | 1 3         | c8a
eu-west-1      | 2 3         | 8idn 8idb h1
eu-west-1      | 1           | hpc7a hpc7g
eu-west-1      | 2           | x8aedz p4d
eu-west-1      | -           | 8ine r8gn c8gb r8gb c8id c8ib c9g r9g c9gd r9gd g4ad g5g g6 g6e g6f gr6 gr6f g7
eu-west-1      | -           | g7e p3 p4de p5 p5e p5en p6-b200 p6-b300 dl1 trn1 trn1n trn2 trn2u dl2q f2 hpc6a
eu-west-1      | -           | hpc6id hpc8a u7in-32tb mac2-m1ultra mac2-m2 mac2-m2pro mac-m3ultra mac-m4max
eu-west-1      | -           | mac-m4pro g3s g3 p2 m5n.metal c8gn.metal-24xl c8gn.metal-48xl m8gn.metal-24xl
eu-west-1      | -           | m8gn.metal-48xl m8gb.metal-24xl m8gb.metal-48xl c8in.metal-48xl c8in.metal-96xl
eu-west-1      | -           | m8in.metal-48xl m8in.metal-96xl r8in.metal-48xl r8in.metal-96xl m8ib.metal-48xl
eu-west-1      | -           | m8ib.metal-96xl r8ib.metal-48xl r8ib.metal-96xl m8idn.metal-48xl m8idn.metal-96xl
eu-west-1      | -           | r8idn.metal-48xl r8idn.metal-96xl m8idb.metal-48xl m8idb.metal-96xl
eu-west-1      | -           | r8idb.metal-48xl r8idb.metal-96xl i3.metal
eu-west-2      | -           | *
eu-west-2      | 1 2 3 4     | 7g 7i 7i-flex 8g r6id r7gd m8gd r8gd i4i i7ie t3 t4g
eu-west-2      | 1 2 3       | 5 5d 5a 6a 6g 6i 8i 8i-flex 4 r5n r5b m5ad r5ad c6gd m6gd c6gn c6in m6idn c7a m7a
eu-west-2      | 1 2 3       | c7gd c8gd c8gn m8id c5n z1d i3 i3en im4gn is4gen i7i i8g i8ge x2idn x2iedn g4dn
eu-west-2      | 1 2 3       | g6 p5 inf1 t3a x1 t2 t8i d2
eu-west-2      | 1 2 4       | c6id i4i.12xlarge i4i.24xlarge
eu-west-2      | 2 3 4       | m6id
eu-west-2      | 1 2         | r6gd g7e f2 d3 u7i-8tb mac1
eu-west-2      | 1 3         | m6in r8id u-6tb1
eu-west-2      | 1 4         | m7gd
eu-west-2      | 2 3         | g5 g6f gr6 gr6f p4d
eu-west-2      | 1           | u7i-6tb
eu-west-2      | 2           | p5e inf2 u7in-16tb
eu-west-2      | 4           | c7gn
eu-west-2      | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal i8g.metal-48xl
eu-west-3      | -           | *
eu-west-3      | 1 2 3       | 5 5d 6g 6gd 6i 7g 7i 7i-flex 8g 8i 8i-flex r5n m5a r5a m5ad r5ad m6a c6gn c6in
eu-west-3      | 1 2 3       | r6in r6idn m7gd r7gd c5n x8i i3 i3en i4i im4gn is4gen i7i i7ie i8g i8ge x2idn
eu-west-3      | 1 2 3       | x2iedn g4dn g5 t3 t3a t4g d3 x1 u-6tb1 t2 t8i r4 d2
eu-west-3      | 1 2         | r5dn c7gd m8gd c8gn
eu-west-3      | 1 3         | c5a inf1 u7i-6tb u7i-12tb u7in-24tb
eu-west-3      | 2 3         | c6id r8gd g6 gr6 inf2
eu-west-3      | 1           | p6-b200 hpc6id hpc7a u-3tb1 u7i-8tb u7in-16tb
eu-west-3      | -           | c5d.12xlarge c5d.24xlarge c5d.metal c8gn.metal-24xl c8gn.metal-48xl i3.metal
il-central-1   | -           | *
il-central-1   | 1 2 3       | 5 5d 6g 6i 6id 7g m6gd c6gn c6in r7gd m7i c8g r8i i3 i3en i4i g5 p4de t3 t3a t4g
il-central-1   | 1 2 3       | d3
il-central-1   | 1 3         | c7i i7i x2idn
il-central-1   | 2           | u-6tb1
il-central-1   | -           | i3.metal i4i.12xlarge i4i.24xlarge
me-central-1   | -           | *
me-central-1   | 1 2 3       | 5 5d 6g m6gd m6i r6i c6in m7g r7g m7gd r7gd c7i m7i m8g r8g c8gn i3 i3en i4i i7i
me-central-1   | 1 2 3       | x2idn
me-central-1   | 1 2         | g5 g6 g6e
me-central-1   | 1 3         | p5en
me-central-1   | 2 3         | r8i x2iezn
me-central-1   | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
me-south-1     | -           | *
me-south-1     | 1 2 3       | 5 5d 6g 6i 7g c5a c5ad m6gd c6gn c6in m8g c5n i3 i3en i4i t3 t4g d2
me-south-1     | 1 2         | x2idn
me-south-1     | 2 3         | g4dn inf1
me-south-1     | -           | c5d.12xlarge c5d.24xlarge c5d.metal i3.metal
af-south-1     | -           | *
af-south-1     | 1 2 3       | 5 5d 6i 7g 8g 8i 8i-flex r5n r5dn c5a c5ad m6g r6g c6gd r6gd r6id c6in r7gd c7i
af-south-1     | 1 2 3       | m7i c8gn c5n i3 i3en i4i i7i i7ie x2idn x2iedn t3 t4g d2 inf1.24xlarge
af-south-1     | 1 2         | m6gd c7i-flex x1 x1e inf1.xlarge
af-south-1     | 1 3         | u-6tb1
af-south-1     | 2 3         | c6g r8gd g4dn
af-south-1     | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
ap-east-1      | -           | *
ap-east-1      | 1 2 3       | 5 5d 6g 6i 7g 7i-flex 8g r5n c5a m6gd c6gn c6in r7gd c7i m7i c5n i3 i3en i4i i7i
ap-east-1      | 1 2 3       | i7ie i8ge g4dn t3 t4g d2
ap-east-1      | 1 2         | c8gn x2idn g5 x1 u-3tb1
ap-east-1      | 1 3         | c6a r8gd
ap-east-1      | 2 3         | inf1
ap-east-1      | -           | c5d.12xlarge c5d.24xlarge c5d.metal c8gn.metal-24xl c8gn.metal-48xl i3.metal
ap-northeast-1 | 1 2 4       | *
ap-northeast-1 | 1 2         | x8i g5g
ap-northeast-1 | 1 4         | 1 3 c5a g5 g6 g6e g6f gr6 gr6f g7e p4d p4de inf2 d3en x1e u7i-6tb t1 m2 i2 mac1
ap-northeast-1 | 1 4         | p5.48xlarge
ap-northeast-1 | 2 4         | r5ad a1 t3a m5n.metal
ap-northeast-1 | 1           | x8aedz p5
ap-northeast-1 | 2           | f2
ap-northeast-1 | 4           | p3dn p5en vt1 hpc7g hpc8a
ap-northeast-1 | -           | 8gb c5ad x8g m8gn r8gn c8ib m8ine r9g r9gd i4g x2gd g4ad g7 p3 p5e p6-b200
ap-northeast-1 | -           | p6-b300 dl1 trn1 trn1n trn2 trn2u dl2q h1 hpc6a hpc6id hpc7a u7i-8tb u7i-12tb
ap-northeast-1 | -           | u7in-16tb u7in-24tb u7in-32tb mac2 mac2-m1ultra mac2-m2 mac2-m2pro mac-m3ultra
ap-northeast-1 | -           | mac-m4 mac-m4max mac-m4pro g3s g3 p2 c8gn.metal-24xl c8gn.metal-48xl
ap-northeast-1 | -           | m8in.metal-48xl m8in.metal-96xl r8in.metal-48xl r8in.metal-96xl m8ib.metal-48xl
ap-northeast-1 | -           | m8ib.metal-96xl r8ib.metal-48xl r8ib.metal-96xl m8idn.metal-48xl m8idn.metal-96xl
ap-northeast-1 | -           | r8idn.metal-48xl r8idn.metal-96xl m8idb.metal-48xl m8idb.metal-96xl
ap-northeast-1 | -           | r8idb.metal-48xl r8idb.metal-96xl i3.metal
ap-northeast-2 | -           | *
ap-northeast-2 | 1 2 3 4     | 5 5d 6g 6i 7g 7i 8i 8i-flex r5n r6id c6in m6in m6idn r7gd m7i-flex c8g m8g c8gn
ap-northeast-2 | 1 2 3 4     | i3 i3en i7i i7ie t3 t4g t8i
ap-northeast-2 | 1 2 3       | r5b c5a c6gd c6gn c6id r8g c5n i4i i8g i8ge x2idn x2iedn g4dn u7i-6tb u7in-24tb
ap-northeast-2 | 1 2 3       | d2 inf2.xlarge
ap-northeast-2 | 1 2 4       | m6gd m7gd r8gd x8i
ap-northeast-2 | 1 3 4       | m6id g5 g6 g6f gr6f
ap-northeast-2 | 1 2         | r6gd g6e g7e u7i-8tb u7i-12tb u7in-16tb
ap-northeast-2 | 1 3         | 4 r5dn m5a r5a m5ad r5ad m5zn c7gd z1d g5g inf1 t3a x1 x1e u-6tb1 t2 r3 i2
ap-northeast-2 | 1 4         | gr6 mac1
ap-northeast-2 | 2 4         | c7i-flex p4d
ap-northeast-2 | 1           | x8aedz p5en p5.48xlarge
ap-northeast-2 | 3           | p6-b300
ap-northeast-2 | 4           | f2
ap-northeast-2 | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
ap-northeast-3 | -           | *
ap-northeast-3 | 1 2 3       | 5 5d 6g 6i 7g 7i 8g c6gd m6gd c6gn c6in r7gd m7i-flex c5n i3 i4i i7i i8g x2idn
ap-northeast-3 | 1 2 3       | x2iedn t3 t4g
ap-northeast-3 | 1 2         | r6gd i3en g4dn g6e c5d.12xlarge c5d.24xlarge c5d.metal
ap-northeast-3 | 1 3         | c7gd r8gd
ap-northeast-3 | 1           | u-6tb1
ap-northeast-3 | 3           | 4 x1 x1e t2 d2
ap-northeast-3 | -           | i3.metal m4.10xlarge
ap-south-1     | -           | *
ap-south-1     | 1 2 3       | 5 5d 5a 6a 6g 6gd 6i 7g 7gd 7i 7i-flex 8g 8i 8id 8i-flex r5n m5ad r5ad c6gn m6id
ap-south-1     | 1 2 3       | r6id c6in m6in m6idn m8a m8gd r8gd c8gn c5n i3 i3en i4i im4gn i7i i7ie i8g i8ge
ap-south-1     | 1 2 3       | x2idn g4dn p4d p5 inf1 t3 t3a t4g d3 x1 u-6tb1 u7i-12tb t8i d2
ap-south-1     | 1 2         | is4gen mac1
ap-south-1     | 1 3         | 4 z1d x8i x2iedn g5 g6 g6e g6f gr6 gr6f g7e p5en inf2 x1e u7i-6tb u7i-8tb
ap-south-1     | 1 3         | u7in-16tb t2 r3 i2
ap-south-1     | 2 3         | a1
ap-south-1     | 1           | x8aedz
ap-south-1     | 2           | p6-b200 trn1.32xlarge
ap-south-1     | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
ap-south-2     | -           | *
ap-south-2     | 1 2 3       | 5 5d 6a 6g 6i 7g 7i 7i-flex 8g 8i 8i-flex m6gd c6in m6in m6idn r7gd m8a c8gn i3
ap-south-2     | 1 2 3       | i3en i4i i7i i7ie trn2 trn2u t3 t4g t8i
ap-south-2     | 1 2         | r7a x2idn x2iedn g6 g6e u7i-8tb u7i-12tb
ap-south-2     | 1 3         | p6-b300
ap-south-2     | 1           | u-6tb1 u7i-6tb
ap-south-2     | 2           | p6-b200
ap-south-2     | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal
ap-southeast-1 | 1 2 3       | *
ap-southeast-1 | 1 2         | 1 3 m5zn r6a c8gd a1 x2iedn g5g d3en x1e u7i-6tb u7i-8tb u7i-12tb t1 m2 i2 mac1
ap-southeast-1 | 1 2         | mac2 i4g.8xlarge
ap-southeast-1 | 2 3         | c5ad r8gd p4de inf2
ap-southeast-1 | 1           | hpc6a
ap-southeast-1 | -           | 8a 8gb 8id 8ib 8idn 8idb 8ine m7a r7a c7gn r7iz m8azn x8g m8gd m8gn r8gn m8in
ap-southeast-1 | -           | r8in c9g r9g c9gd r9gd x8aedz x2gd x2iezn g4ad g5 g6 g6e g6f gr6 gr6f g7 g7e p3
ap-southeast-1 | -           | p3dn p4d p5 p5e p5en p6-b200 p6-b300 dl1 trn1 trn1n trn2 trn2u dl2q f2 vt1 h1
ap-southeast-1 | -           | hpc6id hpc7a hpc7g hpc8a u7in-24tb u7in-32tb mac2-m1ultra mac2-m2 mac2-m2pro
ap-southeast-1 | -           | mac-m3ultra mac-m4 mac-m4max mac-m4pro g3s g3 p2 c8gn.metal-24xl c8gn.metal-48xl
ap-southeast-1 | -           | c8in.metal-48xl c8in.metal-96xl i3.metal
ap-southeast-2 | 1 2 3       | *
ap-southeast-2 | 1 2 3       | p5.48xlarge
ap-southeast-2 | 1 2         | m5zn a1 g5 g6f gr6 gr6f p4d x1 x1e u7i-6tb trn1.32xlarge
ap-southeast-2 | 1 3         | 1 inf2 u-3tb1 u7i-12tb t1 m2 mac1 mac2-m2 mac2-m2pro mac-m4
ap-southeast-2 | 1           | f2 hpc6a
ap-southeast-2 | 3           | p5 p5e
ap-southeast-2 | -           | 8a 8gb 8ib 8idn 8idb 8ine m5n m5dn c7a r7a c7gn r7iz m8azn m8gn r8gn m8id m8in
ap-southeast-2 | -           | r8in c9g r9g c9gd r9gd x8aedz x2gd x2iezn g4ad g5g g6e g7 g7e p3 p3dn p4de p5en
ap-southeast-2 | -           | p6-b200 p6-b300 dl1 trn1 trn1n trn2 trn2u dl2q vt1 h1 hpc6id hpc7a hpc7g hpc8a
ap-southeast-2 | -           | u7i-8tb u7in-24tb u7in-32tb mac2 mac2-m1ultra mac-m3ultra mac-m4max mac-m4pro g3s
ap-southeast-2 | -           | g3 p2 c8gn.metal-24xl c8gn.metal-48xl c8in.metal-48xl c8in.metal-96xl i3.metal
ap-southeast-3 | -           | *
ap-southeast-3 | 1 2 3       | 5 5d 6g 6gd 7g 7i 7i-flex 8g c6gn m6i c6in r7gd c8gn c5n i3 i3en i4i i7i i7ie
ap-southeast-3 | 1 2 3       | x2idn p6-b300 t3 t4g
ap-southeast-3 | 1 2         | d3en u7i-6tb
ap-southeast-3 | 1 3         | c7gd i8g x2iedn g5 p5e u-6tb1
ap-southeast-3 | 2 3         | r8gd p5en
ap-southeast-3 | 1           | p5 g5g.metal
ap-southeast-3 | 2           | g7e
ap-southeast-3 | -           | m7i-flex.12xlarge m7i-flex.16xlarge c8gn.metal-24xl c8gn.metal-48xl i3.metal
ap-southeast-4 | -           | *
ap-southeast-4 | 1 2 3       | 5 5d 6g 7i 8g m6gd c6in m7g r7g m7i-flex r8gd c8gn i3 i3en i4i i7i i7ie x2idn t3
ap-southeast-4 | 1 2 3       | t4g
ap-southeast-4 | 2 3         | m8gd
ap-southeast-4 | 1           | trn1.32xlarge
ap-southeast-4 | 3           | trn2
ap-southeast-4 | -           | c8gn.metal-24xl c8gn.metal-48xl i3.metal trn2.48xlarge
ap-southeast-5 | -           | *
ap-southeast-5 | 1 2 3       | 6g 6i 6id 7g 7gd 7i 7i-flex 8g 8gd 8i 8i-flex m6gd c6gn c6in c8gn r8id c8in i3en
ap-southeast-5 | 1 2 3       | i4i i7i i7ie i8ge x2idn x2iedn t3 t4g t8i
ap-southeast-5 | 1 2         | g6 gr6
ap-southeast-5 | 1 3         | x8i u7i-6tb
ap-southeast-5 | 1           | u7i-8tb
ap-southeast-5 | -           | c8gn.metal-24xl c8gn.metal-48xl c8in.metal-48xl c8in.metal-96xl
`;
