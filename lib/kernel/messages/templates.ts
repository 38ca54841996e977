import { createTranslator } from 'next-intl'
import { textLocales } from '../i18n/choose-locale'
import { isTextLocale, loadMessages } from '../i18n/messages'

/**
 * What each mail is filled with. `name` is how the receiver is addressed, empty where nobody knows; `link` a whole
 * address; `alive` for how many seconds it works; `date` when it happened; `ip` and `device` from where, empty too.
 */
export type MailValues = {
  newDevice: { name: string; device: string; ip: string; date: Date }
  signInCode: { name: string; code: string; minutes: number }
  registrationLink: { name: string; link: string; alive: number }
  /** Somebody asked to register an e-mail that has an account; `link` is a recovery link. */
  registrationKnown: { name: string; login: string; link: string; alive: number }
  /** The same where a directory keeps the account; `link` is the sign-in page. */
  registrationDirectory: { name: string; provider: string; link: string }
  registrationDone: { name: string; login: string; link: string }
  recoveryLink: { name: string; login: string; link: string; alive: number; ip: string }
  /** `link` is where the directory changes passwords. */
  recoveryDirectory: { name: string; provider: string; link: string }
  /** `link` is the recovery page. */
  passwordChanged: { name: string; date: Date; ip: string; device: string; link: string }
  invitation: { name: string; inviter: string; company: string; roles: string[]; link: string; alive: number }
  /** To the inviter. */
  invitationAccepted: { name: string; person: string; email: string; company: string }
  invitationDeclined: { name: string; email: string; company: string }
  invitationRevoked: { name: string; company: string }
  /** To whoever decides on it. */
  accessRequested: { name: string; person: string; email: string; companies: string[]; link: string }
  accessApproved: { name: string; company: string; roles: string[]; link: string }
  accessRefused: { name: string; company: string; reason: string; link: string }
  accessDuplicate: { name: string; company: string; link: string }
  contactCode: { name: string; code: string; minutes: number }
  /** To the address of before; `value` is the new one, masked. */
  contactChanged: { name: string; kind: 'email' | 'mobile'; value: string; date: Date; ip: string; link: string }
  deletionCode: { name: string; code: string; minutes: number }
  accountDeleted: { name: string; login: string; date: Date }
  news: { name: string; title: string; text: string; link: string }
  digest: {
    name: string
    period: 'daily' | 'weekly'
    items: { title: string; text: string; date: Date; link: string }[]
    link: string
  }
}
export type MailTemplate = keyof MailValues

/** What each SMS is filled with. Those with a code end in the line that phones fill it in from. */
export type SmsValues = {
  signInCode: { code: string }
  /** Proves a mobile: in registration, invitation and profile. */
  mobileCode: { code: string }
  deletionCode: { code: string }
  newDevice: { device: string; date: Date }
  passwordChanged: { date: Date }
  invitation: { company: string }
  accessApproved: { company: string }
  accessRefused: { company: string }
}
export type SmsTemplate = keyof SmsValues

/** Who writes: the domain's project name in the receiver's language, and the domain's address. */
export type Sender = { project: string; origin: string }
export type MailContent = { subject: string; text: string; html: string }

