import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { getMenu } from '@/lib/applications/menu/service'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { ensureListening } from '@/lib/base/cache/notifications'
import { badgeOf, badgesOf, registerBadge } from '@/lib/base/frame/badges'
import { overview } from '@/lib/operations/overview/service'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import { signedInWith } from '../../factories/access'
import type { Browser } from '../../factories/browser'
import { statementsOf } from '../../factories/statements'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const readings = (texts: string[]) => texts.filter((text) => text.includes('temporaryAdministrators')).length

async function contextOf(browser: Browser) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = new Headers({ host: browser.host, cookie, 'x-platform-ip': browser.ip })
  const { ctx } = await buildContext(headers, cookieJar(cookie).cookies)
  if (!ctx.user) throw new Error('nobody is signed in')
  return { ctx, user: ctx.user }
}

let reader: Browser
let limited: Browser
beforeAll(async () => {
  // until then a value is cached for a second only
  expect(await ensureListening()).toBe(true)
  reader = (await signedInWith(['users.read', 'device-types.read'])).browser
  limited = (await signedInWith(['device-types.read'])).browser
})
afterEach(() => {
  for (const name of ['overview', 'sample']) dropCached(name)
})

const anybody = (id: string, ...methods: string[]) => ({ id, methods: new Set(methods) })

describe('the badge of a page', () => {
  test('is counted once for the layout and the page, and not again for some seconds', async () => {
    const { ctx, user } = await contextOf(reader)
    // the layout and the page of one request run in parallel
    const request = () => statementsOf(() => Promise.all([getMenu(ctx), overview(user)]))
    expect(readings(await request())).toBe(1)
    expect(readings(await request())).toBe(0)
    const { ctx: other } = await contextOf(limited)
    expect(readings(await statementsOf(() => getMenu(other)))).toBe(0)
  })

  test('of the overview counts neither people nor sessions, which the overview itself does', async () => {
    const { ctx, user } = await contextOf(reader)
    const countsPeople = (texts: string[]) => texts.filter((text) => text.includes('as "people"')).length
    const ofMenu = await statementsOf(() => getMenu(ctx))
    expect(readings(ofMenu)).toBe(1)
    expect(countsPeople(ofMenu)).toBe(0)
    expect(countsPeople(await statementsOf(() => overview(user)))).toBe(1)
    expect(countsPeople(await statementsOf(() => overview(user)))).toBe(0)
  })

  test('is counted again at once after an invalidation', async () => {
    const { ctx } = await contextOf(reader)
    await getMenu(ctx)
    await db().transaction((tx) => invalidate(tx, 'overview'))
    await expect.poll(async () => readings(await statementsOf(() => getMenu(ctx)))).toBe(1)
  })

  test('shows each person only what they may see', async () => {
    const numberOf = async (browser: Browser) => {
      const { menu } = await getMenu((await contextOf(browser)).ctx)
      return menu.find(({ name }) => name === 'Platform')?.badge
    }
    // the only administrators are those of the tests, which the area of users shows as a problem
    const { user } = await contextOf(reader)
    expect(await numberOf(reader)).toBe((await overview(user)).matters.length || null)
    expect(await numberOf(limited)).toBeNull()
  })
})

describe('the badge of a tab', () => {
  test('needs the right for its page and its own right', async () => {
    let counted = 0
    const load = async () => {
      counted++
      return 7
    }
    registerBadge('PlatformDeviceTypes.requests', { cache: 'sample', area: 'users', load, count: (n) => n })
    const names = ['PlatformDeviceTypes.requests', 'PlatformDeviceTypes.nobody'] as const
    for (const methods of [[], ['users.read'], ['device-types.read'], ['users.write', 'device-types.write']])
      expect(await badgesOf(names, anybody('a', ...methods)), methods.join()).toEqual(new Map())
    expect(counted).toBe(0)
    expect(await badgesOf(names, anybody('a', 'users.read', 'device-types.read'))).toEqual(
      new Map([['PlatformDeviceTypes.requests', 7]]),
    )
  })

  test('for a person’s own data is never that of another person', async () => {
    const load = async (userId: string) => userId.length
    registerBadge('UserProfile.own', { cache: 'sample', own: true, load, count: (n) => n })
    expect(await badgeOf('UserProfile.own', anybody('abc'))).toBe(3)
    expect(await badgeOf('UserProfile.own', anybody('abcde'))).toBe(5)
    expect(await badgeOf('UserProfile.own', anybody(''))).toBeNull()
  })

  test('is omitted if its counter fails or hangs', async () => {
    const failing = async () => {
      throw new Error('the table is away')
    }
    registerBadge('UserProfile.failing', { cache: 'sample', load: failing, count: () => 1 })
    registerBadge('UserProfile.endless', {
      cache: 'sample:endless',
      load: () => new Promise<number>(() => {}),
      count: (n) => n,
    })
    registerBadge('UserProfile.broken', {
      cache: 'sample:broken',
      load: async () => 1,
      count: () => {
        throw new Error('nobody counts on it')
      },
    })
    const names = ['UserProfile.failing', 'UserProfile.endless', 'UserProfile.broken'] as const
    expect(await badgesOf(names, anybody('a'))).toEqual(new Map())
  })

  test('of an unknown page is omitted', async () => {
    registerBadge('Nobody.tab' as 'UserProfile.tab', { cache: 'sample', load: async () => 1, count: (n) => n })
    expect(await badgeOf('Nobody.tab' as 'UserProfile.tab', anybody('a'))).toBeNull()
  })
})
