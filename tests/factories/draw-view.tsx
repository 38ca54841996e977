import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { View } from '@/app/platform/(auth)/provider/_ui/view'
import type { DrawView } from '@/bin/server/oidc'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { isTextLocale, loadMessages } from '@/lib/base/i18n/messages'
import { requestOf } from '@/lib/openid/server/request'

/** Renders the content of the provider's pages without Next and without their layout. */
export const drawView: DrawView = async (req, res, { view, status }) => {
  const ctx = await requestOf(req).ctx()
  const locale = isTextLocale(ctx.locale) ? ctx.locale : textLocales[0]
  const page = renderToStaticMarkup(
    <html lang={locale}>
      <body>
        <NextIntlClientProvider locale={locale} messages={await loadMessages(locale)} timeZone="Europe/Moscow">
          <View view={view} />
        </NextIntlClientProvider>
      </body>
    </html>,
  )
  res.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  res.end(req.method === 'HEAD' ? undefined : page)
}
