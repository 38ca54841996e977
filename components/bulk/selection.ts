'use client'

import { useSyncExternalStore } from 'react'

/** A chosen row with the data that its actions need while another page of the list is shown. */
export type Chosen<T = unknown> = { id: string; label: string; row: T }
type Selection = ReadonlyMap<string, Chosen>

const noRows: Selection = new Map()
const selections = new Map<string, Selection>()
const listeners = new Set<() => void>()

function put(list: string, next: Selection) {
  selections.set(list, next)
  for (const listen of listeners) listen()
}

const subscribe = (listen: () => void) => {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/**
 * The chosen rows of a list, in the order of choosing. They stay while the person filters, sorts and turns pages, until
 * the browser tab is closed.
 */
export function useSelection<T>(list: string) {
  const chosen = useSyncExternalStore(
    subscribe,
    () => selections.get(list) ?? noRows,
    () => noRows,
  ) as ReadonlyMap<string, Chosen<T>>
  return {
    chosen,
    choose: (rows: readonly Chosen<T>[], checked: boolean) => {
      const next = new Map<string, Chosen>(selections.get(list))
      for (const row of rows)
        if (checked) next.set(row.id, row)
        else next.delete(row.id)
      put(list, next)
    },
    clear: () => put(list, noRows),
  }
}
