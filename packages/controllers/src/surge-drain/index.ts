export { type StandInContext, StandIns } from './stand-ins.ts';
export { type SurgeDrainContext, surgeDrain } from './surge-drain.ts';
