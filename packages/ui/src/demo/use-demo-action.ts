import type { DemoAction } from '@karpenter/core/page-api';
import { useState } from 'react';
import { serverRequests } from '../connection/index.ts';

interface ActionMessage {
  readonly text: string;
  readonly isProblem: boolean;
}

/** Runs actions of the demo one after the other and keeps what the server said. */
export function useDemoAction() {
  const [isRunning, setIsRunning] = useState(false);
  const [message, setMessage] = useState<ActionMessage>();
  const runAll = async (actions: readonly DemoAction[]): Promise<void> => {
    setIsRunning(true);
    try {
      for (const action of actions) {
        const result = await serverRequests.demo(action);
        setMessage({ text: result.message, isProblem: false });
      }
    } catch (error) {
      setMessage({ text: error instanceof Error ? error.message : String(error), isProblem: true });
    } finally {
      setIsRunning(false);
    }
  };
  return { run: (actions: readonly DemoAction[]) => void runAll(actions), isRunning, message };
}
