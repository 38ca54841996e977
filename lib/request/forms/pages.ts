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

/** Public pages that have no form but those of every page. */
const readOnly = ['/platform/help', '/platform/law/{id}', '/platform/no-access', '/platform/404']

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
const patterns = pages.map((page) => ({ ...page, pattern: patternOf(page.path) }))
const readOnlyPatterns = readOnly.map(patternOf)

/** Returns the forms of the page at a path, and the parameters in it; undefined for a page without forms. */
export function formsAt(path: string): (PageForms & { params: Record<string, string> }) | undefined {
  for (const { pattern, ...page } of patterns) {
    const match = pattern.exec(path)
    if (match) return { ...page, params: { ...match.groups } }
  }
  return undefined
}

/** Returns whether the page at a path needs no script: what can be done there are forms and links. */
export const isPlain = (path: string): boolean =>
  formsAt(path) !== undefined || readOnlyPatterns.some((pattern) => pattern.test(path))
