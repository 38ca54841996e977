import { getRequestConfig } from 'next-intl/server'
import { textLocales } from '@/lib/kernel/i18n/choose-locale'
import { isTextLocale, loadMessages } from '@/lib/kernel/i18n/messages'
import { pageContext } from './page'

export default getRequestConfig(async () => {
  const { ctx } = await pageContext()
  const locale = isTextLocale(ctx.locale) ? ctx.locale : textLocales[0]
  return { locale, messages: await loadMessages(locale), timeZone: ctx.timeZone }
})
