import { z } from 'zod'
import { contract, Done, Id, line, lines } from '@/lib/base/contracts/contract'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'

const common = { tag: 'libraries', access: { area: 'libraries' } } as const
const path = '/setting/locales/messages'

const Kind = z.enum(['mail', 'sms'])
/**
 * A mail or an SMS by its kind and its template: `mail-invitation`; `mail-common` stands for the common texts of all
 * mails.
 */
const ById = z.strictObject({ id: line(64) })

/** Which texts: those of a language, or those of one domain in a language. */
const scope = { localeId: Id, domainId: Id.nullable() }
const Texts = z
  .array(z.strictObject({ part: line(64), text: lines(4000) }))
  .min(1, 'errorEmpty')
  .max(50, 'errorTooMany')

const Message = z.strictObject({
  id: z.string(),
  kind: Kind,
  /** The numbers of own texts of each language, and of each domain in a language. */
  own: z.array(z.strictObject({ localeId: Id, domainId: Id.nullable(), count: z.number().int() })),
})
export type MessageRow = z.output<typeof Message>

export const MessageQuery = listQuery({
  filters: { search: line(100).optional(), kind: Kind.optional(), own: z.enum(['language', 'domain']).optional() },
  sorts: ['place'],
  defaultSort: { by: 'place', order: 'asc' },
})

const Part = z.strictObject({
  /** Its place in the message: `subject`. */
  part: z.string(),
  /** The shipped Russian text, which shows the meaning and the names that the text may use. */
  source: z.string(),
  /** The text that is used without an own text: for a domain the language's own text, else the shipped one. */
  inherited: z.string(),
  /** The own text; null if there is none. */
  text: z.string().nullable(),
  /** Names in braces that the text may use, and whether it needs each of them. */
  names: z.array(z.strictObject({ name: z.string(), needed: z.boolean() })),
})
export type MessagePart = z.output<typeof Part>

export const listMessageTexts = contract({
  ...common,
  path,
  name: 'listMessageTexts',
  method: 'GET',
  summary: 'Every mail and SMS of the platform, with how many texts languages and domains have of their own',
  query: MessageQuery,
  response: z.strictObject({ messages: z.array(Message), meta: ListMeta }),
})

export const readMessageTexts = contract({
  ...common,
  path: `${path}/{id}`,
  name: 'readMessageTexts',
  method: 'GET',
  summary: 'The texts of a mail or an SMS in a language, for one domain or for all',
  params: ById,
  query: z.strictObject({ localeId: Id, domainId: Id.optional() }),
  response: z.strictObject({ id: z.string(), kind: Kind, version: z.string(), parts: z.array(Part) }),
  errors: { notFound: 404 },
})

export const writeMessageTexts = contract({
  ...common,
  path: `${path}/{id}`,
  name: 'writeMessageTexts',
  method: 'PUT',
  snackbar: 'messageTexts',
  summary: 'Writes texts of a mail or an SMS, all or none; an empty text brings the one back that was there without it',
  params: ById,
  body: z.strictObject({ ...scope, version: line(64).optional(), texts: Texts }),
  response: Done,
  errors: {
    errorTextKey: 400,
    errorTextSyntax: 400,
    errorTextTag: 400,
    errorTextArgument: 400,
    errorTextKind: 400,
    errorTextLines: 400,
    errorTextRequired: 400,
    errorTextBlank: 400,
    errorTextAddress: 400,
    errorTextAttached: 400,
    errorTextSms: 400,
    errorNamedTwice: 400,
    notFound: 404,
    conflict: 409,
  },
})

export const previewMessageTexts = contract({
  ...common,
  path: `${path}/{id}/preview`,
  name: 'previewMessageTexts',
  method: 'POST',
  snackbar: 'messageTextsPreview',
  summary: 'What people would get with these texts, with sample values; stores nothing',
  params: ById,
  body: z.strictObject({ ...scope, texts: Texts.min(0) }),
  response: z.strictObject({
    mail: z.strictObject({ subject: z.string(), preheader: z.string(), html: z.string(), text: z.string() }).nullable(),
    sms: z
      .strictObject({ text: z.string(), characters: z.number().int(), parts: z.number().int(), most: z.number().int() })
      .nullable(),
  }),
  errors: {
    errorTextKey: 400,
    errorTextSyntax: 400,
    errorTextTag: 400,
    errorTextArgument: 400,
    errorTextKind: 400,
    errorTextLines: 400,
    errorTextRequired: 400,
    errorTextBlank: 400,
    errorTextAddress: 400,
    errorTextAttached: 400,
    errorNamedTwice: 400,
    notFound: 404,
  },
})
