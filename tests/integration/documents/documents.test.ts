import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { RichText } from '@/components/ui/rich-text'
import { db } from '@/db/client'
import { documents } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { viewDocument } from '@/lib/documents/documents/contract'
import { Browser } from '../../factories/browser'
import { createAgreement, publishVersion } from '../../factories/domains'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const view = handlerOf(viewDocument)

useTestDatabase()

const read = (id: string, query: Record<string, string> = {}) =>
  new Browser().send(view, 'GET', { params: { id }, query })

describe('a document', () => {
  test('is found by id and by code, in its current version, while it is enabled', async () => {
    const id = await createAgreement()
    const [row] = await db().select().from(documents).where(eq(documents.id, id))
    const inVersion = (version: number) => ({
      documents: [{ locale: 'ru', name: 'Соглашение', content: `Текст ${version}`, format: 'md' }],
    })
    expect((await read(id)).body).toEqual(inVersion(1))
    expect((await read(row?.code ?? '')).body).toEqual(inVersion(1))
    expect((await read(id.toUpperCase())).body).toEqual(inVersion(1))
    await publishVersion(id, 2)
    dropCached('documents')
    expect((await read(id)).body).toEqual(inVersion(2))
    // the next version is a draft
    await publishVersion(id, 3)
    await db().update(documents).set({ version: 2 }).where(eq(documents.id, id))
    dropCached('documents')
    // a version that somebody agreed to stays readable
    expect((await read(id, { version: '1' })).body).toEqual(inVersion(1))
    expect((await read(id, { version: '3' })).status).toBe(404)
    expect(await read(id, { version: 'x' })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'version', code: 'errorFormat' }] } },
    })
    await db().update(documents).set({ enabled: false }).where(eq(documents.id, id))
    dropCached('documents')
    expect(await read(id)).toMatchObject({ status: 404, body: { code: 'notFound' } })
    expect((await read('there-is-none')).status).toBe(404)
  })
})

test('names that visitors make up, and spellings of an id, keep nothing more', async () => {
  const id = await createAgreement()
  dropCached('documents')
  expect((await read(id)).status).toBe(200)
  const { entries } = (globalThis as unknown as { platformCache: { entries: Map<string, unknown> } }).platformCache
  const before = [...entries.keys()]
  for (let at = 0; at < id.length; at++)
    expect((await read(id.slice(0, at) + id.slice(at).toUpperCase())).status).toBe(200)
  for (let n = 0; n < 20; n++) {
    const name = n % 2 === 0 ? randomUUID() : `there-is-none-${n}`
    expect((await read(name)).status).toBe(404)
    expect((await read(id, { version: String(n + 2) })).status).toBe(404)
  }
  expect([...entries.keys()].filter((key) => !before.includes(key))).toEqual([])
})

describe('hostile text', () => {
  const html = (text: string, format?: 'md' | 'html') => renderToStaticMarkup(RichText({ text, format }))
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt&#58;alert(1))',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<iframe src="https://evil.example"></iframe>',
    '<style>*{display:none}</style>',
    '<form action="https://evil.example"><input name=password></form>',
    '<p style="position:fixed" onclick="alert(1)">x</p>',
    '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  ]
  const runs = /<(script|iframe|style|form|svg|math|object|embed)|<[^>]+\s(on\w+|style)=|="\s*(javascript|data):/i
  test.each(hostile)('%s doesn’t run', (text) => {
    expect(html(text, 'md')).not.toMatch(runs)
    expect(html(text, 'html')).not.toMatch(runs)
  })
  test('markdown and harmless HTML are kept', () => {
    expect(html('## Title\n\n- one\n\n<b>bold</b> [link](https://polaris.example)')).toBe(
      '<div class="rich-text"><h2 id="part-1">Title</h2>\n<ul>\n<li>one</li>\n</ul>\n<p><b>bold</b> <a href="https://polaris.example" rel="noopener">link</a></p></div>',
    )
  })
  test('HTML is read as HTML: an indented line is no code, a hash no heading', () => {
    expect(html('<h1>T</h1>\n\n    <p># not *this*</p>', 'html')).toBe(
      '<div class="rich-text"><h2 id="part-1">T</h2>\n\n    <p># not *this*</p></div>',
    )
  })
  test('a picture of the platform is kept; another one is replaced by its text, and no browser requests it', () => {
    expect(html('![plan](/style/default/images/logo.svg)')).toContain(
      '<img loading="lazy" src="/style/default/images/logo.svg" alt="plan"/>',
    )
    for (const from of ['https://evil.example/x.png', '//evil.example/x.png', '/\\evil.example/x.png', 'x.png'])
      for (const text of [html(`![plan](${from})`), html(`<img src="${from}" alt="plan">`, 'html')]) {
        expect(text).toContain('plan')
        expect(text).not.toContain('<img')
      }
  })
  test('tables of markdown are tables', () => {
    expect(html('| a |\n|---|\n| b |')).toContain('<td>b</td>')
  })
})
