export {
  type SimulatedAccount,
  type SimulatedAccountOptions,
  startSimulatedAccount,
} from './simulated-account.ts';
