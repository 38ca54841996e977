'use client'

import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import type { Option } from '@/components/form/use-search'

/** What the form and the preview show of a chosen banner, document or domain. */
export type Known = Option & { link?: string | null; off?: boolean; short?: string }

type Registry = { of: (id: string) => Known | undefined; add: (known: Known) => void }
const Context = createContext<Registry>({ of: () => undefined, add: () => undefined })

/** Keeps the names of what is chosen, also of what is chosen while the page is open. */
export function KnownNames({ given, children }: { given: readonly Known[]; children: ReactNode }) {
  const [all, setAll] = useState(() => new Map(given.map((known) => [known.value, known])))
  const add = useCallback((known: Known) => setAll((before) => new Map(before).set(known.value, known)), [])
  const registry = useMemo(() => ({ of: (id: string) => all.get(id), add }), [all, add])
  return <Context value={registry}>{children}</Context>
}

export const useKnown = () => use(Context)
