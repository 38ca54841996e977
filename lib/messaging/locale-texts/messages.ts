import type { MailTemplate, SmsTemplate } from '@/lib/base/mail-and-sms/templates'
import { mailSamples, smsSamples } from './samples'

/** A mail or an SMS that the platform sends, or the common texts of all mails. */
export type KnownMessage =
  | { id: string; kind: 'mail'; template: MailTemplate; prefix: string }
  | { id: string; kind: 'sms'; template: SmsTemplate; prefix: string }

const mails = Object.keys(mailSamples('ru')) as MailTemplate[]
const sms = Object.keys(smsSamples('ru')) as SmsTemplate[]

/** Every message in the order of the templates. The common texts are previewed with the mail that uses most of them. */
export const knownMessages: readonly KnownMessage[] = [
  ...mails.map((template) => ({
    id: `mail-${template}`,
    kind: 'mail' as const,
    template,
    prefix: `mail.${template}.`,
  })),
  { id: 'mail-common', kind: 'mail', template: 'passwordChanged', prefix: 'mail.common.' },
  ...sms.map((template) => ({ id: `sms-${template}`, kind: 'sms' as const, template, prefix: `sms.${template}` })),
]

/** Returns the keys of a message with their part in it: the only part of an SMS is its `text`. */
export const partsOf = ({ kind, prefix }: KnownMessage, keys: Iterable<string>): { part: string; key: string }[] =>
  kind === 'sms'
    ? [{ part: 'text', key: prefix }]
    : [...keys].filter((key) => key.startsWith(prefix)).map((key) => ({ part: key.slice(prefix.length), key }))

/** Returns a message by its id; undefined if there is none. */
export const messageById = (id: string) => knownMessages.find((message) => message.id === id)
