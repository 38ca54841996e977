import { useEffect, useRef, useState } from 'react'

export type Edge = 'top' | 'bottom'

type Options = {
  /** Which list it is: rows can't be dropped into another one. */
  list: string
  ids: readonly string[]
  enabled: boolean
  onDrop: (id: string, other: string, edge: Edge) => void
}

/**
 * Lets the rows of a list be dragged by their grips. Its library is loaded after the page, because the buttons and keys
 * do the same. `target` is the row over which another one hangs, and the edge at which it would be put.
 */
export function useDragging({ list, ids, enabled, onDrop }: Options) {
  const rows = useRef(new Map<string, HTMLElement>())
  const grips = useRef(new Map<string, HTMLElement>())
  const [target, setTarget] = useState<{ id: string; edge: Edge } | null>(null)
  const drop = useRef(onDrop)
  useEffect(() => {
    drop.current = onDrop
  })
  const key = [...ids].sort().join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows need other listeners
  useEffect(() => {
    if (!enabled) return
    let over: (() => void)[] | null = []
    void import('@atlaskit/pragmatic-drag-and-drop/element/adapter').then(({ draggable, dropTargetForElements }) => {
      for (const id of over ? ids : []) {
        const [element, dragHandle] = [rows.current.get(id), grips.current.get(id)]
        if (!element || !dragHandle) continue
        const edgeAt = (y: number): Edge => {
          const { top, height } = element.getBoundingClientRect()
          return y < top + height / 2 ? 'top' : 'bottom'
        }
        over?.push(
          draggable({ element, dragHandle, getInitialData: () => ({ list, id }) }),
          dropTargetForElements({
            element,
            canDrop: ({ source }) => source.data.list === list,
            onDrag: ({ source, location }) =>
              setTarget(source.data.id === id ? null : { id, edge: edgeAt(location.current.input.clientY) }),
            onDragLeave: () => setTarget(null),
            onDrop: ({ source, location }) => {
              setTarget(null)
              drop.current(String(source.data.id), id, edgeAt(location.current.input.clientY))
            },
          }),
        )
      }
    })
    return () => {
      for (const end of over ?? []) end()
      over = null
    }
  }, [list, key, enabled])

  const keptIn = (kept: typeof rows) => (id: string) => (element: HTMLElement | null) => {
    if (element) kept.current.set(id, element)
    else kept.current.delete(id)
  }
  return { rowRef: keptIn(rows), gripRef: keptIn(grips), target }
}
