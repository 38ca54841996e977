import { loadMessages } from '@/lib/base/i18n/messages'
import { buildContext } from '@/lib/request/build'
import { readCookies } from '@/lib/request/cookies'
import { offlinePage } from './page-text'

/** Returns the page that the browser stores for times without a network. */
export async function GET(request: Request) {
  const get = readCookies(request.headers.get('cookie'))
  const { ctx } = await buildContext(request.headers, {
    get,
    set(name) {
      throw new Error(`a page can't set the cookie ${name}`)
    },
  })
  const { shell } = await loadMessages(ctx.locale)
  const theme = get('theme')
  return new Response(offlinePage({ ...shell.offline, locale: ctx.locale, domain: ctx.domain, theme }), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
