import type { APIRequestContext } from '@playwright/test'
import { listOfCard, screenAt, screenNamed } from '@/lib/kernel/navigation/screens'
import { scriptBytes, scriptsOf } from '../factories/page-scripts'
import { expect, test } from './fixtures'
import { asPerson } from './signed-in'
import { rows } from './sweep/rows'

const loading = (request: APIRequestContext) => async (path: string) => {
  const answer = await request.get(path)
  expect(answer.status(), path).toBe(200)
  return answer.body()
}

test('the sign-in page sends at most 149 KB of gzipped script; the limit is 150', async ({ request }) => {
  const load = loading(request)
  const page = String(await load('/platform/login'))
  expect(scriptsOf(page).length).toBeGreaterThan(4)
  expect(await scriptBytes('/platform/login', load)).toBeLessThanOrEqual(149_000)
})

/** The most bytes of gzipped script that a page behind sign-in sends. */
const most = 180_000
/** Pages that are a form as they open, with the library of forms (15 KB) and their fields. */
const forms: Record<string, number> = {
  PlatformLibrariesMessage: 188_000,
  PlatformApplicationTrial: 189_000,
  // a hundred settings with their search, changes and confirmations
  PlatformSettingsBase: 183_000,
  UsersSettingsBase: 183_000,
}

test('a page behind sign-in sends at most 180 KB: forms, dialogs and menus are loaded when they are first used', async ({
  context,
}) => {
  const load = loading(context.request)
  const sent: Record<string, number> = {}
  for (const [name, ways] of Object.entries(rows)) {
    const ways_ = ways.filter(({ as, refused, leadsTo }) => as && !refused && !leadsTo)
    const [way] = ways_.toSorted((a, b) => Number(typeof b.open === 'string') - Number(typeof a.open === 'string'))
    if (!way?.as) continue
    await asPerson(context, way.as)
    let path = way.open
    if (typeof path !== 'string') {
      // a card whose id only its list knows
      const screen = screenNamed(name)
      const list = screen && (listOfCard(screen) ?? screen)
      const page = list === screen ? '' : String(await load(list?.path ?? ''))
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
      path = links.find((href) => screenAt(href)?.name === name) ?? screen?.path ?? ''
    }
    sent[name] = await scriptBytes(path, load)
  }
  expect(Object.keys(sent).length).toBeGreaterThan(50)
  expect(Object.entries(sent).filter(([name, bytes]) => bytes > (forms[name] ?? most))).toEqual([])
  // an exception that a page no longer needs is taken back
  expect(Object.keys(forms).filter((name) => (sent[name] ?? 0) <= most)).toEqual([])
})
