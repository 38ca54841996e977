import { agreementsIn } from '@/lib/base/http/form-terms'
import { FailedAt, type PageForm, type PageForms, type PostedForm } from '@/lib/base/http/page-form'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import { asFaults, requireNone, unlessDead } from '@/lib/sign-in/forms/faults'
import { pairFaults, passwordsIn } from '@/lib/sign-in/passwords/pair-form'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { platformSettings } from '@/lib/site/settings/service'
import { mobileForms, type PersonStep } from '../forms/mobile'
import { emptyFields, personKeeps, requestFields, typedFurther, typedNames } from '../forms/person'
import { registrationCode, registrationComplete, registrationLink, registrationVerify } from './contract'
import { registrationState } from './service'

const page = '/platform/registration'

/** Finds clearly wrong addresses; the call checks more. */
function emailFaults(email: string): FieldError[] {
  if (email === '') return [{ field: 'email', code: 'errorEmpty' }]
  return email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? [] : [{ field: 'email', code: 'errorEmail' }]
}

/** What the page says after a link was requested. */
type Sent = {
  /** When another may be requested, in milliseconds since the epoch. */
  resendAt: number
  /** Whether another link was sent in place of the first. */
  again: boolean
}

/** Requests the link, and once more from the page that says where it was sent. */
const request: PageForm = {
  keeps: [...requestFields, 'before', 'again'],
  async send({ ctx, call, fields }) {
    const before = Number(fields.get('before')) || null
    try {
      const [{ names }, { authCodeResendAlive }] = await Promise.all([personForm(ctx), platformSettings()])
      const email = (fields.get('email') ?? '').trim()
      const { termsAgree, faults } = agreementsIn(fields)
      requireNone([...emptyFields(names, [], fields), ...emailFaults(email), ...faults])
      const { resendIn } = await call(registrationLink, {
        body: { ...typedNames(names, fields), email, termsAgree },
      })
      const resendAt = ctx.now().getTime() + resendIn * 1000
      // until the resend time is over nothing is sent, and the answer says how much of it is left
      const isSent = resendIn >= authCodeResendAlive && resendAt - (before ?? 0) > 1000
      const again = before !== null && (isSent || fields.has('again'))
      return { to: `${page}?step=sent`, tells: { resendAt, again } satisfies Sent }
    } catch (error) {
      const failure = asFaults(error)
      // the page that says what was sent has no fields to mark
      throw before !== null && failure instanceof AppError ? new FailedAt(page, failure) : failure
    }
  },
}

/** Returns to the form, with what was typed in it. */
const change: PageForm = { keeps: requestFields, send: async () => ({ to: page, tells: {} }) }

/** The forms of the first step of a registration. */
export const registrationForms: PageForms = { path: page, forms: { request, change } }

const pageOf = ({ id = '' }: Record<string, string>) => `${page}/${id}`
const addressOf = (params: Record<string, string>, step: PersonStep) => `${pageOf(params)}?step=${step}`
const secretOf = ({ params }: PostedForm) => params.id ?? ''

/** Sends password, names, further fields and agreements, and signs the new account in. */
const complete: PageForm = {
  keeps: personKeeps,
  async send(form) {
    const { ctx, call, fields, params } = form
    try {
      const [state, rules] = await Promise.all([registrationState(ctx, secretOf(form)), passwordRules(ctx.locale)])
      if (state.kind !== 'live') return pageOf(params)
      const { names, further } = state.form
      const { termsAgree, faults } = agreementsIn(fields)
      const errorList = [...emptyFields(names, further, fields), ...pairFaults(rules, fields), ...faults]
      if (state.form.mobile?.required && !fields.get('mobile')) errorList.push({ field: 'mobile', code: 'errorEmpty' })
      requireNone(errorList)
      const body = {
        secret: secretOf(form),
        ...typedNames(names, fields),
        ...typedFurther(further, fields),
        ...passwordsIn(fields),
        mobile: fields.get('mobile') ?? '',
        termsAgree,
      }
      return (await unlessDead(() => call(registrationComplete, { body })))?.redirect ?? pageOf(params)
    } catch (error) {
      throw new FailedAt(addressOf(params, 'person'), asFaults(error))
    }
  },
}

/** The forms of the page that the link in the mail opens. */
export const registrationLinkForms: PageForms = {
  path: `${page}/{id}`,
  forms: {
    ...mobileForms({
      addressOf,
      page: pageOf,
      ask: (form, mobile) => form.call(registrationCode, { body: { mobile, secret: secretOf(form) } }),
      prove: (form, mobile, code) => form.call(registrationVerify, { body: { mobile, secret: secretOf(form), code } }),
    }),
    complete,
  },
}
