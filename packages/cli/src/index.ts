export { generatedFiles } from './generated/index.ts';
export { main } from './main.ts';
