/** Questions about changes that are not made. Start with `what-if-dialog.tsx`. */

export { WhatIfDialog } from './what-if-dialog.tsx';
