import { createTranslator, NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement, type ReactElement } from 'react'
import { prerender } from 'react-dom/static'
import { loadMessages } from '@/lib/base/i18n/messages'

type Page = { locale: 'ru' | 'en'; timeZone: string; messages: Awaited<ReturnType<typeof loadMessages>> }

let page: Page | undefined
const current = () => {
  if (!page) throw new Error('no page is being drawn')
  return page
}

/**
 * What stands in for `next-intl/server` while `drawn` draws:
 * `vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)`.
 */
export const serverIntl = {
  getTranslations: async (namespace?: string) =>
    createTranslator({ ...current(), ...(namespace ? { namespace: namespace as 'errors' } : {}) }),
  getLocale: async () => current().locale,
  getTimeZone: async () => current().timeZone,
}

/** Returns the HTML of a part that the server draws, in a language. */
export async function drawn(locale: 'ru' | 'en', part: ReactElement, timeZone = 'Europe/Moscow'): Promise<string> {
  page = { locale, timeZone, messages: await loadMessages(locale) }
  const intl = page as unknown as ComponentProps<typeof NextIntlClientProvider>
  const { prelude } = await prerender(createElement(NextIntlClientProvider, intl, part))
  return (await new Response(prelude).text()).replaceAll(/<!--.*?-->/g, '')
}
