import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domains, locales } from '@/db/schema/platform'
import type { CallInput } from '@/lib/base/contracts/contract'
import {
  listMessageTexts,
  previewMessageTexts,
  readMessageTexts,
  writeMessageTexts,
} from '@/lib/messaging/message-texts/contract'
import type { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'

type Body = CallInput<typeof writeMessageTexts>['body']
type Place = { localeId: string; domainId: string }

async function place(): Promise<Place> {
  const locale = first(await db().select().from(locales).where(eq(locales.code, 'en')))
  const domain = first(
    await db()
      .insert(domains)
      .values({ comment: `Texts ${randomUUID()}` })
      .returning(),
  )
  return { localeId: locale.id, domainId: domain.id }
}

const id = 'mail-invitation'
/** Messages that no other proof changes. */
const untouched = ['mail-firstEntry', 'mail-passwordReset', 'mail-accessRefused', 'mail-accountDeleted', 'mail-digest']
const text = 'Dear guest of {project}'
const written = ({ localeId, domainId }: Place, more: Partial<Body> = {}) => ({
  params: { id },
  body: { localeId, domainId, texts: [{ part: 'heading', text: 'Be our guest' }], ...more },
})
/** A save that is refused for its first text. */
const refused =
  (given: string, part = 'heading', message = id) =>
  (_: Caller, { localeId, domainId }: Place) => ({
    params: { id: message },
    body: { localeId, domainId, texts: [{ part, text: given }] },
  })

const faults = {
  errorTextKey: { field: 'texts.0.part', input: refused('x', '__proto__') },
  errorTextSyntax: { field: 'texts.0.text', input: refused('{') },
  errorTextTag: { field: 'texts.0.text', input: refused('<b>x</b>') },
  errorTextArgument: { field: 'texts.0.text', input: refused('{secret}') },
  errorTextKind: { field: 'texts.0.text', input: refused('{project, plural, other {#}}', 'subject') },
  errorTextLines: { field: 'texts.0.text', input: refused('a\nBcc: all@example.com', 'subject') },
  errorTextRequired: { field: 'texts.0.text', input: refused('Your code', 'subject', 'mail-signInCode') },
  errorTextBlank: {
    field: 'texts.0.text',
    input: refused('{kind, select, other {}}', 'heading', 'mail-contactChanged'),
  },
  errorTextAddress: { field: 'texts.0.text', input: refused('Visit evil.example') },
  errorTextAttached: { field: 'texts.0.text', input: refused('c/{code}', 'subject', 'mail-signInCode') },
  errorNamedTwice: {
    field: 'texts.1.part',
    input: (_: Caller, of: Place) => written(of, { texts: [1, 2].map(() => ({ part: 'heading', text: 'x' })) }),
  },
} as const

export default [
  proof(listMessageTexts, {
    prepare: async (caller) => {
      const [of, message] = [await place(), untouched.pop() ?? '']
      const body = { ...of, texts: [{ part: 'heading', text: 'Words' }] }
      await caller.call(writeMessageTexts, { params: { id: message }, body })
      return { of, message }
    },
    input: ({ message }) => ({ query: { filter: { search: message, own: 'domain' as const } } }),
    shows: ({ of, message }) => ({
      messages: [{ id: message, kind: 'mail', own: [{ ...of, count: 1 }] }],
      meta: { total: 1 },
    }),
  }),
  proof(readMessageTexts, {
    prepare: async (caller) => {
      const [of, heading] = [await place(), `Be our guest ${randomUUID()}`]
      await caller.call(writeMessageTexts, written(of, { texts: [{ part: 'heading', text: heading }] }))
      return { of, heading }
    },
    input: ({ of }) => ({ params: { id }, query: of }),
    shows: ({ heading }, { parts }) => ({
      kind: 'mail',
      parts: parts.map(({ part, text: shown }) =>
        part === 'heading' ? { part, text: heading, inherited: 'You’re invited' } : { part, text: shown },
      ),
    }),
  }),
  proof(writeMessageTexts, {
    makes: ['update domains'],
    prepare: place,
    input: (of) => written(of, { texts: [{ part: 'text', text }] }),
    look: async (caller, of) =>
      (await caller.call(readMessageTexts, { params: { id }, query: of })).parts.find(({ part }) => part === 'text'),
    shows: () => ({ text }),
    errors: {
      ...faults,
      errorTextSms: { field: 'texts.0.text', input: refused('long '.repeat(80), 'text', 'sms-test') },
      conflict: { input: (_: Caller, of: Place) => written(of, { version: 'older' }) },
    },
  }),
  proof(previewMessageTexts, {
    reads: true,
    prepare: async () => ({ ...(await place()), tried: `Tried ${randomUUID()}` }),
    input: ({ tried, ...of }) => ({
      params: { id: 'sms-test' },
      body: { ...of, texts: [{ part: 'text', text: tried }] },
    }),
    shows: ({ tried }) => ({ mail: null, sms: { text: tried, characters: 42, parts: 1, most: 2 } }),
    errors: faults,
  }),
]
