import { randomInt, randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { RichText } from '@/components/ui/rich-text'
import { db } from '@/db/client'
import { accessListEntries, banners, documentLocales, documents, domainLocales, history, locales } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import * as documentCalls from '@/lib/documents/documents/contract'
import { ownTextFault } from '@/lib/messaging/locale-texts/check'
import { writeLocaleTexts } from '@/lib/messaging/locale-texts/contract'
import * as lists from '@/lib/network/access-lists/contract'
import * as bannerCalls from '@/lib/site/banners/contract'
import * as localeCalls from '@/lib/site/locales/contract'
import { projectInfo } from '@/lib/site/project-info/service'
import { compose } from '@/lib/wiring/compose'
import { oneOf30, thirty } from '../../factories/at-once'
import { type AnyContract, type Caller, callerFor, type Input } from '../../factories/caller'
import { createDomainWith, first, localeId, texts } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let [libraries, access] = [{} as Caller, {} as Caller]
beforeAll(async () => {
  await compose()
  libraries = await callerFor(documentCalls.createDocument)
  access = await callerFor(lists.createWhitelistEntry)
})

const documentBody = async (name = 'Правила', content = '# Текст') => ({
  code: randomUUID(),
  type: 'agreement' as const,
  adminVisible: true,
  format: 'md' as const,
  locales: [{ localeId: await localeId('ru'), name, linkName: 'правила', content }],
})
const updatesOf = (id: string) =>
  db().$count(history, and(eq(history.entityId, id), eq(history.type, 'update'), eq(history.field, 'comment')))

describe('of thirty saves of one version one is stored:', () => {
  type Made = { contract: AnyContract; caller: Caller; input: (n: number) => Input; stored: () => Promise<string> }
  const made: Record<string, () => Promise<Made>> = {
    'a document that people must agree to again': async () => {
      const body = await documentBody()
      const { id } = await libraries.call(documentCalls.createDocument, { body })
      const { updatedAt } = await libraries.call(documentCalls.readDocument, { params: { id } })
      const input = (n: number) => ({
        params: { id },
        body: {
          ...body,
          agreeAgain: true,
          updatedAt,
          locales: body.locales.map((text) => ({ ...text, content: `${n}` })),
        },
      })
      const stored = async () => {
        const [row] = await db().select().from(documents).where(eq(documents.id, id))
        // the version rose once, and has one text
        expect(row?.version).toBe(2)
        const current = await db().select().from(documentLocales).where(eq(documentLocales.documentId, id))
        expect(current.map(({ version }) => version).sort()).toEqual([1, 2])
        return current.find(({ version }) => version === 2)?.content ?? ''
      }
      return { contract: documentCalls.updateDocument, caller: libraries, input, stored }
    },
    'a banner': async () => {
      const body = { title: 'Работы', code: randomUUID(), text: '', link: '' }
      const { id } = await libraries.call(bannerCalls.createBanner, { body })
      const read = async () => first(await db().select().from(banners).where(eq(banners.id, id)))
      const updatedAt = (await read()).updatedAt.toISOString()
      const input = (n: number) => ({ params: { id }, body: { ...body, text: `${n}`, updatedAt } })
      return { contract: bannerCalls.updateBanner, caller: libraries, input, stored: async () => (await read()).text }
    },
    'a language': async () => {
      const { id } = await libraries.call(localeCalls.createLocale, { body: { name: 'Қазақша', code: 'kk' } })
      const read = async () => first(await db().select().from(locales).where(eq(locales.id, id)))
      const updatedAt = (await read()).updatedAt.toISOString()
      const input = (n: number) => ({ params: { id }, body: { name: `${n}`, code: 'kk', updatedAt } })
      return { contract: localeCalls.updateLocale, caller: libraries, input, stored: async () => (await read()).name }
    },
    'an entry of a list': async () => {
      const { id } = await access.call(lists.createBlacklistEntry, { body: { ip: '198.51.100.0/24' } })
      const read = async () => first(await db().select().from(accessListEntries).where(eq(accessListEntries.id, id)))
      const updatedAt = (await read()).updatedAt.toISOString()
      const input = (n: number) => ({
        params: { id },
        body: { ip: '198.51.100.0/24', comment: `${n}`, updatedAt },
      })
      const stored = async () => {
        expect(await updatesOf(id)).toBe(1)
        return (await read()).comment
      }
      return { contract: lists.updateBlacklistEntry, caller: access, input, stored }
    },
  }
  test.each(Object.entries(made))('%s', async (_, make) => {
    const { contract, caller, input, stored } = await make()
    const answers = await thirty((n) => caller.send(contract, input(n)))
    expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
    expect(await stored()).toBe(`${answers.findIndex(({ status }) => status === 200)}`)
  })
})

describe('of thirty that are created at once', () => {
  test('one gets a code that all want, and each gets one when the platform makes it', async () => {
    const code = `race-${randomInt(1_000_000)}`
    const body = { title: 'Плановые работы', text: '', link: '' }
    const answers = await thirty(() => libraries.send(bannerCalls.createBanner, { body: { ...body, code } }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(400)])
    expect(await db().$count(banners, eq(banners.code, code))).toBe(1)
    const made = await thirty(() => libraries.send(bannerCalls.createBanner, { body }))
    expect(new Set(made.map((answer) => answer.body.code)).size).toBe(30)
    const one = await documentBody()
    const named = await thirty(() => libraries.send(documentCalls.createDocument, { body: one }))
    expect(named.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(400)])
    // whoever lost left no text behind
    const rows = await db().select({ id: documents.id }).from(documents).where(eq(documents.code, one.code))
    expect(rows).toHaveLength(1)
  })
})

