import { Worker } from 'node:worker_threads'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { documentLocales } from '@/db/schema'
import { drawMarkup } from '@/lib/base/markup/markup'
import { markupLimits } from '@/lib/base/markup/markup-limits'
import { metrics } from '@/lib/base/runtime/metrics'
import { createDocument, readDocument, updateDocument } from '@/lib/documents/documents/contract'
import { withHtml } from '@/lib/documents/documents/drawn'
import { selectDocumentTexts } from '@/lib/documents/documents/queries'
import { documentPage } from '@/lib/documents/documents/service'
import { helpPage } from '@/lib/documents/help/service'
import { callerFor } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { localeId } from '../../factories/platform'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what a text becomes is judged here; on a busy machine any of them could be late
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers().restoreAllMocks())

const table = (size: number) => {
  const row = `${'|x'.repeat(size)}|\n`
  return `${row}${'|-'.repeat(size)}|\n${row.repeat(size)}`
}
/** Rows with a cell or two are as wide as their head. */
const wide = `${'|a'.repeat(600)}|\n${'|-'.repeat(600)}|\n${'x\n'.repeat(600)}`
const body = async (content: string, more: object = {}) => ({
  type: 'document' as const,
  locales: [{ localeId: await localeId('ru'), name: 'Текст', linkName: 'Текст', content }],
  ...more,
})
const refused = {
  status: 400,
  body: { data: { errorList: [{ field: 'locales.0.content', code: 'errorTooTangled' }] } },
}

describe('a text that becomes much more than it is', () => {
  test.each([
    ['many references to one note', `${'[^1]'.repeat(5_000)}\n\n[^1]: x`, 'md'],
    [
      'emphasis that every paragraph opens again',
      `<p>${Array.from({ length: 90 }, (_, n) => `<b id=a${n}></z>`).join('')}${'<p>x'.repeat(800)}`,
      'html',
    ],
  ])(
    '%s is refused, and another thread has drawn it',
    async (_, content, format) => {
      const caller = await callerFor(createDocument)
      const posted = vi.spyOn(Worker.prototype, 'postMessage')
      const answer = await caller.send(createDocument, { body: await body(content, { format }) })
      expect(answer).toMatchObject(refused)
      expect(posted).toHaveBeenCalled()
    },
    60_000,
  )

  test.each([
    ['a table of 600 by 600 cells', wide, 'md'],
    ['elements and little else', '<br>'.repeat(40_000), 'html'],
  ])('%s is refused before anything draws it', async (_, content, format) => {
    const caller = await callerFor(createDocument)
    const posted = vi.spyOn(Worker.prototype, 'postMessage')
    expect(await caller.send(createDocument, { body: await body(content, { format }) })).toMatchObject(refused)
    expect(posted).not.toHaveBeenCalled()
  })

  test('an honest table of 100 by 100 cells is drawn once, at saving', async () => {
    const caller = await callerFor(createDocument)
    const { id } = await caller.call(createDocument, { body: await body(table(100)) })
    const [row] = await db().select().from(documentLocales).where(eq(documentLocales.documentId, id))
    expect(row?.html?.match(/<td>/g)).toHaveLength(10_000)
    expect((await documentPage(await createContext(), id)).html).toBe(row?.html)
  }, 60_000)
})

test('what is drawn follows the text and its format, and isn’t part of the document', async () => {
  const caller = await callerFor(createDocument)
  const { id } = await caller.call(createDocument, { body: await body('# Раз\n\n**два**') })
  const page = async () => (await documentPage(await createContext(), id)).html
  expect(await page()).toBe('<h2 id="part-1">Раз</h2>\n<p><strong>два</strong></p>')
  await caller.call(updateDocument, {
    params: { id },
    body: { code: 'drawn', ...(await body('<i>три</i>', { format: 'html' })) },
  })
  expect(await page()).toBe('<i>три</i>')
  const { locales } = await caller.call(readDocument, { params: { id } })
  expect(Object.keys(locales[0] ?? {})).toEqual(['localeId', 'name', 'linkName', 'content'])
})

test('what an earlier version stored is drawn at its first view, also if it is too much', async () => {
  const caller = await callerFor(createDocument)
  for (const [content, html] of [
    ['*раз*', '<p><em>раз</em></p>'],
    [`${wide}\n\n<b>&`, `<p>${wide}\n\n&lt;b&gt;&amp;</p>`],
  ] as const) {
    const { id } = await caller.call(createDocument, { body: await body('x') })
    const ofDocument = eq(documentLocales.documentId, id)
    await db().update(documentLocales).set({ content, html: null }).where(ofDocument)
    expect((await documentPage(await createContext(), id)).html).toBe(html)
    expect((await db().select().from(documentLocales).where(ofDocument))[0]?.html).toBe(html)
    const help = await helpPage(await createContext(), '')
    expect(help.documents.length).toBeGreaterThan(0)
  }
}, 60_000)

