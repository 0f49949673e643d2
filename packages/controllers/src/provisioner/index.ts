export { Batcher } from './batcher.ts';
export { nominationEvent } from './nomination-event.ts';
export { nominationWindow } from './nomination-window.ts';
export { type ProvisionerContext, provisioner } from './provisioner.ts';
export { nodeTrigger, podTrigger } from './triggers.ts';
