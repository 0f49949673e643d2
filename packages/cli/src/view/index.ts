// `karpenter view`: nodes with what their pods request, as eks-node-viewer shows them, live or once. `settings` reads
// flags and the config file, `nodes` decides what to show, `screen` lays it out as pure functions of rows, size and
// state, `terminal` draws and reads keys. Start reading at `screen/screen.ts` and `terminal/session.ts`.

export { thirdPartyNotices } from './attribution.ts';
export { columnNames } from './nodes/node-columns.ts';
export { viewModel } from './nodes/view-model.ts';
export { type OneShotFormat, oneShotWriters } from './one-shot.ts';
export { colourDepth } from './screen/colours.ts';
export { changes, frameOf } from './screen/frame.ts';
export { screenOf } from './screen/screen.ts';
export { initialState } from './screen/view-state.ts';
export { readConfigFile } from './settings/config-file.ts';
export { withDoubleDashes } from './settings/go-flags.ts';
export { parseViewSettings } from './settings/parse-settings.ts';
export type { ViewSettings } from './settings/view-settings.ts';
export { runSession } from './terminal/session.ts';
export { processTerminal, type ViewTerminal } from './terminal/view-terminal.ts';
