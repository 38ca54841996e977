import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { isInsideTransaction } from '@/db/scope'
import { type DrawnMarkup, drawMarkup } from '@/lib/base/markup/markup'
import { createDocument, updateDocument } from '@/lib/documents/documents/contract'
import { signedInWith } from '../../factories/access'
import { Caller, callerFor } from '../../factories/caller'
import { admin, apply, changed, difference, type Loose, useDemoConfiguration } from '../../factories/configuration'
import { localeId } from '../../factories/platform'
import { useTestDatabase } from '../../setup/database'

// rules: docs/adr/0092-texts-are-drawn-once.md

// the thread is replaced: here it matters what it is given, and when
vi.mock('@/lib/base/markup/markup', () => ({ drawMarkup: vi.fn() }))
useTestDatabase()
useDemoConfiguration()

const given: string[] = []
let inside = false
const drawing = vi.mocked(drawMarkup)
const draw = async (text: string): Promise<DrawnMarkup> => {
  given.push(text)
  inside ||= isInsideTransaction()
  return text.startsWith('bad') ? { fault: 'large' } : { html: `<p>${text}</p>` }
}
drawing.mockImplementation(draw)
afterEach(() => {
  given.length = 0
  inside = false
  drawing.mockImplementation(draw)
})

const inLocales = async (...contents: string[]) =>
  Promise.all(
    contents.map(async (content, at) => ({
      ...{
        localeId: at < 2 ? await localeId(at === 0 ? 'ru' : 'en') : randomUUID(),
        name: 'x',
        linkName: 'x',
        content,
      },
    })),
  )
const body = async (...contents: string[]) => ({ type: 'document' as const, locales: await inLocales(...contents) })

test('what is refused anyway isn’t drawn, nor what is drawn already, nor what follows a text that can’t be', async () => {
  const caller = await callerFor(createDocument)
  const send = async (code: string, ...contents: string[]) =>
    caller.send(createDocument, { body: { ...(await body(...contents)), code } })
  expect((await send('turns', 'a', 'b', 'c')).status).toBe(400)
  expect(given).toEqual([])
  expect((await send('turns', 'bad', 'b')).status).toBe(400)
  expect(given.splice(0)).toEqual(['bad'])
  const made = await send('turns', 'a', 'b')
  expect(given.splice(0)).toEqual(['a', 'b'])
  expect((await send('turns', 'c', 'd')).status).toBe(400)
  const params = { id: (made.body as { id: string }).id }
  const update = async (more: object, ...contents: string[]) =>
    (await caller.send(updateDocument, { params, body: { ...(await body(...contents)), code: 'turns', ...more } }))
      .status
  expect(await update({ updatedAt: new Date(0).toISOString() }, 'e', 'f')).toBe(409)
  expect(await update({}, 'e', 'f', 'g')).toBe(400)
  expect(given).toEqual([])
  expect(await update({}, 'a', 'h')).toBe(200)
  expect(given).toEqual(['h'])
  expect(inside).toBe(false)
})

test('of one person one call draws at a time; texts of others have their turn between', async () => {
  const person = async () => new Caller((await signedInWith(['libraries.write'])).browser)
  const [one, other] = [await person(), await person()]
  const open: (() => void)[] = []
  drawing.mockImplementation(async (text, format) => {
    given.push(`${text} ${format}`)
    await new Promise<void>((resolve) => open.push(resolve))
    return { html: text }
  })
  const send = async (caller: Caller, text: string) => caller.send(createDocument, { body: await body(text) })
  const all = ['one 1', 'one 2', 'one 3'].map((text) => send(one, text))
  await vi.waitFor(() => expect(given).toHaveLength(1))
  all.push(send(other, 'other'))
  await vi.waitFor(() => expect(given).toHaveLength(2))
  expect(given[1]).toBe('other md')
  while (given.length < 4 || open.length > 0) {
    open.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const answer of await Promise.all(all)) expect(answer.status).toBe(200)
  expect(given.length).toBe(4)
})

test('an import draws what changes before it locks anything, and a difference too', async () => {
  const file = (...contents: string[]) =>
    changed(({ documents }: Loose) => {
      for (const [at, content] of contents.entries()) documents[at].texts[0].content = [content]
    })
  // the demo's own texts are drawn with the first of them
  expect((await difference(admin, file('new one', 'new two'))).status).toBe(200)
  expect(given).toEqual(expect.arrayContaining(['new one', 'new two']))
  expect((await apply(admin, file('new one', 'new two'))).status).toBe(200)
  given.length = 0
  expect((await apply(admin, file('new one', 'new three'))).status).toBe(200)
  expect(given).toContain('new three')
  expect(given).not.toContain('new one')
  const wrong = await apply(admin, file('new one', 'bad'))
  expect(wrong).toMatchObject({ status: 400, body: { code: 'configurationRefused' } })
  expect(wrong.body.data.errorList).toMatchObject([{ code: 'errorTooTangled' }])
  expect(inside).toBe(false)
})
