import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { computeCacheBustingSearchParam } from 'next/dist/shared/lib/router/utils/cache-busting-search-param.js'
import type { Kind } from '../factories/demo'
import { isFull } from '../setup/scope'
import { ownPerson } from './own-people'
import { serverOfFile } from './own-servers'
import { cookiesOf } from './signed-in'
import { expect, test } from './turn'
import { ru } from './words'

/**
 * When a browser navigates within the platform, it requests the part of a page that it lacks: headers say what it has,
 * and the answer is the leaf without the layouts above it. Anybody can send such headers by hand.
 */

const publicUrl = 'https://id.example'
const server = serverOfFile({
  PLATFORM_MODE: 'production',
  PUBLIC_URL: publicUrl,
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'no-reply@id.example',
})

type Answer = { status: number; location: string | null; body: string }
type Headers = Record<string, string>

/** An address with the hash of these headers, without which Next redirects a request for a part to it. */
async function hashed(path: string, headers: Headers): Promise<string> {
  if (!headers.rsc) return path
  const nextHeader = (name: string) => headers[`next-${name}`]
  const prefetch = nextHeader('router-prefetch') === '1' ? '1' : undefined
  const others = [nextHeader('router-segment-prefetch'), nextHeader('router-state-tree'), nextHeader('url')] as const
  return `${path}?_rsc=${await computeCacheBustingSearchParam(prefetch, ...others)}`
}

async function ask(path: string, headers: Headers): Promise<Answer> {
  const { address } = await server()
  let target = await hashed(path, headers)
  for (let turn = 0; ; turn++) {
    // compressing the answers, which are long, would cost a quarter of the test
    const plain = { ...headers, 'accept-encoding': 'identity' }
    const answer = await fetch(`${address}${target}`, { redirect: 'manual', headers: plain })
    const location = answer.headers.get('location')
    // the hash doesn't count headers that the server has dropped
    const again = location && /[?&]_rsc=/.test(location) && new URL(location, publicUrl).pathname === path
    if (!again || turn > 2) return { status: answer.status, location, body: await answer.text() }
    const { pathname, search } = new URL(location, publicUrl)
    target = pathname + search
  }
}

/** The cookies of this file's person of a kind, as a browser sends them to an address with https. */
const cookiesOfOwn = async (kind: Kind) => cookiesOf((await ownPerson(kind)).login, (name) => `__Host-${name}`)

type Segment = string | [string, string, 'd', null]
type Page = { path: string; segments: Segment[] }

/** Every page file, with an address that it answers. */
const pages: Page[] = readdirSync('app', { recursive: true, withFileTypes: true })
  .filter(({ name }) => /^page(\.dev)?\.tsx$/.test(name))
  // the same everywhere, because the place decides which parts `npm test` asks for
  .toSorted((one, other) => (one.parentPath < other.parentPath ? -1 : 1))
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

type Part = { path: string; headers: Headers }

/**
 * Every way to request a part of a page: what a browser without anything of it requests, what it requests for the leaf
 * alone, and all others.
 */
function partsOf(page: Page): { all: Part; leaf: Part; others: Part[] } {
  const { path, segments } = page
  const rsc = { rsc: '1' }
  const others: Part[] = []
  const add = (headers: Headers, of = path) => void others.push({ path: of, headers })
  const leafDepth = segments.length + 1
  for (let depth = 1; depth <= leafDepth + 1; depth++)
    for (const mark of [undefined, 'refetch', 'inside-shared-layout', 'metadata-only'])
      if (mark || depth !== leafDepth) add({ ...rsc, 'next-router-state-tree': stateTree(page, depth, mark) })
  const leaf = { ...rsc, 'next-router-state-tree': stateTree(page, leafDepth) }
  for (const prefetch of ['1', '2', '3']) add({ ...leaf, 'next-router-prefetch': prefetch })
  const keys = segments.map((each) => (typeof each === 'string' ? each : `$d$${each[0]}`).replace(/[()]/g, '!'))
  for (const segment of [
    '/_tree',
    '/_index',
    '/_full',
    '/_head',
    `/${keys.join('/')}`,
    `/${keys.join('/')}/__PAGE__`,
  ]) {
    add({ ...rsc, 'next-router-prefetch': '1', 'next-router-segment-prefetch': segment })
    add({}, `${path}.segments${segment}.segment.rsc`)
  }
  for (const broken of ['x', '%zz', '[]', '["",{}]x']) add({ ...rsc, 'next-router-state-tree': broken })
  add({ ...leaf, 'next-url': '/platform/login' })
  add({ ...leaf, 'next-hmr-refresh': '1' })
  for (const ending of ['.rsc', '.prefetch.rsc', '.txt']) add(leaf, `${path}${ending}`)
  add({ ...leaf, 'x-middleware-subrequest': 'middleware:middleware:middleware' })
  return { all: { path, headers: rsc }, leaf: { path, headers: leaf }, others }
}

/**
 * The parts of a page that are asked for by one of `askers` people. In `npm test` these are the leaf, the whole, and one
 * other part, which differs from page to page and from person to person.
 */
function askedParts(page: Page, asker: number, askers: number): Part[] {
  const { all, leaf, others } = partsOf(page)
  const turn = pages.indexOf(page) * askers + asker
  return [all, leaf, ...others.filter((_, at) => isFull || at === turn % others.length)]
}

