import { createTranslator } from 'next-intl'
import { textLocales } from '../i18n/choose-locale'
import { isTextLocale, loadMessages } from '../i18n/messages'

/** What each mail is filled with. */
export type MailValues = {
  newDevice: { name: string; device: string; ip: string; date: Date }
  signInCode: { name: string; code: string; minutes: number }
}
export type MailTemplate = keyof MailValues

/** What each SMS is filled with. */
export type SmsValues = { signInCode: { code: string } }
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

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
const codeBlock = (code: string) =>
  `<p style="margin:0 0 16px;font-size:32px;line-height:40px;font-weight:600;letter-spacing:6px">${escaped(code)}</p>`

/** Renders a mail in a locale, as HTML and as text. */
export async function renderMail<T extends MailTemplate>(
  template: T,
  locale: string,
  values: MailValues[T],
  { project, origin }: Sender,
): Promise<MailContent> {
  const t = await translator(locale, 'mail')
  const filled = { ...values, project }
  const subject = t(`${template}.subject`, filled)
  const heading = t(`${template}.heading`, filled)
  const paragraphs = t(`${template}.text`, filled).split('\n').filter(Boolean)
  const code = 'code' in values ? codeBlock(values.code) : ''
  const { host } = new URL(origin)
  return {
    subject,
    text: [heading, ...('code' in values ? [values.code] : []), ...paragraphs, `${project}\n${origin}`].join('\n\n'),
    html: `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="color-scheme" content="light"><title>${escaped(subject)}</title></head><body style="margin:0;padding:32px 16px;background:#f4f4f0;color:#171a1f;font:16px/24px 'Golos Text',Arial,sans-serif"><div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e3e3dc;border-top:4px solid #0b6b57;border-radius:12px"><h1 style="margin:0 0 16px;font-size:22px;line-height:28px">${escaped(heading)}</h1>${code}${paragraphs.map(paragraph).join('')}<p style="margin:24px 0 0;color:#555b66;font-size:13px;line-height:18px">${escaped(project)} · <a href="${escaped(origin)}" style="color:#0b6b57">${escaped(host)}</a></p></div></body></html>`,
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
  return { text: `${t(template, { ...values, project })}\n\n@${new URL(origin).hostname} #${values.code}` }
}
