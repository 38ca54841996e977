'use client'

import { createContext, type ReactNode, use, useMemo } from 'react'
import type { CallOutput } from '@/lib/base/contracts/contract'
import type { FieldOwner, readFieldTab } from '@/lib/fields/dynamic-fields/contract'

export type KnownBlock = Omit<CallOutput<typeof readFieldTab>['tab']['subtypes'][number], 'fields'>
type KnownTab = { id: string; title: string; titleEn: string | null; blocks: readonly KnownBlock[] }
type PageFields = { type: FieldOwner; tab: string; tabs: readonly KnownTab[] }

const Context = createContext<PageFields>({ type: 'users', tab: '', tabs: [] })

/** Around the page of a tab: tells the forms that load later whose fields these are, and every tab with its blocks. */
export function FieldsProvider({ type, tab, tabs, children }: PageFields & { children: ReactNode }) {
  return <Context value={useMemo(() => ({ type, tab, tabs }), [type, tab, tabs])}>{children}</Context>
}

/** Returns whose fields the page shows, which tab is open, and the tabs of the type with their blocks. */
export const useKnownFields = () => use(Context)
