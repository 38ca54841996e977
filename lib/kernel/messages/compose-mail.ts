import { pathOfScreen } from '../navigation/screens'
import type { Block, Letter, Sender } from './letter'
import type { MailTemplate, MailValues } from './templates'
import { type Say, texts } from './texts'
import { greetable, manyLines, oneLine, shortened, unitsOf, unlinked, webAddress } from './values'

type AnyValues = Partial<Record<string, unknown>>
type FactName = 'date' | 'device' | 'ip' | 'login' | 'company' | 'inviter' | 'person' | 'email' | 'value'

/** What stands as label over value, in this order; what is empty is left out. */
const facts: Partial<Record<MailTemplate, FactName[]>> = {
  newDevice: ['date', 'device', 'ip'],
  registrationKnown: ['login'],
  registrationDone: ['login'],
  recoveryLink: ['login', 'ip'],
  passwordChanged: ['date', 'device', 'ip'],
  invitation: ['company', 'inviter'],
  invitationAccepted: ['person', 'email', 'company'],
  invitationDeclined: ['email', 'company'],
  invitationRevoked: ['company'],
  accessRequested: ['person', 'email'],
  accessApproved: ['company'],
  accessRefused: ['company'],
  accessDuplicate: ['company'],
  contactChanged: ['value', 'date', 'ip'],
  accountDeleted: ['login', 'date'],
}
const lists = ['roles', 'companies'] as const

/** Mails that a person has subscribed to; the others can't be switched off. */
const subscribed: readonly MailTemplate[] = ['news', 'digest']

/** People copy these to type them elsewhere: nothing invisible may stand in them. */
const verbatim: readonly string[] = ['login', 'email', 'value', 'ip', 'code']

const cleaned = (name: string, text: string) => (verbatim.includes(name) ? oneLine(text) : unlinked(oneLine(text)))

const paragraphs = (text: string, kind: 'text' | 'note'): Block[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ kind, text: line }))

/** What fills the texts: strings on one line, durations in words, the rest as it is. */
function fillings(say: Say, values: AnyValues, project: string) {
  const filled: Record<string, string | number | Date> = { project }
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') filled[name] = cleaned(name, value)
    else if (typeof value === 'number' || value instanceof Date) filled[name] = value
  }
  if (typeof values.alive === 'number')
    filled.alive = unitsOf(values.alive)
      .map(([unit, count]) => say(`common.${unit}`, { count }).replaceAll(' ', '\u00a0'))
      .join(' ')
  if (typeof values.text === 'string') filled.text = unlinked(manyLines(values.text))
  if (Array.isArray(values.items)) filled.count = values.items.length
  // whoever has told no name is known by the address
  if ('person' in values) filled.who = filled.person || (filled.email ?? '')
  return filled
}
type Fillings = ReturnType<typeof fillings>

function factsBlock(say: Say, template: MailTemplate, filled: Fillings): Block[] {
  const moment = (date: Date) => say('common.moment', { date })
  const labelOf = (name: FactName) =>
    name === 'value'
      ? say(`common.facts.${filled.kind === 'email' ? 'newEmail' : 'newMobile'}`)
      : say(`common.facts.${name}`)
  const known = (facts[template] ?? []).flatMap((name) => {
    const value = filled[name]
    return value ? [{ label: labelOf(name), value: value instanceof Date ? moment(value) : String(value) }] : []
  })
  return known.length > 0 ? [{ kind: 'facts', facts: known }] : []
}

function listBlocks(say: Say, values: AnyValues): Block[] {
  return lists.flatMap((name): Block[] => {
    const given = values[name]
    const items = Array.isArray(given) ? given.map((item) => unlinked(oneLine(String(item)))).filter(Boolean) : []
    return items.length > 0 ? [{ kind: 'list', label: say(`common.lists.${name}`), items }] : []
  })
}

function ownWords(say: Say, { reason, items }: AnyValues): Block[] {
  const quoted = typeof reason === 'string' ? unlinked(manyLines(reason)) : ''
  const digest = Array.isArray(items) ? (items as MailValues['digest']['items']) : []
  return [
    ...(quoted ? [{ kind: 'quote', label: say('common.reason'), text: quoted } as const] : []),
    ...(digest.length > 0
      ? [
          {
            kind: 'items',
            items: digest.map(({ title, text, date, link }) => ({
              title: unlinked(oneLine(title)),
              text: unlinked(manyLines(text)),
              when: say('common.moment', { date }),
              link: webAddress(link),
            })),
          } as const,
        ]
      : []),
  ]
}

/** Puts a mail into words. Throws when a text or what fills it is missing. */
export async function composeMail<T extends MailTemplate>(
  template: T,
  wished: string,
  values: MailValues[T],
  sender: Sender,
): Promise<Letter> {
  const { say, locale } = await texts(wished, 'mail')
  const given = values as AnyValues
  const filled = fillings(say, given, unlinked(oneLine(sender.project)))
  const text = (part: string) => say(`${template}.${part}`, filled)
  const optional = (part: string) => (say.has(`${template}.${part}`) ? text(part) : '')
  const link = typeof given.link === 'string' ? webAddress(given.link) : ''
  const name = greetable(values.name)
  const subscriptions = subscribed.includes(template) ? pathOfScreen('UserProfileSubscribes') : undefined
  return {
    locale,
    // addresses are no danger here, and nobody should find invisible signs in a subject
    subject: shortened(text('subject').replaceAll('\u2060', ''), 200),
    preheader: text('preheader'),
    heading: text('heading'),
    greeting: name ? say('common.greeting', { name }) : say('common.greetingNameless'),
    blocks: [
      ...paragraphs(text('text'), 'text'),
      ...(typeof given.code === 'string' ? [{ kind: 'code', code: oneLine(given.code) } as const] : []),
      ...factsBlock(say, template, filled),
      ...listBlocks(say, given),
      ...ownWords(say, given),
      ...paragraphs(optional('more'), 'text'),
      ...(link ? [{ kind: 'button', label: text('button'), link } as const] : []),
      ...paragraphs(optional('note'), 'note'),
    ],
    words: {
      linkBelow: say('common.linkBelow'),
      support: say('common.support'),
      automatic: say('common.automatic'),
    },
    unsubscribe: subscriptions ? `${sender.origin}${subscriptions}` : '',
    sender: { ...sender, project: oneLine(sender.project) },
  }
}
