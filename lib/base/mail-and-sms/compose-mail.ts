import type { OwnTexts } from '../i18n/own-texts'
import type { Words } from '../i18n/words'
import { pathOfScreen } from '../navigation/screens'
import { defaultTimeZone, zoneLabel } from '../text/time-zone'
import type { Block, Letter, LetterItem, Sender } from './letter'
import type { MailTemplate, MailValues } from './templates'
import { texts } from './texts'
import {
  cleanLine,
  cleanLines,
  fullName,
  greetable,
  shortened,
  unitsOf,
  unlinked,
  webAddress,
  withoutJoiners,
} from './values'

type AnyValues = Partial<Record<string, unknown>>
type FactName = 'date' | 'device' | 'ip' | 'login' | 'company' | 'inviter' | 'person' | 'email' | 'value'

/** The facts that a mail lists as label and value, in this order; facts without a value are left out. */
const facts: Partial<Record<MailTemplate, FactName[]>> = {
  newDevice: ['date', 'device', 'ip'],
  registrationKnown: ['login'],
  registrationDone: ['login'],
  recoveryLink: ['login', 'ip'],
  firstEntry: ['login'],
  passwordReset: ['login'],
  passwordChanged: ['date', 'device', 'ip'],
  passwordEnded: ['date', 'device', 'ip'],
  factorAdded: ['date', 'device', 'ip'],
  factorRemoved: ['date', 'device', 'ip'],
  factorReset: ['date'],
  passkeyAdded: ['date', 'device', 'ip'],
  passkeyRemoved: ['date', 'device', 'ip'],
  recoveryCodesRenewed: ['date', 'device', 'ip'],
  recoveryCodeUsed: ['date', 'device', 'ip'],
  invitation: ['company', 'inviter'],
  invitationAccepted: ['person', 'email', 'company'],
  invitationDeclined: ['email', 'company'],
  invitationRevoked: ['company'],
  accessRequested: ['person', 'email'],
  accessApproved: ['company'],
  accessRefused: ['company'],
  accessDuplicate: ['company'],
  contactChanged: ['value', 'date', 'ip'],
  providerLinked: ['login', 'date', 'ip'],
  accountDeleted: ['login', 'date'],
}
const lists = ['roles', 'companies'] as const

/** Mails that go to many people; they have a link to the page where the person can switch them off. */
const withSubscriptionsLink: readonly MailTemplate[] = ['news', 'digest']

/** Values that people copy to type them elsewhere: they must not contain invisible characters. */
const verbatim: readonly string[] = ['login', 'email', 'inviterEmail', 'value', 'ip', 'code']
/** Values that are names chosen by other people: a mail leaves them out unless they look like names. */
const namesOfOthers: readonly string[] = ['person', 'inviter']

function cleanValue(name: string, text: string) {
  if (verbatim.includes(name)) return cleanLine(text)
  return unlinked(cleanLine(namesOfOthers.includes(name) ? fullName(text) : text))
}

const paragraphs = (text: string, kind: 'text' | 'note'): Block[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ kind, text: line }))

const zoneText = (translate: Words, timeZone: string, date: Date) =>
  zoneLabel(timeZone, date, translate('common.moscow'))

/** Returns the values for the texts: strings on one line, durations in words, numbers and dates as they are. */
function textValues(translate: Words, values: AnyValues, project: string, timeZone: string) {
  const filled: Record<string, string | number | Date> = { project }
  if (values.date instanceof Date) filled.zone = zoneText(translate, timeZone, values.date)
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') filled[name] = cleanValue(name, value)
    else if (typeof value === 'number' || value instanceof Date) filled[name] = value
  }
  if (typeof values.alive === 'number')
    filled.alive = unitsOf(values.alive)
      .map(([unit, count]) => translate(`common.${unit}`, { count }).replaceAll(' ', '\u00a0'))
      .join(' ')
  if (typeof values.text === 'string') filled.text = unlinked(cleanLines(values.text))
  if (Array.isArray(values.items)) filled.count = values.items.length
  // a person without a name is called by their e-mail, and without one by a neutral word
  if ('person' in values) filled.who = filled.person || filled.email || translate('common.nameless')
  if ('inviter' in values) filled.inviter = filled.inviter || (filled.inviterEmail ?? '')
  return filled
}
type TextValues = ReturnType<typeof textValues>

function factsBlock(translate: Words, template: MailTemplate, filled: TextValues, timeZone: string): Block[] {
  const moment = (date: Date) => translate('common.moment', { date, zone: zoneText(translate, timeZone, date) })
  const labelOf = (name: FactName) =>
    name === 'value'
      ? translate(`common.facts.${filled.kind === 'email' ? 'newEmail' : 'newMobile'}`)
      : translate(`common.facts.${name}`)
  const presentFacts = (facts[template] ?? []).flatMap((name) => {
    const value = filled[name]
    return value ? [{ label: labelOf(name), value: value instanceof Date ? moment(value) : String(value) }] : []
  })
  return presentFacts.length > 0 ? [{ kind: 'facts', facts: presentFacts }] : []
}

