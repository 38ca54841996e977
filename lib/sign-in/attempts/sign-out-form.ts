import type { PageForm, PageForms } from '@/lib/base/http/page-form'
import { ownPath } from '@/lib/base/navigation/after-sign-in'
import { authLogout } from './contract'

const sentFrom = (fields: URLSearchParams) => ownPath(fields.get('back')) ?? '/'

/** Signs this browser out, and opens the page that the form names, or the one that sent it. */
const signOut: PageForm = {
  keeps: [],
  async send({ fields, call }) {
    const { leads } = await call(authLogout, {})
    return leads ?? ownPath(fields.get('to')) ?? sentFrom(fields)
  },
}

/** The form by which public pages sign a person out, at an address of its own. */
export const signOutForms: PageForms = { path: '/platform/sign-out', forms: { signOut }, sentFrom }
