import { whenIdle } from '../ui/when-idle'
import { preHydrationEvents } from './pre-hydration-events'

declare global {
  interface Window {
    /** Set by the pre-hydration script: stores the browser's time zone, and returns it. */
    keepTimeZone?: () => string | undefined
  }
}

/**
 * Stores the browser's time zone in a cookie, by which the server shows times, and returns it. It is part of an inline
 * script of the head, so it uses nothing from outside itself. Parts of the page call it as `window.keepTimeZone`, so
 * that no page contains it twice.
 */
function keepTimeZone(): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const line = `timeZone=${encodeURIComponent(timeZone)}`
    if (!timeZone || document.cookie.split('; ').includes(line)) return timeZone
    const secure = window.location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that people use
    document.cookie = `${line}; Max-Age=34560000; Path=/; SameSite=Lax${secure}`
    return timeZone
  } catch {
    // times stay in the zone of the account, or of Moscow
    return undefined
  }
}

// the first use of `Intl` takes a phone a fifth of a second, so the time zone waits until the page has loaded
const zone = `window.keepTimeZone=${keepTimeZone};addEventListener('load',()=>(${whenIdle})(keepTimeZone))`
// our own functions, which take nothing from a request
const __html = `(${preHydrationEvents})();${zone}`

/** The script with `preHydrationEvents` and `keepTimeZone`, for the head of a page. The page's policy requires its `nonce`. */
export const PreHydrationScript = ({ nonce }: { nonce: string | undefined }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />
)