function listBlocks(translate: Words, values: AnyValues): Block[] {
  return lists.flatMap((name): Block[] => {
    const value = values[name]
    const items = Array.isArray(value) ? value.map((item) => unlinked(cleanLine(String(item)))).filter(Boolean) : []
    return items.length > 0 ? [{ kind: 'list', label: translate(`common.lists.${name}`), items }] : []
  })
}

function writtenBlocks(translate: Words, { reason, items }: AnyValues, timeZone: string): Block[] {
  const quoted = typeof reason === 'string' ? unlinked(cleanLines(reason)) : ''
  const digest = Array.isArray(items) ? (items as MailValues['digest']['items']) : []
  return [
    ...(quoted ? [{ kind: 'quote', label: translate('common.reason'), text: quoted } as const] : []),
    ...(digest.length > 0
      ? [
          {
            kind: 'items',
            items: digest.map(({ title, text, date, link }) => ({
              title: unlinked(cleanLine(title)),
              text: unlinked(cleanLines(text)),
              when: translate('common.moment', { date, zone: zoneText(translate, timeZone, date) }),
              link: webAddress(link),
            })),
          } as const,
        ]
      : []),
  ]
}

/** Returns a mail as an item of a digest: its title, its first paragraph and the link of its button. */
export async function composeItem<T extends MailTemplate>(
  template: T,
  wantedLocale: string,
  values: MailValues[T],
  sender: Sender,
  timeZone = defaultTimeZone,
): Promise<Pick<LetterItem, 'title' | 'text' | 'link'>> {
  const { translate } = await texts(wantedLocale, 'mail', timeZone, { domainId: sender.domainId })
  const letter = await composeMail(template, wantedLocale, values, sender, timeZone)
  const filled = textValues(translate, values as AnyValues, letter.sender.project, timeZone)
  const [firstText] = letter.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []))
  const [link] = letter.blocks.flatMap((block) => (block.kind === 'button' ? [block.link] : []))
  return {
    title: translate.has(`${template}.item`) ? translate(`${template}.item`, filled) : letter.heading,
    text: firstText ?? '',
    link: link ?? '',
  }
}

/**
 * Composes a mail in a language. `tried` are texts for a preview, not stored yet, by key. Throws if a text or one of
 * its values is missing.
 */
export async function composeMail<T extends MailTemplate>(
  template: T,
  wantedLocale: string,
  values: MailValues[T],
  sender: Sender,
  timeZone = defaultTimeZone,
  tried?: OwnTexts,
): Promise<Letter> {
  const { translate, locale } = await texts(wantedLocale, 'mail', timeZone, { domainId: sender.domainId, tried })
  const anyValues = values as AnyValues
  const project = unlinked(cleanLine(sender.project))
  const filled = textValues(translate, anyValues, project, timeZone)
  const text = (part: string) => translate(`${template}.${part}`, filled)
  const optional = (part: string) => (translate.has(`${template}.${part}`) ? text(part) : '')
  const link = typeof anyValues.link === 'string' ? webAddress(anyValues.link) : ''
  const name = greetable(values.name)
  const subscriptions = withSubscriptionsLink.includes(template) ? pathOfScreen('UserProfileSubscribes') : undefined
  return {
    locale,
    // addresses are harmless in a subject, and invisible characters would only confuse; a header is one line
    subject: shortened(withoutJoiners(text('subject')).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), 200),
    preheader: text('preheader'),
    heading: text('heading'),
    greeting: name ? translate('common.greeting', { name }) : translate('common.greetingNameless'),
    blocks: [
      ...paragraphs(text('text'), 'text'),
      ...(typeof anyValues.code === 'string' ? [{ kind: 'code', code: cleanLine(anyValues.code) } as const] : []),
      ...factsBlock(translate, template, filled, timeZone),
      ...listBlocks(translate, anyValues),
      ...writtenBlocks(translate, anyValues, timeZone),
      ...paragraphs(optional('more'), 'text'),
      ...(link ? [{ kind: 'button', label: text('button'), link } as const] : []),
      ...paragraphs(optional('note'), 'note'),
    ],
    words: {
      linkBelow: translate('common.linkBelow'),
      support: translate('common.support'),
      automatic: translate('common.automatic'),
    },
    unsubscribe: subscriptions ? `${sender.origin}${subscriptions}` : '',
    sender: { ...sender, project },
  }
}
