import { useEffect, useRef, useState } from 'react'

export type Edge = 'top' | 'bottom'

type Options = {
  /** The id of the list: rows can't be dropped into another one. */
  list: string
  ids: readonly string[]
  enabled: boolean
  onDrop: (id: string, targetId: string, edge: Edge) => void
}

/**
 * Lets the rows of a list be dragged by their grips. Its library is loaded after the page, because the buttons and keys
 * do the same. `target` is the row below the dragged one, and the edge at which the dragged row would be put.
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
    let cleanups: (() => void)[] | null = []
    void import('@atlaskit/pragmatic-drag-and-drop/element/adapter').then(({ draggable, dropTargetForElements }) => {
      for (const id of cleanups ? ids : []) {
        const [element, dragHandle] = [rows.current.get(id), grips.current.get(id)]
        if (!element || !dragHandle) continue
        const edgeAt = (y: number): Edge => {
          const { top, height } = element.getBoundingClientRect()
          return y < top + height / 2 ? 'top' : 'bottom'
        }
        cleanups?.push(
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
      for (const end of cleanups ?? []) end()
      cleanups = null
    }
  }, [list, key, enabled])

  const keptIn = (elements: typeof rows) => (id: string) => (element: HTMLElement | null) => {
    if (element) elements.current.set(id, element)
    else elements.current.delete(id)
  }
  return { rowRef: keptIn(rows), gripRef: keptIn(grips), target }
}
