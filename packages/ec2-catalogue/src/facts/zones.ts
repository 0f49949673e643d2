/**
 * Zones per region as letter:number, where the number is
 * that of the zone id. The mapping differs between accounts.
 */
export const regionZones = `
region         | id    | zones
us-east-1      | use1  | a:1 b:2 c:4 d:6 e:3 f:5
us-east-2      | use2  | a:1 b:2 c:3
us-west-1      | usw1  | a:3 b:1
us-west-2      | usw2  | a:2 b:1 c:3 d:4
ca-central-1   | cac1  | a:1 b:2 d:4
sa-east-1      | sae1  | a:1 b:2 c:3
eu-central-1   | euc1  | a:2 b:3 c:1
eu-north-1     | eun1  | a:1 b:2 c:3
eu-west-1      | euw1  | a:3 b:1 c:2
eu-west-2      | euw2  | a:2 b:3 c:1 d:4
eu-west-3      | euw3  | a:1 b:2 c:3
ap-northeast-1 | apne1 | a:4 c:1 d:2
ap-northeast-2 | apne2 | a:1 b:2 c:3 d:4
ap-south-1     | aps1  | a:1 b:3 c:2
ap-southeast-1 | apse1 | a:1 b:2 c:3
ap-southeast-2 | apse2 | a:1 b:3 c:2
ca-west-1      | caw1  | a:1 b:2 c:3
mx-central-1   | mxc1  | a:1 b:2 c:3
eu-central-2   | euc2  | a:1 b:2 c:3
eu-south-1     | eus1  | a:1 b:2 c:3
eu-south-2     | eus2  | a:1 b:2 c:3
il-central-1   | ilc1  | a:1 b:2 c:3
me-central-1   | mec1  | a:1 b:2 c:3
me-south-1     | mes1  | a:1 b:2 c:3
af-south-1     | afs1  | a:1 b:2 c:3
ap-east-1      | ape1  | a:1 b:2 c:3
ap-east-2      | ape2  | a:1 b:2 c:3
ap-northeast-3 | apne3 | a:3 b:1 c:2
ap-south-2     | aps2  | a:1 b:2 c:3
ap-southeast-3 | apse3 | a:1 b:2 c:3
ap-southeast-4 | apse4 | a:1 b:2 c:3
ap-southeast-5 | apse5 | a:1 b:2 c:3
ap-southeast-6 | apse6 | a:1 b:2 c:3
ap-southeast-7 | apse7 | a:1 b:2 c:3
us-gov-east-1  | usge1 | a:1 b:2 c:3
us-gov-west-1  | usgw1 | a:1 b:2 c:3
cn-north-1     | cnn1  | a:1 b:2 d:4
cn-northwest-1 | cnnw1 | a:1 b:2 c:3
`;