test('thirty who switch off the last two languages at once leave one', async () => {
  const ids = [await localeId('ru'), await localeId('en')]
  const answers = await thirty((n) =>
    libraries.send(localeCalls.enableLocale, { params: { id: ids[n % 2] ?? '' }, body: { enabled: false } }),
  )
  expect(answers.some(({ body }) => body.code === 'localeLast')).toBe(true)
  const enabledLocales = await db()
    .select({ id: locales.id })
    .from(locales)
    .where(and(inArray(locales.id, ids), eq(locales.enabled, true)))
  expect(enabledLocales).toHaveLength(1)
  await db().update(locales).set({ enabled: true })
  dropCached('locales')
})

test('each domain and each language shows its own banners in its own order', async () => {
  const [one, two, three] = await Promise.all(
    ['Раз', 'Два', 'Три'].map(async (title) => {
      const { id } = await libraries.call(bannerCalls.createBanner, { body: { title, text: '', link: '' } })
      return id
    }),
  )
  const [a, b, c] = [one ?? '', two ?? '', three ?? '']
  const shownTitles = async (id: string, code: string) =>
    (await projectInfo({ id })).options[code]?.authBanners.map(({ title }) => title)
  const first = await createDomainWith({
    hosts: [],
    in: { ru: texts('Д', { banners: [c, a] }), en: texts('D', { banners: [a, b, c] }) },
  })
  const second = await createDomainWith({
    hosts: [],
    in: { ru: texts('Е', { banners: [b] }), en: texts('E', { banners: [] }) },
  })
  expect([await shownTitles(first, 'ru'), await shownTitles(first, 'en')]).toEqual([
    ['Три', 'Раз'],
    ['Раз', 'Два', 'Три'],
  ])
  expect([await shownTitles(second, 'ru'), await shownTitles(second, 'en')]).toEqual([['Два'], []])
  // whoever hides one hides it everywhere, at once; one that a domain has can't be deleted
  await libraries.call(bannerCalls.showBanner, { params: { id: c }, body: { visible: false } })
  expect([await shownTitles(first, 'ru'), await shownTitles(first, 'en')]).toEqual([['Раз'], ['Раз', 'Два']])
  expect((await libraries.send(bannerCalls.deleteBanner, { params: { id: c } })).status).toBe(409)
  await db()
    .delete(domainLocales)
    .where(inArray(domainLocales.domainId, [first, second]))
})

