'use client'

import { useState } from 'react'
import type { FieldError, TermsRequired } from '@/lib/base/runtime/errors'

/** A document that the form asks to agree to. */
export type Term = Pick<TermsRequired, 'id' | 'version' | 'title' | 'linkTitle' | 'link'>

export const termFieldId = (id: string) => `terms-${id}`

const keyOf = ({ id, version }: Term) => `${id} ${version}`

/**
 * The agreements of a form and those that are missing. For TermsFields. `renew` replaces the list if it has changed.
 */
export function useTerms(initial: readonly Term[]) {
  const [renewed, setRenewed] = useState<readonly Term[] | null>(null)
  // agreements stay valid for the version that the person saw
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  // in another language the page passes the texts again
  const terms = renewed ?? initial
  const agreed: ReadonlySet<string> = new Set(terms.filter((term) => ticked.has(keyOf(term))).map(({ id }) => id))

  const set = (id: string, isAgreed: boolean) => {
    const next = new Set(ticked)
    for (const term of terms)
      if (term.id === id) {
        if (isAgreed) next.add(keyOf(term))
        else next.delete(keyOf(term))
      }
    setTicked(next)
  }
  const check = (): FieldError[] =>
    terms.flatMap(({ id }) => (agreed.has(id) ? [] : [{ field: termFieldId(id), code: 'errorTerms' }]))
  const answers = () => terms.map(({ id, version }) => ({ type: id, agree: agreed.has(id), version }))
  return { terms, agreed, set, check, answers, renew: (list: readonly Term[]) => setRenewed(list) }
}
