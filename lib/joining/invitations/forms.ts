import { agreementsIn } from '@/lib/base/http/form-terms'
import { FailedAt, type PageForm, type PageForms, type PostedForm } from '@/lib/base/http/page-form'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import { asFaults, requireNone, unlessDead } from '@/lib/sign-in/forms/faults'
import { pairFaults, passwordsIn } from '@/lib/sign-in/passwords/pair-form'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { mobileForms } from '../forms/mobile'
import { emptyFields, personKeeps, typedFurther, typedNames } from '../forms/person'
import { acceptInvitation, declineInvitation, sendInvitationCode, verifyInvitationMobile } from './contract'

const pageOf = ({ id = '' }: Record<string, string>) => `/platform/invitation/${id}`
const addressOf = (params: Record<string, string>, step: string) => `${pageOf(params)}?step=${step}`
const hashOf = ({ params }: PostedForm) => params.id ?? ''

/** The names that the forms use for the call's fields. */
const fieldNames = { last_name: 'lastName', first_name: 'firstName', middle_name: 'middleName' }

/** Accepts the invitation for the signed-in account of its e-mail. */
const accept: PageForm = {
  keeps: ['agreed'],
  async send(form) {
    const { call, fields, params } = form
    try {
      const { termsAgree, faults } = agreementsIn(fields)
      requireNone(faults)
      const body = { hash: hashOf(form), termsAgree }
      return (await unlessDead(() => call(acceptInvitation, { body })))?.redirect ?? pageOf(params)
    } catch (error) {
      throw asFaults(error)
    }
  },
}

/** Makes an account of the form, and accepts the invitation with it. */
const join: PageForm = {
  keeps: personKeeps,
  async send(form) {
    const { ctx, call, fields, params } = form
    try {
      const [{ names, further, mobile }, rules] = await Promise.all([personForm(ctx), passwordRules(ctx.locale)])
      const { termsAgree, faults } = agreementsIn(fields)
      const errorList = [...emptyFields(names, further, fields), ...pairFaults(rules, fields), ...faults]
      if (mobile?.required && !fields.get('mobile')) errorList.push({ field: 'mobile', code: 'errorEmpty' })
      requireNone(errorList)
      const { fio, lastName, firstName, middleName } = typedNames(names, fields)
      const body = {
        hash: hashOf(form),
        fio,
        last_name: lastName,
        first_name: firstName,
        middle_name: middleName,
        ...typedFurther(further, fields),
        ...passwordsIn(fields),
        mobile: fields.get('mobile') ?? '',
        termsAgree,
      }
      return (await unlessDead(() => call(acceptInvitation, { body })))?.redirect ?? pageOf(params)
    } catch (error) {
      throw new FailedAt(addressOf(params, 'person'), asFaults(error, fieldNames))
    }
  },
}

/** Declines the invitation. The page says then that it was declined. */
const decline: PageForm = {
  keeps: [],
  async send(form) {
    await unlessDead(() => form.call(declineInvitation, { params: { id: hashOf(form) } }))
    return pageOf(form.params)
  },
}

/** The forms of an invitation. */
export const invitationForms: PageForms = {
  path: '/platform/invitation/{id}',
  forms: {
    ...mobileForms({
      addressOf,
      page: pageOf,
      ask: (form, mobile) => form.call(sendInvitationCode, { body: { hash: hashOf(form), mobile } }),
      prove: (form, mobile, code) => form.call(verifyInvitationMobile, { body: { hash: hashOf(form), mobile, code } }),
    }),
    accept,
    join,
    decline,
  },
}
