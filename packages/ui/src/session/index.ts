/**
 * What connects the parts of the page with its state: store, address, language, theme, as hooks. Reads and
 * sets the address of the browser. Start with `page-session.ts`; `address-bar.ts` follows the address.
 */

export { AddressBar } from './address-bar.ts';
export {
  SessionContext,
  useAddress,
  useFilter,
  useMediaQuery,
  useServerTime,
  useSession,
  useStore,
  useTheme,
  useTranslator,
} from './page-session.ts';
