import { whenIdle } from '../ui/when-idle'
import { preHydrationEvents } from './pre-hydration-events'
import { keepTimeZone } from './time-zone-cookie'
import { typeAhead } from './type-ahead'

// the first use of `Intl` takes a phone a fifth of a second, so the time zone waits until the page has loaded
const zone = `window.keepTimeZone=${keepTimeZone};addEventListener('load',()=>(${whenIdle})(keepTimeZone))`
// our own functions, which take nothing from a request; a form's submission reaches `typeAhead` first
const __html = `(${typeAhead})();(${preHydrationEvents})();${zone}`

/** The script with `typeAhead`, `preHydrationEvents` and `keepTimeZone`, for the head of a page. The page's policy requires its `nonce`. */
export const PreHydrationScript = ({ nonce }: { nonce: string | undefined }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />
)
