import { earlyEvents } from './early-events'
import { timeZoneCookie } from './time-zone-cookie'
import { typeAhead } from './type-ahead'

// our own functions, which take nothing from a request; a form's submission reaches `typeAhead` first
const __html = `(${typeAhead})();(${earlyEvents})();(${timeZoneCookie})()`

/** The script with `typeAhead`, `earlyEvents` and `timeZoneCookie`, for the head of a page. The page's policy requires its `nonce`. */
export const EarlyScript = ({ nonce }: { nonce: string | undefined }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />
)
