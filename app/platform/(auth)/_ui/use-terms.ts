'use client'

import { useState } from 'react'
import type { FieldError, TermsRequired } from '@/lib/kernel/errors'

/** A document that a form asks to agree to. */
export type Term = Pick<TermsRequired, 'id' | 'version' | 'title' | 'linkTitle' | 'link'>

export const termFieldId = (id: string) => `terms-${id}`

/** Agreements of a form and what is missing of them. For TermsFields; `renew` takes a list that changed meanwhile. */
export function useTerms(initial: readonly Term[]) {
  const [terms, setTerms] = useState(initial)
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set())

  const set = (id: string, on: boolean) => {
    const next = new Set(agreed)
    if (on) next.add(id)
    else next.delete(id)
    setAgreed(next)
  }
  const check = (): FieldError[] =>
    terms.flatMap(({ id }) => (agreed.has(id) ? [] : [{ field: termFieldId(id), code: 'errorTerms' }]))
  const answers = () => terms.map(({ id, version }) => ({ type: id, agree: agreed.has(id), version }))
  const renew = (list: readonly Term[]) => {
    setTerms(list)
    // what was agreed to stays so in the version that was read
    setAgreed(
      new Set(list.filter(({ id, version }) => agreed.has(id) && hasVersion(terms, id, version)).map(({ id }) => id)),
    )
  }
  return { terms, agreed, set, check, answers, renew }
}

const hasVersion = (terms: readonly Term[], id: string, version: number) =>
  terms.some((term) => term.id === id && term.version === version)
