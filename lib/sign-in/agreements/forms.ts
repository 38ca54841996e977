import { agreementsIn } from '@/lib/base/http/form-terms'
import type { PageForm, PageForms } from '@/lib/base/http/page-form'
import { ownPath } from '@/lib/base/navigation/after-sign-in'
import { asFaults, requireNone } from '../forms/faults'
import { acceptAgreements } from './contract'

const page = '/platform/agreements'

/** Returns where a person goes who has agreed: the page that they requested, or the root. */
export function afterAgreeing(path: string | null): string {
  const target = ownPath(path)
  return target && !target.startsWith(page) ? target : '/platform'
}

const accept: PageForm = {
  keeps: ['agreed'],
  async send({ fields, search, call }) {
    const { termsAgree, faults } = agreementsIn(fields)
    requireNone(faults)
    try {
      await call(acceptAgreements, { body: { termsAgree } })
    } catch (error) {
      throw asFaults(error)
    }
    return afterAgreeing(search.get('path'))
  },
}

/** The forms of the page that asks signed-in people for agreements. */
export const agreementForms: PageForms = { path: page, forms: { accept } }
