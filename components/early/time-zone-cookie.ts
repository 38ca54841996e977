/**
 * Puts the browser's time zone into a cookie, by which the server shows times: once the page is loaded and the browser
 * has nothing else to do, because the first use of `Intl` takes a phone a fifth of a second. It is an inline script of
 * the head and stands alone.
 */
export function timeZoneCookie() {
  const put = () => {
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
  // Safari has no idle callbacks
  const later = () =>
    'requestIdleCallback' in window ? requestIdleCallback(put, { timeout: 1_000 }) : setTimeout(put, 300)
  window.addEventListener('load', later)
}
