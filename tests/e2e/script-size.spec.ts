import { scriptBytes, scriptsOf } from '../factories/page-scripts'
import { expect, test } from './fixtures'

test('the sign-in page sends at most 148 KB of script, gzipped, of the 150 that it may', async ({ request }) => {
  const load = async (path: string) => {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(200)
    return answer.body()
  }
  const page = String(await load('/platform/login'))
  expect(scriptsOf(page).length).toBeGreaterThan(4)
  expect(await scriptBytes('/platform/login', load)).toBeLessThanOrEqual(148_000)
})
