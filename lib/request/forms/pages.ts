import type { PageForms } from '@/lib/base/http/page-form'
import { invitationForms } from '@/lib/joining/invitations/forms'
import { registrationForms, registrationLinkForms } from '@/lib/joining/registration/forms'
import { choiceForms } from '@/lib/my-account/settings/forms'
import { agreementForms } from '@/lib/sign-in/agreements/forms'
import { signInForms } from '@/lib/sign-in/attempts/forms'
import { signOutForms } from '@/lib/sign-in/attempts/sign-out-form'
import { reportForms } from '@/lib/sign-in/not-me/forms'
import { firstPasswordForms, forgotPasswordForms, newPasswordForms } from '@/lib/sign-in/passwords/forms'

const pages: readonly PageForms[] = [
  choiceForms,
  signOutForms,
  signInForms,
  registrationForms,
  registrationLinkForms,
  invitationForms,
  agreementForms,
  forgotPasswordForms,
  newPasswordForms,
  firstPasswordForms,
  reportForms,
]

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
const patterns = pages.map((page) => ({ ...page, pattern: patternOf(page.path) }))

/** Returns the forms of the page at a path, and the parameters in it; undefined for a page without forms. */
export function formsAt(path: string): (PageForms & { params: Record<string, string> }) | undefined {
  for (const { pattern, ...page } of patterns) {
    const match = pattern.exec(path)
    if (match) return { ...page, params: { ...match.groups } }
  }
  return undefined
}
