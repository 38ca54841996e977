import type { Kind } from '../factories/demo'
import { ownPerson } from './own-people'
import { restClient } from './rest-client'
import { password } from './sign-in-page'
import { expect, test } from './turn'

const address = () => process.env.PUBLIC_URL ?? ''
const whereItLeads = async (browser: ReturnType<typeof restClient>, path: string) => {
  const answer = await browser.page(path)
  const to = answer.headers.get('location')
  return to === null ? answer.status : to.replace(address(), '')
}

test.describe('navigation rules', () => {
  test('signed out, an unknown path redirects to the sign-in page', async () => {
    for (const path of ['/', '/nowhere', '/platform/nowhere', '/platform/login/nowhere/deeper']) {
      const answer = await fetch(address() + path)
      expect([answer.status, answer.url], path).toEqual([200, `${address()}/platform/login`])
    }
  })

  test('a signed-in person at the sign-in page is led to the services, or to the profile without any', async () => {
    for (const [kind, path] of [
      ['employee', '/platform/apps'],
      ['noServices', '/platform/profile/personal'],
    ] as const satisfies [Kind, string][]) {
      const browser = restClient(address())
      expect(await browser.signIn((await ownPerson(kind)).login, password)).toBe(200)
      for (const [from, to] of [
        ['/nowhere', '/'],
        ['/', '/platform/login'],
        ['/platform/login', path],
      ] as const)
        expect(await whereItLeads(browser, from), from).toBe(to)
    }
  })

  test('a dead session counts as signed out: the sign-in page opens without a redirect loop', async () => {
    const headers = { cookie: 'platform-session=forged' }
    const answer = await fetch(`${address()}/platform/profile`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.url).toMatch(/\/platform\/login\?path=%2Fplatform%2Fprofile$/)
    expect(await answer.text()).toContain('Логин, почта или\u00a0телефон')
  })

  test('ref is kept as the back link if it is a path of the platform or of an application', async () => {
    const backLink = async (ref: string) => {
      const answer = await fetch(`${address()}/platform/login?ref=${encodeURIComponent(ref)}`)
      const lines = answer.headers.getSetCookie()
      // its forms need theirs
      expect(lines.filter((cookie) => /^\S*browser=/.test(cookie))).toHaveLength(1)
      const line = lines.find((cookie) => /^\S*backLink=/.test(cookie))
      return line && decodeURIComponent(/=([^;]*)/.exec(line)?.[1] ?? '')
    }
    expect(await backLink('/platform/profile/personal')).toBe('/platform/profile/personal')
    expect(await backLink('https://warehouse.polaris.example/orders/1')).toBe(
      'https://warehouse.polaris.example/orders/1',
    )
    for (const ref of [
      '//evil.example',
      'https://evil.example/',
      'https://warehouse.polaris.example@evil.example/',
      'javascript:alert(1)',
    ])
      expect(await backLink(ref), ref).toBeUndefined()
  })
})

test('every link of the footer opens a page', async () => {
  const html = await (await fetch(`${address()}/platform/login`)).text()
  const footer = /<footer[\s\S]*?<\/footer>/.exec(html)?.[0] ?? ''
  const links = [...footer.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href)
  const ownLinks = links.filter((href) => href.startsWith('/'))
  expect(ownLinks.length).toBeGreaterThan(1)
  for (const href of ownLinks) expect((await fetch(address() + href, { redirect: 'manual' })).status, href).toBe(200)
  const others = links.filter((href) => !href.startsWith('/'))
  for (const href of others) expect(href).toMatch(/^(https:\/\/[\w-]+(\.[\w-]+)+|mailto:\S+@\S+|tel:\+?\d{5,})/)
})
