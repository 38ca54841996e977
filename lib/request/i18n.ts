import { getRequestConfig } from 'next-intl/server'
import type { TextLocale } from '@/lib/base/i18n/choose-locale'
import { loadMessages, wordLocale } from '@/lib/base/i18n/messages'
import { pageContext } from './page'

export default getRequestConfig(async () => {
  const { ctx } = await pageContext()
  const locale = (await wordLocale(ctx.locale)) as TextLocale
  return { locale, messages: await loadMessages(locale), timeZone: ctx.timeZone }
})
