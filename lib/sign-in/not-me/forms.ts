import type { PageForm, PageForms } from '@/lib/base/http/page-form'
import { unlessDead } from '../forms/faults'
import { reportSignIn } from './contract'

/**
 * Says that the sign-in was somebody else's. If there is no password to set here, this page says that the session has
 * ended.
 */
const report: PageForm = {
  keeps: [],
  async send({ params, call }) {
    const id = params.id ?? ''
    const answer = await unlessDead(() => call(reportSignIn, { params: { id } }))
    return answer && (answer.redirect ?? `/platform/login/device/${id}?step=done`)
  },
}

/** The forms of the page that a mail about a new device leads to. */
export const reportForms: PageForms = { path: '/platform/login/device/{id}', forms: { report } }
