'use client'

import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import type { Option } from '@/components/form/use-search'

/** The data that the form and the preview show of a chosen banner, document or domain. */
export type NamedOption = Option & { link?: string | null; off?: boolean; short?: string }

type Registry = { of: (id: string) => NamedOption | undefined; add: (option: NamedOption) => void }
const Context = createContext<Registry>({ of: () => undefined, add: () => undefined })

/** Provides the names of chosen objects, including those that are chosen while the page is open. */
export function KnownNames({ given, children }: { given: readonly NamedOption[]; children: ReactNode }) {
  const [names, setNames] = useState(() => new Map(given.map((option) => [option.value, option])))
  const add = useCallback((option: NamedOption) => setNames((before) => new Map(before).set(option.value, option)), [])
  const registry = useMemo(() => ({ of: (id: string) => names.get(id), add }), [names, add])
  return <Context value={registry}>{children}</Context>
}

export const useKnownNames = () => use(Context)
