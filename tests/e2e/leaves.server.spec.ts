import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { demoPassword } from '../../db/seed/demo/accounts'
import { type ServerProcess, startServer } from './server-process'
import { expect, test } from './turn'
import { ru } from './words'

/**
 * When a browser navigates within the platform, it requests the part of a page that it lacks: headers say what it has,
 * and the answer is the leaf without the layouts above it. Anybody can send such headers by hand.
 */

const publicUrl = 'https://id.example'
let server: ServerProcess
test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({
    PLATFORM_MODE: 'production',
    PUBLIC_URL: publicUrl,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@id.example',
  })
})
test.afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
})

type Answer = { status: number; location: string | null; body: string }
type Headers = Record<string, string>

/** The addresses with the hash that Next requires in such a request; it depends on the headers alone. */
const hashedAddresses = new Map<string, string>()

async function ask(path: string, headers: Headers): Promise<Answer> {
  const { cookie: _, ...others } = headers
  const request = JSON.stringify([path, others])
  let target = hashedAddresses.get(request) ?? path
  for (let turn = 0; ; turn++) {
    const answer = await fetch(`${server.address}${target}`, { redirect: 'manual', headers })
    const location = answer.headers.get('location')
    // Next redirects to the address with the right hash
    const hashed = location && /[?&]_rsc=/.test(location) && new URL(location, publicUrl).pathname === path
    if (!hashed || turn > 2) return { status: answer.status, location, body: await answer.text() }
    const { pathname, search } = new URL(location, publicUrl)
    target = pathname + search
    hashedAddresses.set(request, target)
  }
}

