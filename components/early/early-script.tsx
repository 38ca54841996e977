import { earlyEvents } from './early-events'
import { storeTimeZone, whenLoaded } from './time-zone-cookie'
import { typeAhead } from './type-ahead'

// our own functions, which take nothing from a request; a form's submission reaches `typeAhead` first
const __html = `(${typeAhead})();(${earlyEvents})();(${whenLoaded})(${storeTimeZone})`

/** The script with `typeAhead`, `earlyEvents` and `storeTimeZone`, for the head of a page. The page's policy requires its `nonce`. */
export const EarlyScript = ({ nonce }: { nonce: string | undefined }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />
)