/** The thread, which could be quicker than the clock, doesn't get the next text. */
const nothingReachesTheThread = () => void vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(() => {})

test('what a busy machine doesn’t draw in time is shown as it was written, and drawn at the next reading', async () => {
  const caller = await callerFor(createDocument)
  const { id } = await caller.call(createDocument, { body: await body('x') })
  const ofDocument = eq(documentLocales.documentId, id)
  await db().update(documentLocales).set({ content: '*раз*', html: null }).where(ofDocument)
  const read = async () => withHtml(await selectDocumentTexts(id, 1))
  const texts = await selectDocumentTexts(id, 1)
  nothingReachesTheThread()
  const late = withHtml(texts)
  await vi.advanceTimersByTimeAsync(10_000)
  expect((await late).map(({ html }) => html)).toEqual(['<p>*раз*</p>'])
  expect((await db().select().from(documentLocales).where(ofDocument))[0]?.html).toBeNull()
  expect((await read()).map(({ html }) => html)).toEqual(['<p><em>раз</em></p>'])
  expect((await db().select().from(documentLocales).where(ofDocument))[0]?.html).toBe('<p><em>раз</em></p>')
})

test('what a busy machine doesn’t draw is shown also where the thread was started by another copy of the code', async () => {
  const shared = globalThis as { platformDrawer?: unknown }
  const drawer = shared.platformDrawer
  const foreign = Object.assign(new Error('unavailable'), { name: 'AppError', status: 503 })
  shared.platformDrawer = () => Promise.reject(foreign)
  const text = { documentId: '', version: 1, localeId: '', content: 'a < b', format: 'md' as const, html: null }
  try {
    expect(await withHtml([text])).toMatchObject([{ html: '<p>a &lt; b</p>' }])
  } finally {
    shared.platformDrawer = drawer
  }
})

test('what can hold nothing in HTML holds nothing inside of SVG and MathML either', async () => {
  for (const around of ['svg', 'math'])
    for (const inner of ['<input>x</input>', '<img src="/a.svg">y</img>', '<br>z</br>', '<hr><p>a</hr>'])
      expect(await drawMarkup(`<${around}>${inner}</${around}>`, 'html'), inner).toHaveProperty('html')
})

/** How many texts had this outcome so far. */
const counted = async (outcome: string) => {
  const metric = await metrics().registry.getSingleMetric('platform_drawings_total')?.get()
  return metric?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
}

test('a text that isn’t drawn in time is to blame only if the thread had a processor', async () => {
  const drawing = async () => {
    nothingReachesTheThread()
    const drawn = drawMarkup(table(100), 'md').catch(({ status, code }) => [status, code])
    await vi.advanceTimersByTimeAsync(10_000)
    return drawn
  }
  const before = [await counted('busy'), await counted('late')]
  expect(await drawing()).toEqual([503, 'unavailable'])
  const worked = vi.spyOn(Worker.prototype, 'cpuUsage').mockResolvedValue({ user: 5_500_000, system: 0 })
  expect(await drawing()).toEqual({ fault: 'late' })
  worked.mockRestore()
  expect([await counted('busy'), await counted('late')]).toEqual(before.map((each) => each + 1))
  expect(await drawMarkup('*x*', 'md')).toEqual({ html: '<p><em>x</em></p>' })
})

test('what is too large for sure gets the same answer on a busy machine, which has no time to draw it', async () => {
  const rows = `|a|b|c|d|e|\n|-|-|-|-|-|\n${'|1|2|3|4|5|\n'.repeat(6_500)}`
  for (const [text, format] of [
    [rows, 'md'],
    ['x\n\n'.repeat(40_000), 'md'],
    ['<br>'.repeat(40_000), 'html'],
  ] as const) {
    const drawn = drawMarkup(text, format).catch(({ status, code }) => [status, code])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await drawn).toEqual({ fault: 'large' })
  }
})

test('a thread that a text kept too long or that died is replaced', async () => {
  const before = await counted('memory')
  const bomb = `<p>${Array.from({ length: 90 }, (_, n) => `<b id=a${n}>`).join('')}${'<p>x'.repeat(15_000)}`
  expect(await drawMarkup(bomb, 'html')).toEqual({ fault: 'large' })
  expect(await counted('memory')).toBe(before + 1)
  expect(await drawMarkup('<i>'.repeat(markupLimits.elements), 'html')).toEqual({ fault: 'large' })
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => drawMarkup(`*${n}*`, 'md')))
  expect(all).toEqual(all.map((_, n) => ({ html: `<p><em>${n}</em></p>` })))
})