describe('hostile words', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'http://polaris.example/',
    '//evil.example/',
    '/\\evil.example/',
    'https://user:password@evil.example/',
    'https://',
    '\\\\evil.example',
  ])('%s is no link of a banner, and nothing is stored', async (link) => {
    const before = await db().$count(banners)
    const body = { title: 'Работы', text: '', link }
    const answer = await libraries.send(bannerCalls.createBanner, { body })
    expect([answer.status, answer.body.data]).toMatchObject([400, { errorList: [{ field: 'link' }] }])
    expect(await db().$count(banners)).toBe(before)
  })

  const pieces = [
    '<script>alert(1)</script>',
    '<scr<script>ipt>',
    '</textarea><svg onload=alert(1)>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<svg><use href="data:image/svg+xml;base64,PHN2Zz4="/></svg>',
    '<svg><animate attributeName=href values=javascript:alert(1) /><a id=x>x</a></svg>',
    '<math><maction actiontype="statusline#http://evil" xlink:href="javascript:alert(1)">x</maction></math>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="java&Tab;script:alert(1)">x</a>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<link rel=stylesheet href=//evil.example/x.css>',
    '<img srcset="https://evil.example/x.png 1x" src=/style/x.svg onerror=alert(1)>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '<details open ontoggle=alert(1)>',
    '<template><script>alert(1)</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '[x](<javascript:alert(1)>)',
    '![x](data:image/svg+xml,<svg onload=alert(1)>)',
    '[x]: javascript:alert(1)\n[x]',
    '<javascript:alert(1)>',
    '`<img src=x onerror=alert(1)>`',
    '<p id="__next" class="fixed inset-0" style="position:fixed">x</p>',
    '<form id=x><button formaction=javascript:alert(1)>x</button></form>',
    '<x onclick=alert(1)>',
    '"><img/src=x/onerror=alert(1)>',
    '\u0000<script\u0000>alert(1)</script>',
  ]
  const [opening, closing] = [
    ['<b>', '<table><tr><td>', '- ', '> ', '| a |\n|---|\n| ', '<!--', '<a href="'],
    ['</b>', '-->', '">', '\n\n', '`'],
  ]
  const random = caseNumbers(1_500)
  const pick = <T>(some: readonly T[]): T => some[random(some.length)] as T

  test('of a document never become something that runs, loads or covers, whatever they are mixed with', () => {
    const allowed = new Set(
      'div h2 h3 h4 h5 h6 p a b strong i em u s del sub sup br hr ul ol li blockquote pre code table thead tbody tfoot tr th td caption img span dl dt dd input section details summary kbd samp var q tt ruby rt rp picture source'.split(
        ' ',
      ),
    )
    for (const _ of eachRound(1_500)) {
      const text = Array.from({ length: 1 + random(5) }, () =>
        [random(2) ? pick(opening) : '', pick(pieces), random(2) ? pick(closing) : ''].join(''),
      ).join(pick(['', ' ', '\n', '\n\n']))
      for (const format of ['md', 'html'] as const) {
        // React itself asks for the platform's pictures early
        const html = renderToStaticMarkup(RichText({ text, format })).replace(
          /<link rel="preload" as="image" href="\/(?![/\\])[^"]*"\/>/g,
          '',
        )
        const message = `${format}: ${JSON.stringify(text)} became ${html}`
        // React writes every tag and value itself, so that each "<" of the result begins a tag
        for (const [, tag = '', rest = ''] of html.matchAll(/<\/?([a-z][^\s>/]*)([^>]*)>/gi)) {
          expect(allowed.has(tag.toLowerCase()), message).toBe(true)
          expect(rest.replace(/"[^"]*"/g, '""'), message).not.toMatch(
            /\s(on\w+|style|srcset|srcdoc|formaction|xlink:href)=/i,
          )
          expect(rest, message).not.toMatch(/class="[^"]*(fixed|inset)/)
          const href = /\shref="([^"]*)"/i.exec(rest)?.[1] ?? ''
          const scheme = /^[\s\p{Cc}]*([a-z][\w+.-]*):/iu.exec(href)?.[1]?.toLowerCase()
          expect([undefined, 'http', 'https', 'mailto', 'irc', 'ircs', 'xmpp'], message).toContain(scheme)
          const src = /\ssrc="([^"]*)"/i.exec(rest)?.[1]
          if (src !== undefined) expect(src, message).toMatch(/^\/(?![/\\])/)
        }
      }
    }
  })

  test('of a message nest as deep as a text may be long, and are refused or read, never a fault of the server', async () => {
    const deep = (open: string, inner: string, close: string, length = 4_000) => {
      const times = Math.floor((length - inner.length) / (open.length + close.length))
      return `${open.repeat(times)}${inner}${close.repeat(times)}`
    }
    const bombs = [
      deep('{n,plural,other{', 'x', '}}'),
      deep('{n,select,other{', '{n}', '}}'),
      deep('<b>', 'x', '</b>'),
      '{'.repeat(4_000),
      "'{".repeat(2_000),
      '<'.repeat(4_000),
      `{n, number, ::${'.'.repeat(3_900)}}`,
      `{n, plural, ${Array.from({ length: 300 }, (_, at) => `=${at} {#}`).join(' ')} other {#}}`,
      `{n, date, ::${'y'.repeat(3_900)}}`,
      '{n, plural, other {#}}'.repeat(180),
    ]
    const ru = await localeId('ru')
    for (const text of bombs) {
      expect(() => ownTextFault('mail.x', text, '{n}'), text.slice(0, 40)).not.toThrow()
      const { status } = await libraries.send(writeLocaleTexts, {
        params: { id: ru },
        body: { texts: [{ key: 'locales.inDomains', text }] },
      })
      expect([200, 400], text.slice(0, 40)).toContain(status)
    }
    await libraries.send(writeLocaleTexts, {
      params: { id: ru },
      body: { texts: [{ key: 'locales.inDomains', text: '' }] },
    })
    const many = Array.from({ length: 10_000 }, (_, at) => ({ key: `no.such.${at}`, text: '{' }))
    const answer = await libraries.send(writeLocaleTexts, { params: { id: ru }, body: { texts: many } })
    // an answer names a hundred faults at most
    expect([answer.status, (answer.body.data as { errorList: unknown[] }).errorList.length]).toEqual([400, 100])
    const more = [...many, { key: 'x', text: 'x' }]
    expect((await libraries.send(writeLocaleTexts, { params: { id: ru }, body: { texts: more } })).status).toBe(400)
  })
})
