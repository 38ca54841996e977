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
