import { randomUUID } from 'node:crypto'
import { spokenIn } from './spoken'
import { expect, test } from './turn'

const { language, words } = spokenIn(import.meta.filename)

test('an unknown first-entry link leads to the page for dead links, and that to the sign-in page', async () => {
  const address = process.env.PUBLIC_URL ?? ''
  const answer = await fetch(`${address}/platform/login/password/${randomUUID()}`, {
    headers: { cookie: `locale=${language}` },
  })
  expect([answer.status, answer.url]).toEqual([404, `${address}/platform/404?link=firstEntry`])
  const { action } = words['unknown-link'].firstEntry
  expect(await answer.text()).toMatch(new RegExp(`<a [^>]*href="/platform/login"[^>]*>${action}</a>`))
})
