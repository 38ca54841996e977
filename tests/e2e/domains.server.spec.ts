import { get } from 'node:http'
import { partnersId } from '@/db/seed/demo/domains'
import { expect, test } from './fixtures'
import { type ServerProcess, startServer } from './server-process'
import { password } from './sign-in-page'

const card = `/api/v1/platform/setting/domains/${partnersId}`
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'

let server: ServerProcess | undefined
test.afterEach(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
})

/** The sign-in page of a process, as its Host header asks for it. */
const page = (host: string, agent = 'Mozilla/5.0 (X11; Linux x86_64)', path = '/platform/login') =>
  new Promise<string>((resolve, reject) => {
    const { port = '' } = new URL(server?.address ?? '')
    const headers = { host: `${host}:${port}`, 'user-agent': agent, accept: 'text/html', 'accept-language': 'ru' }
    get(`${server?.address}${path}`, { headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        text += part
      })
      answer.on('end', () => resolve(text.replaceAll('\u00a0', ' ')))
    }).on('error', reject)
  })

test('two domains of one process differ in look, texts, agreements and identifiers, and follow a change in another process', async ({
  request,
}) => {
  server = await startServer()
  const [base, partners, onPhone] = await Promise.all([
    page('localhost'),
    page('partners.localhost'),
    page('partners.localhost', phone),
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

  const headers = { origin: process.env.PUBLIC_URL ?? '' }
  const auth = '/api/v1/platform/auth'
  await request.get(`${auth}/config/login`, { params: { login: 'admin' } })
  const entry = { flow: 'credentials', login: 'admin', password }
  expect((await request.post(`${auth}/login/login`, { data: entry, headers })).status()).toBe(200)
  const { id: _, base: __, logoId: ___, ...stored } = await (await request.get(card)).json()
  const [first, ...rest] = stored.locales
  const projectName = `E2E ${Date.now()}`
  const changed = { ...first, settings: { ...first.settings, projectName } }
  const save = async (locales: object[], more: object = {}) => {
    const { updatedAt } = await (await request.get(card)).json()
    const data = { ...stored, locales, updatedAt, ...more }
    const answer = await request.put(card, { data, headers })
    return { status: answer.status(), text: await answer.text() }
  }
  expect(await save([changed, ...rest])).toMatchObject({ status: 200 })
  const saved = Date.now()
  let asked = saved
  while (!(await page('partners.localhost')).includes(projectName)) {
    asked = Date.now()
    expect(asked - saved, 'the other process shows the change within a second').toBeLessThan(1000)
  }

  // each has its own agreements and languages
  const info = async (host: string) => {
    const text = await page(host, undefined, '/api/v1/platform/ui/project/info')
    const { options } = JSON.parse(text) as { options: Record<string, { lawInfo: { termsInfo: { id: string }[] } }> }
    return Object.entries(options).map(([code, { lawInfo }]) => [code, lawInfo.termsInfo.map(({ id }) => id)])
  }
  const [agreed] = stored.agreements
  expect((await info('partners.localhost')).map(([code]) => code)).toEqual(['ru', 'en'])
  expect(await save([first], { agreements: [agreed] })).toMatchObject({ status: 200 })
  await expect.poll(() => info('partners.localhost')).toEqual([['ru', [agreed.agreementId]]])
  expect(await info('localhost')).toEqual(
    ['ru', 'en'].map((code) => [code, stored.agreements.map((one: { agreementId: string }) => one.agreementId)]),
  )
  const law = (text: string) => new Set([...text.matchAll(/href="\/platform\/law\/([^"?#]+)/g)].map(([, id]) => id))
  const [own, others] = [law(await page('partners.localhost')), law(await page('localhost'))]
  expect(own.size).toBeLessThan(others.size)
  expect([...others]).toEqual(expect.arrayContaining([...own]))
  for (const [host, spoken] of [
    ['localhost', true],
    ['partners.localhost', false],
  ] as const)
    expect((await page(host)).includes('English'), host).toBe(spoken)
  expect(await save([changed, ...rest])).toMatchObject({ status: 200 })

  // hostile values are refused, and the pages stay as they are
  for (const [field, more] of Object.entries({
    styleTemplate: { styleTemplate: 'x;}body{background:url(//evil.example)' },
    imageCode: { imageCode: '../../secrets' },
    publicDocsUrl: { publicDocsUrl: 'javascript:alert(1)' },
    aliases: { aliases: ['partners.localhost', 'https://evil.example'] },
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
  const shown = await page('partners.localhost')
  expect(shown).not.toContain('<script>1</script>')
  expect(await save([first, ...rest])).toMatchObject({ status: 200 })
})
