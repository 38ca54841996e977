import { agreementsIn } from '@/lib/base/http/form-terms'
import type { PageForm, PageForms, PostedForm } from '@/lib/base/http/page-form'
import { type FieldError, fieldError } from '@/lib/base/runtime/errors'
import { asFaults, requireNone, unlessDead } from '../forms/faults'
import { passwordLink, setEntryPassword, setPassword } from './contract'
import { pairFaults, passwordsIn } from './pair-form'
import { passwordRules } from './rules-of-settings'

const forgotPage = '/platform/forgot-password'
const signInPage = '/platform/login'

/** Milliseconds by which the end of one resend time is computed differently from two answers. */
const tolerance = 1_500

/** Requests a link. The page that follows says so, and whether it is another one than before. */
const ask: PageForm = {
  keeps: ['email', 'before'],
  async send({ ctx, fields, call }) {
    const email = (fields.get('email') ?? '').trim()
    if (!email) throw fieldError('email', 'errorEmpty')
    const { resendIn } = await call(passwordLink, { body: { email } })
    const resendAt = ctx.now().getTime() + resendIn * 1000
    const before = fields.get('before')
    // within the resend time nothing was sent, and its end stays the same
    const again = before !== null && resendAt > Number(before) + tolerance
    return { to: `${forgotPage}?step=sent`, tells: { resendAt, again } }
  },
}

/** Returns to the form, with what was typed in it. */
const change: PageForm = { keeps: ['email'], send: async () => ({ to: forgotPage, tells: {} }) }

/** The forms of the page that requests a recovery link. */
export const forgotPasswordForms: PageForms = { path: forgotPage, forms: { ask, change } }

/**
 * Returns the typed passwords. Throws their faults that need no call, with `others`. Without such faults the call finds
 * `others` together with those that only it can find.
 */
async function typedPasswords({ ctx, fields }: PostedForm, others: FieldError[] = []) {
  const faults = pairFaults(await passwordRules(ctx.locale), fields)
  requireNone(faults.length > 0 ? [...faults, ...others] : [])
  return passwordsIn(fields)
}

/** Returns where people go who have set a password. People whom it doesn't sign in see on this page that it was saved. */
async function savedAt(page: string, save: () => Promise<{ redirect: string }>): Promise<string | undefined> {
  const answer = await unlessDead(save)
  return answer?.redirect === signInPage ? `${page}?step=saved` : answer?.redirect
}

const idOf = ({ params }: PostedForm) => params.id ?? ''

/** Sets a new password by a recovery link, with the agreements that the domain requires. */
const recover: PageForm = {
  keeps: ['agreed'],
  async send(form) {
    const { termsAgree, faults } = agreementsIn(form.fields)
    const body = { ...(await typedPasswords(form, faults)), ...(termsAgree.length > 0 && { termsAgree }) }
    const id = idOf(form)
    try {
      return await savedAt(`/platform/new-password/${id}`, () => form.call(setPassword, { params: { id }, body }))
    } catch (error) {
      throw asFaults(error)
    }
  },
}

/** The form of the page of a recovery link. */
export const newPasswordForms: PageForms = { path: '/platform/new-password/{id}', forms: { recover } }

/** Sets the first password. */
const enter: PageForm = {
  keeps: [],
  async send(form) {
    const body = await typedPasswords(form)
    const id = idOf(form)
    return savedAt(`${signInPage}/password/${id}`, () => form.call(setEntryPassword, { params: { id }, body }))
  },
}

/** The form of the page of a first password. */
export const firstPasswordForms: PageForms = { path: `${signInPage}/password/{id}`, forms: { enter } }
