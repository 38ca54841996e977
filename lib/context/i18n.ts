import { cookies } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { textLocales } from '@/lib/kernel/i18n/choose-locale'
import { isTextLocale, loadMessages } from '@/lib/kernel/i18n/messages'

export default getRequestConfig(async () => {
  const cookie = (await cookies()).get('locale')?.value ?? ''
  const locale = isTextLocale(cookie) ? cookie : textLocales[0]
  return { locale, messages: await loadMessages(locale), timeZone: 'Europe/Moscow' }
})
