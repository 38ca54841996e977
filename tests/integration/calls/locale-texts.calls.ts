import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { locales } from '@/db/schema/platform'
import type { CallInput } from '@/lib/base/contracts/contract'
import { exportLocaleTexts, listLocaleTexts, writeLocaleTexts } from '@/lib/messaging/locale-texts/contract'
import type { Caller } from '../../factories/caller'
import { freeLanguageCode } from '../../factories/language-codes'
import { first } from '../../factories/platform'
import { proof, provenIn } from '../../factories/proofs'

type Text = CallInput<typeof writeLocaleTexts>['body']['texts'][number]

const newLocale = async () =>
  first(await db().insert(locales).values({ name: 'Қазақша', code: freeLanguageCode() }).returning()).id
const key = 'entry.id.title'
const bodyOf = (more: Partial<Text> = {}) => ({ texts: [{ key, text: 'Кіру', ...more }] })
const refused = (texts: Text[]) => (_: Caller, id: string) => ({ params: { id }, body: { texts } })

export default [
  proof(listLocaleTexts, {
    prepare: async (caller) => {
      const [id, text] = [await newLocale(), `Кіру ${randomUUID()}`]
      await caller.call(writeLocaleTexts, { params: { id }, body: bodyOf({ text }) })
      return { id, text }
    },
    input: ({ id }) => ({ params: { id }, query: { filter: { state: 'own' as const } } }),
    shows: ({ text }) => ({ texts: [{ key, source: 'Вход', shipped: null, text }], meta: { total: 1 } }),
  }),
  proof(writeLocaleTexts, {
    makes: ['update locales'],
    prepare: newLocale,
    input: (id) => ({ params: { id }, body: bodyOf() }),
    look: async (caller, id) =>
      (await caller.call(listLocaleTexts, { params: { id }, query: { filter: { state: 'own' } } })).texts,
    shows: () => [{ key, text: 'Кіру' }],
    errors: {
      errorTextKey: { field: 'texts.0.key', input: refused([{ key: '__proto__.polluted', text: 'x' }]) },
      errorTextSyntax: { field: 'texts.0.text', input: refused([{ key, text: '{' }]) },
      errorTextTag: { field: 'texts.0.text', input: refused([{ key, text: '<b>x</b>' }]) },
      errorTextNoTag: { field: 'texts.0.text', input: refused([{ key: 'registration.invite', text: 'x' }]) },
      errorTextArgument: { field: 'texts.0.text', input: refused([{ key, text: '{secret}' }]) },
      errorTextKind: {
        field: 'texts.0.text',
        input: refused([{ key: 'locales.deleteTitle', text: '{name, plural, other {#}}' }]),
      },
      errorTextLines: { field: 'texts.0.text', input: refused([{ key, text: 'a\nb' }]) },
      errorTextRequired: {
        field: 'texts.0.text',
        input: refused([{ key: 'mail.signInCode.subject', text: 'x' }]),
      },
      errorTextBlank: {
        field: 'texts.0.text',
        input: refused([{ key: 'mail.digest.heading', text: '{period, select, other {}}' }]),
      },
      errorTextAddress: {
        field: 'texts.0.text',
        input: refused([{ key: 'mail.recoveryLink.button', text: 'https://evil.example' }]),
      },
      errorTextAttached: { field: 'texts.0.text', input: refused([{ key: 'sms.signInCode', text: 'c/{code}' }]) },
      errorTextSms: { field: 'texts.0.text', input: refused([{ key: 'sms.test', text: 'x'.repeat(400) }]) },
      conflict: { input: refused([{ key, text: 'Кіру', version: 'older' }]) },
      errorNamedTwice: { field: 'texts.1.key', input: refused([...bodyOf().texts, ...bodyOf().texts]) },
    },
  }),
  provenIn(exportLocaleTexts, ['messaging/own-texts.test.ts']),
]