/** Returns the contents of an answer: Russian words, and the names and addresses that data consist of. */
const wordsOf = (body: string) =>
  new Set(body.match(/[А-ЯЁа-яё]{3,}|[\w.-]+@[\w.-]+\.\w+|\b(?:\d{1,3}\.){3}\d{1,3}(?:\/\d+)?\b/g) ?? [])

/** Returns the words of an answer that aren't known. */
const beyond = (body: string, knownWords: ReadonlySet<string>) =>
  [...wordsOf(body)].filter((word) => !knownWords.has(word))

/**
 * Words without data: every page with Next's client carries its own failure and the label of its notices, and every
 * answer may be the page for what doesn't exist.
 */
const constant = wordsOf(
  JSON.stringify([ru['not-found'], ru['unknown-link'], ru.failure, ru.common.notices, ru.common.closeNotice]),
)

/** Pages that explain why the requested one isn't shown. */
const refusals = ['/platform/404', '/platform/no-access']

const principals: [string, () => Promise<string>][] = [
  ['nobody', async () => ''],
  // the middleware takes it for a session
  ['nobody with a dead cookie', async () => '__Host-session=dead'],
  ['somebody without a method', () => cookiesOfOwn('noServices')],
  ['a user', () => cookiesOfOwn('oneService')],
  ['support', () => cookiesOfOwn('support')],
  ['an administrator', () => cookiesOfOwn('administrator')],
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
  const open = new Set([...wordsOf(opened.map(([, { body }]) => body).join(' ')), ...constant])
  const knownOf = (page: Page): ReadonlySet<string> => {
    const whole = wholes.get(page)
    if (whole?.status === 200) return new Set([...wordsOf(whole.body), ...constant])
    return whole && isPublic(page) ? new Set([...wordsOf(whole.body), ...open]) : open
  }
  return { wholes, knownOf }
}

for (const [asker, [name, signIn]] of principals.entries())
  test(`${name} gets no more from any part of a page than from the whole page`, async () => {
    // a full run asks for some thousand parts
    test.setTimeout(1_800_000)
    const cookie = await signIn()
    const failed: string[] = []
    const leaks: { page: Page; what: string; words: string[] }[] = []
    const { wholes, knownOf } = await readWholes(cookie)
    for (const [page, whole] of wholes) {
      const knownWords = knownOf(page)
      const look = (what: string, { status, body }: Answer) => {
        const words = beyond(body, knownWords)
        if (status >= 500) failed.push(`${what}: ${status}`)
        if (words.length > 0) leaks.push({ page, what, words })
      }
      look(`${page.path} whole`, whole)
      // in production the pages of developers aren't there for anybody, which a test below shows for each part
      if (isOfDevelopers(page) || (isPublic(page) && !seesPublic.includes(name))) continue
      for (const { path, headers } of askedParts(page, asker, principals.length))
        look(`${path} ${JSON.stringify(headers)}`, await ask(path, { cookie, ...headers }))
    }
    expect(failed).toEqual([])
    if (leaks.length === 0) return
    // a notice may have come since the whole pages were read: what a part shows more, they show by now
    const later = await readWholes(cookie)
    const statuses = (of: typeof wholes) => [...of].map(([{ path }, { status }]) => `${path} ${status}`)
    expect(statuses(later.wholes), 'asking for parts opens no page').toEqual(statuses(wholes))
    const more = leaks.map(({ page, what, words }) => {
      const knownWords = later.knownOf(page)
      return { what, words: words.filter((word) => !knownWords.has(word)) }
    })
    expect(
      more.filter(({ words }) => words.length > 0).map(({ what, words }) => `${what}: ${words.slice(0, 12).join(' ')}`),
    ).toEqual([])
  })

test('a requested leaf is really returned without its layouts, here to an administrator', async () => {
  const cookie = await cookiesOfOwn('administrator')
  const page = pages.find(({ path }) => path === '/platform/setting/device-types')
  if (!page) throw new Error('there is no such page')
  const leaf = await ask(page.path, { cookie, ...partsOf(page).leaf.headers })
  const whole = await ask(page.path, { cookie, accept: 'text/html' })
  expect(leaf.status).toBe(200)
  expect(wordsOf(leaf.body).size).toBeGreaterThan(5)
  expect(wordsOf(leaf.body).size).toBeLessThan(wordsOf(whole.body).size)
})

test('production has no page for developers, whole or in parts', async () => {
  for (const [asker, signIn] of [async () => '', () => cookiesOfOwn('administrator')].entries()) {
    const cookie = await signIn()
    const developerPages = pages.filter(isOfDevelopers)
    expect(developerPages.length).toBeGreaterThan(2)
    for (const page of developerPages) {
      expect((await ask(page.path, { cookie, accept: 'text/html' })).status, page.path).toBe(404)
      for (const { path, headers } of askedParts(page, asker, 2)) {
        const { body } = await ask(path, { cookie, ...headers })
        expect(body, `${path} ${JSON.stringify(headers)}`).not.toMatch(
          /Элементы интерфейса|Исходящие|Сетевые алиасы|outbox-recipient/,
        )
      }
    }
  }
})
