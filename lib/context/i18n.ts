import { getRequestConfig } from 'next-intl/server'
import { loadMessages, wordLocale } from '@/lib/kernel/i18n/messages'
import { pageContext } from './page'

export default getRequestConfig(async () => {
  const { ctx } = await pageContext()
  const locale = await wordLocale(ctx.locale)
  return { locale, messages: await loadMessages(locale), timeZone: ctx.timeZone }
})