/** Texts are found by the template's name, so keys and values are known to agree only at run time: a test renders all. */
async function translator(locale: string, namespace: 'mail' | 'sms') {
  const known = isTextLocale(locale) ? locale : textLocales[0]
  const t: unknown = createTranslator({
    locale: known,
    timeZone: 'Europe/Moscow',
    messages: await loadMessages(known),
    namespace,
  })
  return t as (key: string, values: Record<string, string | number | Date>) => string
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const paragraph = (text: string) => `<p class="ink" style="margin:0 0 16px;color:#171a1f">${escaped(text)}</p>`

/** The code on a tint, large enough to be read from a lock screen's distance and marked by a double click. */
const codeBlock = (code: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr><td class="tint" style="padding:12px 18px 12px 24px;background:#e4f1ed;border-radius:8px"><span class="ink" style="color:#171a1f;font-size:30px;line-height:38px;font-weight:600;letter-spacing:6px;font-variant-numeric:tabular-nums">${escaped(code)}</span></td></tr></table>`

// the few clients that know dark mode get the dark palette of the pages; the others keep what stands inline
const darkStyle =
  '@media (prefers-color-scheme:dark){.paper{background:#111417!important}.card{background:#181c20!important;border-color:#2a3036!important}.ink{color:#eceef0!important}.second{color:#a9b0b8!important}.brand{color:#4fc3a6!important}.edge{background:#4fc3a6!important}.tint{background:#16312b!important}}'

type Letter = { locale: string; subject: string; heading: string; content: string; project: string; origin: string }

/** The letter around what a mail says: tables and inline styles, which is what mail programs draw alike. */
function letter({ locale, subject, heading, content, project, origin }: Letter) {
  const { host } = new URL(origin)
  return [
    `<!doctype html><html lang="${escaped(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escaped(subject)}</title><style>${darkStyle}</style></head>`,
    `<body class="paper" style="margin:0;padding:0;background:#f4f4f0;font:16px/24px 'Golos Text',Arial,sans-serif">`,
    '<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f0"><tr><td align="center" style="padding:32px 16px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;text-align:left">',
    `<tr><td class="brand" style="padding:0 4px 16px;color:#0b6b57;font-size:18px;font-weight:600">${escaped(project)}</td></tr>`,
    '<tr><td class="edge" style="height:4px;background:#0b6b57;border-radius:12px 12px 0 0;font-size:0;line-height:4px">&nbsp;</td></tr>',
    '<tr><td class="card" style="padding:28px 32px 16px;background:#ffffff;border:1px solid #e3e3dc;border-top:0;border-radius:0 0 12px 12px">',
    `<h1 class="ink" style="margin:0 0 16px;color:#171a1f;font-size:22px;line-height:28px;font-weight:600">${escaped(heading)}</h1>`,
    content,
    '</td></tr>',
    `<tr><td class="second" style="padding:16px 4px 0;color:#555b66;font-size:13px;line-height:18px">${escaped(project)} · <a class="brand" href="${escaped(origin)}" style="color:#0b6b57">${escaped(host)}</a></td></tr>`,
    '</table></td></tr></table></body></html>',
  ].join('')
}

/** Renders a mail in a locale, as HTML and as text. */
export async function renderMail<T extends MailTemplate>(
  template: T,
  locale: string,
  values: MailValues[T],
  { project, origin }: Sender,
): Promise<MailContent> {
  const t = await translator(locale, 'mail')
  const { name } = values
  const filled = { ...values, name: name || 'empty', project } as unknown as Record<string, string | number | Date>
  const subject = t(`${template}.subject`, filled)
  const heading = t(`${template}.heading`, filled)
  const paragraphs = t(`${template}.text`, filled).split('\n').filter(Boolean)
  const code = 'code' in values ? codeBlock(values.code) : ''
  const link = 'link' in values ? values.link : ''
  const linked = link ? `<p style="margin:0 0 16px"><a href="${escaped(link)}">${escaped(link)}</a></p>` : ''
  return {
    subject,
    text: [
      heading,
      ...('code' in values ? [values.code] : []),
      ...paragraphs,
      ...(link ? [link] : []),
      `${project}\n${origin}`,
    ].join('\n\n'),
    html: letter({
      locale,
      subject,
      heading,
      content: code + paragraphs.map(paragraph).join('') + linked,
      project,
      origin,
    }),
  }
}

/** Renders an SMS; its last line binds the code to the domain, so that phones fill it in only there. */
export async function renderSms<T extends SmsTemplate>(
  template: T,
  locale: string,
  values: SmsValues[T],
  { project, origin }: Sender,
) {
  const t = await translator(locale, 'sms')
  const said = t(template, { ...values, project })
  return { text: 'code' in values ? `${said}\n\n@${new URL(origin).hostname} #${values.code}` : said }
}
