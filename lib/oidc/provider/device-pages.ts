import { createTranslator } from 'next-intl'
import { deviceName } from '@/lib/entry/sessions/device'
import type { Ctx } from '@/lib/kernel/ctx'
import { localName } from '@/lib/kernel/i18n/local-name'
import { escaped } from '@/lib/platform/domains/standalone-page'
import { type ApplicationNames, draw, link, textsFor } from './pages'

/** The faults of a user code, or of the request with it. */
export type CodeFault = 'empty' | 'wrong' | 'expired' | 'used' | 'tooMany' | 'stale' | 'failed' | 'unavailable'

const wordsFor = async (ctx: Ctx) => createTranslator({ ...(await textsFor(ctx)), namespace: 'device-flow' })

/** The parts of a form of the provider: its address, and the token that proves that the form is ours. */
type Form = { action: string; xsrf: string }

const opening = ({ action, xsrf }: Form) =>
  `<form method="post" action="${escaped(action)}"><input type="hidden" name="xsrf" value="${escaped(xsrf)}">`

type Asked = Form & { typed: string; fault: CodeFault | null; minutes: number }

/** Returns the page that asks for the code on a device. */
export async function codePage(ctx: Ctx, { typed, fault, minutes, ...form }: Asked): Promise<string> {
  const t = await wordsFor(ctx)
  const error = fault
    ? `<p class="alert" id="fault" role="alert">${escaped(t(`errors.${fault}`, { minutes }))}</p>`
    : ''
  // a person who comes with the code in the link only has to continue
  const focus = typed && !fault ? '' : ' autofocus'
  return draw(
    ctx,
    t('enter.title'),
    t('enter.text'),
    `<div class="wide">${error}${opening(form)}
<label>${escaped(t('enter.label'))}
<span class="note" id="hint">${escaped(t('enter.hint', { example: 'BDFG-HJKL' }))}</span>
<input name="user_code" value="${escaped(typed)}" maxlength="32" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" enterkeyhint="next" aria-describedby="${fault ? 'fault hint' : 'hint'}"${fault ? ' aria-invalid="true"' : ''}${focus}></label>
<button>${escaped(t('enter.submit'))}</button>
</form></div>`,
  )
}

type Confirmed = Form & {
  application: ApplicationNames
  /** The code as the device shows it. */
  code: string
  device: { ip: string; userAgent: string }
}

/** Returns the page with the application and the device that ask, and the code to compare. */
export async function confirmPage(ctx: Ctx, { application, code, device, ...form }: Confirmed): Promise<string> {
  const t = await wordsFor(ctx)
  const name = localName(application, ctx.locale)
  const fact = (label: string, value: string, kind = '') =>
    `<div${kind && ` class="${kind}"`}><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`
  const known = deviceName(device) || device.userAgent.slice(0, 80)
  const person = ctx.user ? [ctx.user.firstName, ctx.user.lastName].filter(Boolean).join(' ') || ctx.user.login : ''
  return draw(
    ctx,
    t('confirm.title', { application: name }),
    t('confirm.text'),
    `<div class="wide"><dl>
${fact(t('confirm.code'), code, 'code')}
${fact(t('confirm.application'), name)}
${fact(t('confirm.device'), known || t('confirm.unknown'))}
${fact(t('confirm.ip'), device.ip)}
${person && fact(t('confirm.person'), person)}
</dl>
<p class="warning">${escaped(t('confirm.warning'))}</p>
${opening(form)}<input type="hidden" name="user_code" value="${escaped(code)}">
<button name="confirm" value="yes">${escaped(t('confirm.allow'))}</button>
<button name="abort" value="yes" class="other">${escaped(t('confirm.refuse'))}</button>
</form></div>`,
  )
}

/** Returns the page after consent: the device continues by itself. */
export async function confirmedPage(ctx: Ctx, application: ApplicationNames): Promise<string> {
  const t = await wordsFor(ctx)
  const text = t('done.text', { application: localName(application, ctx.locale) })
  return draw(ctx, t('done.title'), text, link('/platform', t('done.home')))
}

/** Returns the page after a refusal; `again` is the address for another code. */
export async function refusedPage(ctx: Ctx, again: string): Promise<string> {
  const t = await wordsFor(ctx)
  const actions = `${link('/platform', t('refused.home'))}${link(again, t('refused.again'), 'other')}`
  return draw(ctx, t('refused.title'), t('refused.text'), `<div class="actions">${actions}</div>`)
}
