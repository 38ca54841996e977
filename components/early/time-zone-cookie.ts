/**
 * Puts the browser's time zone into a cookie, by which the server shows times. It is part of an inline script of the
 * head and stands alone.
 */
export function storeTimeZone() {
  try {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const line = `timeZone=${encodeURIComponent(timeZone)}`
    if (!timeZone || document.cookie.split('; ').includes(line)) return
    const secure = window.location.protocol === 'https:' ? '; Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that people use
    document.cookie = `${line}; Max-Age=34560000; Path=/; SameSite=Lax${secure}`
  } catch {
    // times stay in the zone of the account, or of Moscow
  }
}

/**
 * Does `work` once the page is loaded and the browser has nothing else to do: the first use of `Intl` takes a phone a
 * fifth of a second. It stands alone too.
 */
export function whenLoaded(work: () => void) {
  window.addEventListener('load', () => {
    // Safari has no idle callbacks
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 1_000 }) : setTimeout(work, 300)
  })
}
