import { scriptBytes, scriptsOf } from '../factories/page-scripts'
import { expect, test } from './fixtures'
import { asPerson } from './signed-in'

test('the sign-in page sends at most 149 KB of gzipped script; the limit is 150', async ({ request }) => {
  const load = async (path: string) => {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(200)
    return answer.body()
  }
  const page = String(await load('/platform/login'))
  expect(scriptsOf(page).length).toBeGreaterThan(4)
  expect(await scriptBytes('/platform/login', load)).toBeLessThanOrEqual(149_000)
})

test('a page behind sign-in sends at most 165 KB: forms, dialogs and menus are loaded when they are first used', async ({
  context,
}) => {
  await asPerson(context, 'admin')
  const load = async (path: string) => {
    const answer = await context.request.get(path)
    expect(answer.status(), path).toBe(200)
    return answer.body()
  }
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