/** Signs in as the browser of a demo account. Returns its cookies. */
async function cookiesOf(login: string): Promise<string> {
  const kept = new Map<string, string>()
  const send = async (path: string, body?: object) => {
    const answer = await fetch(`${server.address}/api/v1/platform/auth${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        origin: publicUrl,
        cookie: [...kept].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(answer.status, await answer.clone().text()).toBe(200)
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      kept.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
  }
  await send(`/config/login?login=${login}`)
  await send('/login/login', { flow: 'credentials', login, password: demoPassword })
  return [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
}

type Segment = string | [string, string, 'd', null]
type Page = { path: string; segments: Segment[] }

/** Every page file, with an address that it answers. */
const pages: Page[] = readdirSync('app', { recursive: true, withFileTypes: true })
  .filter(({ name }) => name === 'page.tsx')
  .map(({ parentPath }) => {
    const folders = parentPath.replaceAll('\\', '/').split('/').slice(1)
    const value = parentPath.includes('/law/') ? 'personal-data' : randomUUID()
    const segments = folders.map((folder): Segment => {
      const [, parameter] = /^\[(\w+)\]$/.exec(folder) ?? []
      return parameter ? [parameter, value, 'd', null] : folder
    })
    const path = folders
      .filter((folder) => !/^\(.*\)$/.test(folder))
      .map((folder) => (folder.startsWith('[') ? value : folder))
    return { path: `/${path.join('/')}`, segments }
  })

/** Whether the page is public by its folder. Such a page only refuses unknown links, which reveals nothing. */
const isPublic = ({ segments }: Page) =>
  !segments.some((each) => ['(admin)', '(profile)', 'dev'].includes(String(each)))

/** Whether only developers' machines have the page. */
const isOfDevelopers = ({ path }: Page) => path.startsWith('/platform/dev/')

/** The header with what a browser has: the page down to a depth, another segment there, and a mark if one is given. */
function stateTree({ segments }: Page, depth: number, mark?: string): string {
  const whole: Segment[] = ['', ...segments, '__PAGE__']
  const build = (at: number): unknown[] => {
    const last = at >= depth || at === whole.length - 1
    const segment = at >= depth ? 'elsewhere' : whole[at]
    const children = last ? {} : { children: build(at + 1) }
    return last && mark ? [segment, children, null, mark] : [segment, children]
  }
  return encodeURIComponent(JSON.stringify(build(0)))
}

/** Every way to request a part of a page. */
function* partsOf(page: Page): Generator<{ path: string; headers: Headers }> {
  const { path, segments } = page
  const rsc = { rsc: '1' }
  yield { path, headers: rsc }
  for (let depth = 1; depth <= segments.length + 2; depth++)
    for (const mark of [undefined, 'refetch', 'inside-shared-layout', 'metadata-only'])
      yield { path, headers: { ...rsc, 'next-router-state-tree': stateTree(page, depth, mark) } }
  const leaf = { ...rsc, 'next-router-state-tree': stateTree(page, segments.length + 1) }
  for (const prefetch of ['1', '2', '3']) yield { path, headers: { ...leaf, 'next-router-prefetch': prefetch } }
  const keys = segments.map((each) => (typeof each === 'string' ? each : `$d$${each[0]}`).replace(/[()]/g, '!'))
  for (const segment of [
    '/_tree',
    '/_index',
    '/_full',
    '/_head',
    `/${keys.join('/')}`,
    `/${keys.join('/')}/__PAGE__`,
  ]) {
    yield { path, headers: { ...rsc, 'next-router-prefetch': '1', 'next-router-segment-prefetch': segment } }
    yield { path: `${path}.segments${segment}.segment.rsc`, headers: {} }
  }
  for (const broken of ['x', '%zz', '[]', '["",{}]x'])
    yield { path, headers: { ...rsc, 'next-router-state-tree': broken } }
  yield { path, headers: { ...leaf, 'next-url': '/platform/login' } }
  yield { path, headers: { ...leaf, 'next-hmr-refresh': '1' } }
  for (const ending of ['.rsc', '.prefetch.rsc', '.txt']) yield { path: `${path}${ending}`, headers: leaf }
  yield { path, headers: { ...leaf, 'x-middleware-subrequest': 'middleware:middleware:middleware' } }
}

/** Returns the contents of an answer: Russian words, and the names and addresses that data consist of. */
const wordsOf = (body: string) =>
  new Set(body.match(/[А-ЯЁа-яё]{3,}|[\w.-]+@[\w.-]+\.\w+|\b(?:\d{1,3}\.){3}\d{1,3}(?:\/\d+)?\b/g) ?? [])

/** Returns the words of an answer that aren't known. */
const beyond = (body: string, known: ReadonlySet<string>) => [...wordsOf(body)].filter((word) => !known.has(word))

/** Every answer within the administration carries the page for objects that don't exist: words without data. */
const notFound = wordsOf(Object.values(ru['not-found'].card).join(' '))

/** Pages that explain why the requested one isn't shown. */
const refusals = ['/platform/404', '/platform/no-access']

const principals: [string, () => Promise<string>][] = [
  ['nobody', async () => ''],
  // the middleware takes it for a session
  ['nobody with a dead cookie', async () => '__Host-session=dead'],
  ['somebody without a method', () => cookiesOf('no-services')],
  ['a user', () => cookiesOf('one-service')],
  ['support', () => cookiesOf('support')],
  ['an administrator', () => cookiesOf('admin')],
]

/** A public page is the same for all who are signed in: its parts are asked for by two. */
const seesPublic = ['nobody', 'an administrator']

/** Returns the answer of every whole page to a principal, and what each part of a page may contain by these answers. */
async function readWholes(cookie: string) {
  const wholes = new Map<Page, Answer>()
  for (const page of pages) wholes.set(page, await ask(page.path, { cookie, accept: 'text/html' }))
  const opened = [...wholes].filter(([{ path }, { status }]) => status === 200 || refusals.includes(path))
  // the answer of a refused page may contain what the page doesn't show, so it is compared with the pages that they
  // may open
  const open = new Set([...wordsOf(opened.map(([, { body }]) => body).join(' ')), ...notFound])
  const knownOf = (page: Page): ReadonlySet<string> => {
    const whole = wholes.get(page)
    if (whole?.status === 200) return new Set([...wordsOf(whole.body), ...notFound])
    return whole && isPublic(page) ? new Set([...wordsOf(whole.body), ...open]) : open
  }
  return { wholes, knownOf }
}

for (const [name, signIn] of principals)
  test(`${name} gets no more from any part of a page than from the whole page`, async () => {
    test.setTimeout(300_000)
    const cookie = await signIn()
    const failed: string[] = []
    const found: { page: Page; what: string; words: string[] }[] = []
    const { wholes, knownOf } = await readWholes(cookie)
    for (const [page, whole] of wholes) {
      const known = knownOf(page)
      const look = (what: string, { status, body }: Answer) => {
        const words = beyond(body, known)
        if (status >= 500) failed.push(`${what}: ${status}`)
        if (words.length > 0) found.push({ page, what, words })
      }
      look(`${page.path} whole`, whole)
      // in production the pages of developers aren't there for anybody, which a test below shows for each part
      if (isOfDevelopers(page) || (isPublic(page) && !seesPublic.includes(name))) continue
      // what refuses a page must refuse each part of it; of a page that they may open, each part is asked for by some
      const opens = whole.status === 200 && name !== 'nobody'
      const turn = pages.indexOf(page) + principals.findIndex(([each]) => each === name)
      for (const [index, { path, headers }] of [...partsOf(page)].entries())
        if (!opens || (index + turn) % 3 === 0)
          look(`${path} ${JSON.stringify(headers)}`, await ask(path, { cookie, ...headers }))
    }
    expect(failed).toEqual([])
    if (found.length === 0) return
    // a notice may have come since the whole pages were read: what a part shows more, they show by now
    const later = await readWholes(cookie)
    const statuses = (of: typeof wholes) => [...of].map(([{ path }, { status }]) => `${path} ${status}`)
    expect(statuses(later.wholes), 'asking for parts opens no page').toEqual(statuses(wholes))
    const more = found.map(({ page, what, words }) => {
      const known = later.knownOf(page)
      return { what, words: words.filter((word) => !known.has(word)) }
    })
    expect(
      more.filter(({ words }) => words.length > 0).map(({ what, words }) => `${what}: ${words.slice(0, 12).join(' ')}`),
    ).toEqual([])
  })

test('a requested leaf is really returned without its layouts, here to an administrator', async () => {
  const cookie = await cookiesOf('admin')
  const page = pages.find(({ path }) => path === '/platform/setting/device-types')
  if (!page) throw new Error('there is no such page')
  const leaf = await ask(page.path, {
    cookie,
    rsc: '1',
    'next-router-state-tree': stateTree(page, page.segments.length + 1),
  })
  const whole = await ask(page.path, { cookie, accept: 'text/html' })
  expect(leaf.status).toBe(200)
  expect(wordsOf(leaf.body).size).toBeGreaterThan(5)
  expect(wordsOf(leaf.body).size).toBeLessThan(wordsOf(whole.body).size)
})

test('production has no page for developers, whole or in parts', async () => {
  for (const login of [null, 'admin']) {
    const cookie = login ? await cookiesOf(login) : ''
    const own = pages.filter(isOfDevelopers)
    expect(own.length).toBeGreaterThan(2)
    for (const page of own) {
      expect((await ask(page.path, { cookie, accept: 'text/html' })).status, page.path).toBe(404)
      for (const { path, headers } of partsOf(page)) {
        const { body } = await ask(path, { cookie, ...headers })
        expect(body, `${path} ${JSON.stringify(headers)}`).not.toMatch(
          /Элементы интерфейса|Исходящие|Сетевые алиасы|outbox-recipient/,
        )
      }
    }
  }
})
