import type { APIRequestContext, Page } from '@playwright/test'
import { screenAt, screenNamed } from '@/lib/base/navigation/screens'
import { scriptBytes, scriptsOf } from '../factories/page-scripts'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import type { Row, Visit } from './sweep/row'
import { rows } from './sweep/rows'
import { ru } from './words'

const loading = (request: APIRequestContext) => async (path: string) => {
  const answer = await request.get(path)
  expect(answer.status(), path).toBe(200)
  return answer.body()
}

test('a page of forms sends one script, and where passkeys are offered another; at most 12 KB gzipped, 3 of them for passkeys, and nothing of Next’s client', async ({
  request,
}) => {
  const load = loading(request)
  const ours = expect.stringMatching(/^\/platform\/script\.js\?v=/)
  const ofPasskeys = expect.stringMatching(/^\/platform\/passkey\.js\?v=/)
  const bytes = async (path: string, scripts: unknown[]) => {
    const page = String(await load(path))
    expect(scriptsOf(page)).toEqual(scripts)
    expect(page).not.toMatch(/__next_f|\/_next\/static\/[^"]*\.js/)
    return scriptBytes(path, load)
  }
  const without = await bytes('/platform/registration', [ours])
  const all = await bytes('/platform/login', [ofPasskeys, ours])
  expect(all).toBeLessThanOrEqual(12_000)
  expect(all - without).toBeLessThanOrEqual(3_000)
})

test('a list, the overview and the profile send at most 165 KB', { tag: '@full' }, async ({ context }) => {
  await asOwn(context, 'administrator')
  const load = loading(context.request)
  const sent: Record<string, number> = {}
  for (const path of [
    '/platform/setting/network-aliases',
    '/platform/setting/whitelist',
    '/platform/setting/device-types',
    '/platform/setting',
    '/platform/profile/sessions',
    '/platform/profile/applications',
    '/platform/profile',
  ])
    sent[path] = await scriptBytes(path, load)
  expect(Object.entries(sent).filter(([, bytes]) => bytes > 165_000)).toEqual([])
})

/** The most bytes of gzipped script that a page behind sign-in sends. */
const most = 180_000
/** Pages that are a form as they open, with the library of forms (15 KB) and their fields. */
const forms: Record<string, number> = {
  PlatformLibrariesMessage: 188_000,
  // one script for all its tabs, with the examples for developers
  PlatformApplication: 187_000,
  PlatformApplicationTrial: 189_000,
  // its languages are what opens; the tabs behind them come later
  PlatformDomain: 216_000,
  // a hundred settings with their search, changes and confirmations
  PlatformSettingsBase: 183_000,
  UsersSettingsBase: 183_000,
}

/** Returns where a row of the sweep goes first, without a browser: the screen itself, or the list that leads to it. */
async function firstAddress(open: Row['open'], visit: Omit<Visit, 'page'>): Promise<string> {
  if (typeof open === 'string') return open
  let first = ''
  const page = {
    async goto(path: string) {
      first = path
      throw new Error('there')
    },
  }
  await open({ ...visit, page: page as unknown as Page }).catch(() => undefined)
  return first
}

test('a page behind sign-in sends at most 180 KB: forms, dialogs and menus are loaded when they are first used', {
  tag: '@full',
}, async ({ context, browser, request, baseURL, outbox }) => {
  const load = loading(context.request)
  const sent: Record<string, number> = {}
  const work: (() => unknown)[] = []
  const later = (each: () => unknown) => void work.push(each)
  const visit = { context, browser, request, baseURL: baseURL ?? '', language: 'ru', t: ru, outbox, later } as const
  try {
    for (const [name, ways] of Object.entries(rows)) {
      // what an application or a link of a mail opens isn't one of them
      if (!screenNamed(name)) continue
      const way = ways.find(({ as, refused, leadsTo }) => as && !refused && !leadsTo)
      if (!way?.as) continue
      await asOwn(context, way.as)
      let path = await firstAddress(way.open, visit)
      if (screenAt(path.split('?')[0] ?? '')?.name !== name) {
        const links = [...String(await load(path)).matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
        path = links.find((href) => screenAt(href)?.name === name) ?? ''
      }
      expect(path, name).not.toBe('')
      sent[name] = await scriptBytes(path, load)
    }
  } finally {
    for (const each of work) await each()
  }
  expect(Object.keys(sent).length).toBeGreaterThan(50)
  expect(Object.entries(sent).filter(([name, bytes]) => bytes > (forms[name] ?? most))).toEqual([])
  // an exception that a page no longer needs is taken back
  expect(Object.keys(forms).filter((name) => (sent[name] ?? 0) <= most)).toEqual([])
})
