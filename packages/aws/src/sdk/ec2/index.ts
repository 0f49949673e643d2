export { Ec2Client } from './client.ts';
