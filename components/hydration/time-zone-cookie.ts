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
export function keepTimeZone(): string | undefined {
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
