import { get } from 'node:http'
import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainLocales } from '@/db/schema'
import { partnersId } from '@/db/seed/demo/domains'
import { invalidate } from '@/lib/base/cache/cache'
import { partnersHost } from '../factories/demo'
import { leavesNothing } from './nothing-left'
import { ownPerson } from './own-people'
import { cookiesOf } from './signed-in'
import { expect, test } from './turn'

leavesNothing()

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'

/** Puts back what a test has changed. */
let putBack = async () => {}
test.afterEach(() => putBack())

/** The sign-in page of a server, as its Host header asks for it. */
const pageOf = (address: string, host: string, agent = 'Mozilla/5.0 (X11; Linux x86_64)', path = '/platform/login') =>
  new Promise<string>((resolve, reject) => {
    const { port } = new URL(address)
    const headers = { host: `${host}:${port}`, 'user-agent': agent, accept: 'text/html', 'accept-language': 'ru' }
    get(`${address}${path}`, { headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        text += part
      })
      answer.on('end', () => resolve(text.replaceAll('\u00a0', ' ')))
    }).on('error', reject)
  })

test('two domains of one process differ in look, texts, agreements and identifiers, and follow a change in another process', async ({
  second,
}) => {
  const page = (host: string, agent?: string, path?: string) => pageOf(second.address, host, agent, path)
  const [base, partners, onPhone] = await Promise.all([
    page('localhost'),
    page(partnersHost),
    page(partnersHost, phone),
  ])
  expect(base).toContain('/style/default/style.css')
  expect(partners).toContain('/style/partners/style.css')
  expect(base).toContain('Полярис')
  expect(partners).toContain('Полярис · Партнёры')
  expect(base).not.toContain('Полярис · Партнёры')
  expect(partners).toContain('partners@polaris.example')
  expect(base).not.toContain('partners@polaris.example')
  expect(partners).toContain('Логин, почта или телефон')
  expect(onPhone).toContain('Почта или телефон')

  const address = process.env.PUBLIC_URL ?? ''
  const card = `${address}/api/v1/platform/setting/domains/${partnersId}`
  const cookie = await cookiesOf((await ownPerson('administrator')).login)
  const headers = { origin: address, cookie, 'content-type': 'application/json' }
  const read = async () => (await fetch(card, { headers })).json()
  const { id: _, base: __, logoId: ___, ...stored } = await read()
  const [first, ...rest] = stored.locales
  const projectName = 'E2E domains'
  const changed = { ...first, settings: { ...first.settings, projectName } }
  const save = async (locales: object[], more: object = {}) => {
    const { updatedAt } = await read()
    const body = JSON.stringify({ ...stored, locales, updatedAt, ...more })
    const answer = await fetch(card, { method: 'PUT', body, headers })
    return { status: answer.status, text: await answer.text() }
  }
  const rows = await db().select().from(domainLocales).where(eq(domainLocales.domainId, partnersId))
  putBack = async () => {
    expect(await save([first, ...rest])).toMatchObject({ status: 200 })
    // a saved domain has fields that the demo data leaves out
    for (const { localeId, settings } of rows)
      await db()
        .update(domainLocales)
        .set({ settings })
        .where(and(eq(domainLocales.domainId, partnersId), eq(domainLocales.localeId, localeId)))
    await invalidate(db(), 'domains')
  }
  expect(await save([changed, ...rest])).toMatchObject({ status: 200 })
  // what another process isn't told it sees after thirty seconds, for which the poll doesn't wait
  await expect.poll(() => page(partnersHost)).toContain(projectName)

  // each has its own agreements and languages
  const info = async (host: string) => {
    const text = await page(host, undefined, '/api/v1/platform/ui/project/info')
    const { options } = JSON.parse(text) as { options: Record<string, { lawInfo: { termsInfo: { id: string }[] } }> }
    return Object.entries(options).map(([code, { lawInfo }]) => [code, lawInfo.termsInfo.map(({ id }) => id)])
  }
  const [agreed] = stored.agreements
  expect((await info(partnersHost)).map(([code]) => code)).toEqual(['ru', 'en'])
  expect(await save([first], { agreements: [agreed] })).toMatchObject({ status: 200 })
  await expect.poll(() => info(partnersHost)).toEqual([['ru', [agreed.agreementId]]])
  // one language is no choice
  expect(await page(partnersHost)).not.toContain('name="locale"')
  expect(await page('localhost')).toContain('name="locale"')
  expect(await info('localhost')).toEqual(
    ['ru', 'en'].map((code) => [code, stored.agreements.map((one: { agreementId: string }) => one.agreementId)]),
  )
  const law = (text: string) => new Set([...text.matchAll(/href="\/platform\/law\/([^"?#]+)/g)].map(([, id]) => id))
  const [ownLinks, others] = [law(await page(partnersHost)), law(await page('localhost'))]
  expect(ownLinks.size).toBeLessThan(others.size)
  expect([...others]).toEqual(expect.arrayContaining([...ownLinks]))
  for (const [host, spoken] of [
    ['localhost', true],
    [partnersHost, false],
  ] as const)
    expect((await page(host)).includes('English'), host).toBe(spoken)
  expect(await save([changed, ...rest])).toMatchObject({ status: 200 })

  // hostile values are refused, and the pages stay as they are
  for (const [field, more] of Object.entries({
    styleTemplate: { styleTemplate: 'x;}body{background:url(//evil.example)' },
    imageCode: { imageCode: '../../secrets' },
    publicDocsUrl: { publicDocsUrl: 'javascript:alert(1)' },
    aliases: { aliases: [partnersHost, 'https://evil.example'] },
  })) {
    const { status, text } = await save([changed, ...rest], more)
    expect([status, text], field).toEqual([400, expect.stringContaining(field)])
  }
  const link = { title: 'x', text: 'x', link: 'javascript:alert(1)', mobile: '' }
  const hostile = {
    ...first,
    settings: { ...first.settings, technical: [link], projectName: '</title><script>1</script>' },
  }
  expect((await save([hostile, ...rest])).status).toBe(400)
  hostile.settings.technical = []
  expect((await save([hostile, ...rest])).status).toBe(200)
  await expect.poll(() => page(partnersHost)).toContain('&lt;script&gt;1')
  expect(await page(partnersHost)).not.toContain('<script>1</script>')
})
