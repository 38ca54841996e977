import { createTranslator } from 'next-intl'
import { createElement, type FunctionComponent } from 'react'
import { prerender } from 'react-dom/static'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SiteFooter } from '@/components/shell/site-footer'
import { StatusBanners } from '@/components/shell/status-banners'
import type { CtxUser } from '@/lib/base/context/ctx'
import type { HeaderWarning } from '@/lib/base/frame/header-warnings'
import { loadMessages } from '@/lib/base/i18n/messages'
import type { ProjectInfo, ProjectLocaleOptions } from '@/lib/site/project-info/contract'

let language: 'ru' | 'en' = 'ru'
vi.mock('next-intl/server', () => ({
  getTranslations: async (namespace: string) =>
    createTranslator({ locale: language, messages: await loadMessages(language), namespace } as never),
}))
beforeEach(() => {
  language = 'ru'
})

/** Draws what the server draws, with parts that wait for something. */
async function drawn<P extends object>(part: unknown, of: P): Promise<string> {
  const { prelude } = await prerender(createElement(part as FunctionComponent<P>, of))
  return (await new Response(prelude).text()).replaceAll('\u00a0', ' ').replaceAll('&quot;', '"')
}

describe('the footer', () => {
  const term = (title: string, footerVisible: boolean, linkTitle = '') => ({
    ...{ id: title, title, linkTitle, link: `/documents/view/${title}`, loginRequired: false, footerVisible },
  })
  const project = {
    ...{ helpUrl: '/platform/help', siteUrl: null, copyrightUrl: '/platform/help', technicalLinks: [] },
  } as unknown as ProjectInfo
  const options = (terms: ReturnType<typeof term>[]) =>
    ({
      ...{ siteUrl: null, technicalLink: [], copyright: { text: '' } },
      lawInfo: { legalInfo: [{ url: '/documents/view/law', text: 'Право' }], termsInfo: terms },
    }) as unknown as ProjectLocaleOptions
  const links = async (terms: ReturnType<typeof term>[]) =>
    [
      ...(await drawn(SiteFooter, { project, options: options(terms) })).matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g),
    ].map(([, href, text]) => [href, text])

  test('has the terms that are shown there, by the words of their links, and no others', async () => {
    const always = [
      ['/platform/help', 'Помощь'],
      ['/documents/view/law', 'Право'],
    ]
    expect(await links([term('a', true, 'Согласие'), term('b', false, 'Скрытое'), term('c', true)])).toEqual([
      ...always,
      ['/documents/view/a', 'Согласие'],
      ['/documents/view/c', 'c'],
    ])
    expect(await links([term('b', false)])).toEqual(always)
  })
})

describe('the banners above every page', () => {
  const update: HeaderWarning = { name: 'update', count: 1, version: '1.0.0', recommended: '1.4.0' }
  const down: HeaderWarning = { name: 'monitoring', count: 2 }
  const outdated: HeaderWarning = { name: 'diagnostics', count: 3 }
  const user = (...methods: string[]) => ({ methods: new Set(methods) }) as unknown as CtxUser
  /** Each banner with whether some width hides it, and where it leads. */
  const banners = async (notices: HeaderWarning[], who: CtxUser) => {
    const html = await drawn(StatusBanners, { notices, user: who })
    // each begins with its own classes, and has one paragraph
    return html
      .split('<div class="flex ')
      .slice(1)
      .map((part) => ({
        hides: /\bhidden\b/.test(html.replaceAll('aria-hidden', '')),
        href: /href="([^"]*)"/.exec(part)?.[1] ?? null,
        text: (/<p>(.*?)<\/p>/.exec(part)?.[1] ?? '').replace(/<[^>]*>/g, ''),
      }))
  }

  test.each([
    ['ru', 'Есть обновление платформы'],
    ['en', 'An update of the platform'],
  ] as const)('lead to the page behind them whoever may open it, %s', async (locale, words) => {
    language = locale
    const [banner] = await banners([update], user('diagnostics.read'))
    expect(banner).toMatchObject({ href: '/platform/setting/diagnostics' })
    expect(banner?.text).toContain('1.4.0')
    expect(banner?.text).toContain(words)
    const [plain] = await banners([update], user('users.read'))
    expect(plain?.href).toBeNull()
    expect(plain?.text).toContain('1.4.0')
  })

  test('stand there at every width, each with its number; without a notice there is nothing', async () => {
    const all = await banners([down, outdated, update], user('monitoring.read'))
    expect(all.map(({ hides, href }) => [hides, href])).toEqual([
      [false, '/platform/setting/monitoring'],
      [false, null],
      [false, null],
    ])
    expect(all.map(({ text }) => /\d/.exec(text)?.[0])).toEqual(['2', '3', '1'])
    expect(await drawn(StatusBanners, { notices: [], user: user() })).toBe('')
  })
})
