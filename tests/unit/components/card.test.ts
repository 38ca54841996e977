import { Writable } from 'node:stream'
import { NextIntlClientProvider } from 'next-intl'
import { createElement, use } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Card } from '@/components/card/card'
import { loadMessages } from '@/lib/base/i18n/messages'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }), unstable_rethrow: () => {} }))

/** Renders a card with this tab as a server does. Returns the page when it has been sent as far as it can be. */
async function sent(tab: () => never) {
  const messages = await loadMessages('ru')
  return new Promise<string>((resolve, reject) => {
    let page = ''
    const to = new Writable({
      write: (chunk, _, done) => {
        page += chunk
        done()
      },
    })
    to.on('finish', () => resolve(page))
    const props = { title: 'Полярис', tile: 'П', children: createElement(tab) }
    const card = createElement(Card, props)
    const texts = { locale: 'ru' as const, messages, timeZone: 'Europe/Moscow', children: card }
    const { pipe } = renderToPipeableStream(createElement(NextIntlClientProvider, texts), {
      onAllReady: () => pipe(to),
      onShellError: reject,
      onError: () => {},
    })
  })
}

test('a tab that fails on the server doesn’t take the header of its card, whichever tab it is', async () => {
  const failing = () => {
    throw new Error('the tab')
  }
  const late = Promise.reject(new Error('the query of the tab'))
  late.catch(() => {})
  for (const tab of [failing, () => use<never>(late)]) {
    const page = await sent(tab)
    expect(page).toContain('Полярис')
    // what stands in its place until the browser, which learns of the failure, says so there
    expect(page).toContain('role="status"')
    expect(page).not.toContain('the tab</')
  }
})
