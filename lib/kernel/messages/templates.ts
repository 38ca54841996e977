import { createTranslator } from 'next-intl'
import { loadMessages } from '../i18n/messages'

/** What each template is filled with. */
export type MailValues = {
  newDevice: { name: string; device: string; ip: string; date: Date }
}
export type MailTemplate = keyof MailValues
export type MailContent = { subject: string; text: string; html: string }

const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Renders a mail in a locale. `project` names the sender, `origin` is the domain's address. */
export async function renderMail<T extends MailTemplate>(
  template: T,
  locale: string,
  values: MailValues[T],
  { project, origin }: { project: string; origin: string },
): Promise<MailContent> {
  const t = createTranslator({ locale, timeZone: 'Europe/Moscow', messages: await loadMessages(locale), namespace: 'mail' })
  const filled = { ...values, project }
  const subject = t(`${template}.subject`, filled)
  const paragraphs = t(`${template}.text`, filled).split('\n').filter(Boolean)
  const link = `${origin}/platform/login`
  const body = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escaped(paragraph)}</p>`).join('')
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n\n${project}\n${link}\n`,
    html: `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body style="margin:0;padding:32px 16px;background:#fbfbf9;color:#171a1f;font:16px/24px 'Golos Text',Arial,sans-serif"><div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e3e3dc;border-radius:12px"><h1 style="margin:0 0 16px;font-size:22px;line-height:28px">${escaped(subject)}</h1>${body}<p style="margin:24px 0 0;color:#555b66;font-size:13px;line-height:18px">${escaped(project)} · <a href="${escaped(link)}" style="color:#0b6b57">${escaped(new URL(origin).host)}</a></p></div></body></html>`,
  }
}
