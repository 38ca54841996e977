'use client'

import { useTranslations } from 'next-intl'
import { snackbar } from '@/components/ui/snackbar'
import { type call as Call, CallError, call } from '@/lib/base/http/client'
import type { FieldError } from '@/lib/base/runtime/errors'
import type { acceptInvitation } from '@/lib/joining/invitations/contract'
import { invitationPaths } from '@/lib/joining/invitations/paths'
import { type Failure, failureOf } from '../../../_ui/failure'
import { termFieldId, type useTerms } from '../../../_ui/use-terms'
import { unlessEnded } from './answer'

type Body = Parameters<typeof Call<typeof acceptInvitation>>[1]['body']

/** The names that the forms use for the call's fields. */
const fieldNames: Record<string, string> = {
  last_name: 'lastName',
  first_name: 'firstName',
  middle_name: 'middleName',
}
const ofForm = ({ field, code, ...rest }: FieldError): FieldError => {
  const [, term] = /^termsAgree\.(.+)$/.exec(field) ?? []
  if (term) return { field: termFieldId(term), code: 'errorTerms', ...rest }
  return { field: fieldNames[field] ?? field, code, ...rest }
}

/**
 * Accepts the invitation and opens the page that the answer names. Fields show their own errors; every other error is
 * also a snackbar (docs/rules/texts-and-look.md#notices).
 */
export function useAccept(id: string, terms: ReturnType<typeof useTerms>) {
  const t = useTranslations('snackbar')
  return async (body: Omit<Body, 'hash' | 'termsAgree'>): Promise<'done' | Failure> => {
    try {
      const sent = { hash: id, ...body, termsAgree: terms.answers() }
      const answer = await unlessEnded(() => call<typeof acceptInvitation>(invitationPaths.accept, { body: sent }))
      if (answer) window.location.assign(answer.redirect)
      return 'done'
    } catch (error) {
      const { termsRequired } = error instanceof CallError ? error.data : {}
      if (termsRequired) terms.renew(termsRequired)
      if (error instanceof CallError && error.errorList.length > 0)
        return { kind: 'form', errorList: error.errorList.map(ofForm) }
      // offline the snackbar can't be loaded; the summary above the form shows the error
      void snackbar.error(t('acceptError')).catch(() => undefined)
      return failureOf(error)
    }
  }
}
