'use client'

import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'

/**
 * Milliseconds that the pointer rests before the tooltip appears, and milliseconds that it stays, so that the pointer
 * may move onto it.
 */
const delay = 400
const grace = 200
const gap = 6
const edge = 8

/** Hides the visible tooltip: there is one at a time. */
let hideShown: (() => void) | null = null
let hiddenAt = 0

type Tip = {
  /** Handlers of the control. */
  on: {
    onPointerEnter(event: PointerEvent): void
    onPointerLeave(event: PointerEvent): void
    onPointerDown(): void
    onClick(): void
    onFocus(event: FocusEvent): void
    onBlur(): void
  }
  /** Rendered beside the control. */
  tip: ReactNode
}

/**
 * Shows a control's label on hover and keyboard focus, never by touch. It disappears with Escape, and stays while the
 * pointer is on it. The control must have this label as its accessible name: screen readers don't read it twice.
 */
export function useTooltip(text: string): Tip {
  const [anchor, setAnchor] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wait = (ms: number, work: () => void) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(work, ms)
  }
  const hide = useCallback(() => {
    clearTimeout(timer.current)
    setAnchor(null)
  }, [])
  const show = (element: Element) => {
    clearTimeout(timer.current)
    if (hideShown !== hide) hideShown?.()
    setAnchor(element)
  }
  useEffect(() => hide, [hide])
  return {
    on: {
      onPointerEnter({ pointerType, currentTarget }) {
        if (pointerType === 'touch') return
        if (anchor) clearTimeout(timer.current)
        else wait(Date.now() - hiddenAt < grace ? 0 : delay, () => show(currentTarget))
      },
      onPointerLeave: () => wait(grace, hide),
      onPointerDown: hide,
      onClick: hide,
      onFocus({ currentTarget }) {
        if (currentTarget.matches(':focus-visible')) show(currentTarget)
      },
      onBlur: hide,
    },
    tip: anchor ? (
      <TooltipBox
        anchor={anchor}
        hide={hide}
        onEnter={() => clearTimeout(timer.current)}
        onLeave={() => wait(grace, hide)}
      >
        {text}
      </TooltipBox>
    ) : null,
  }
}

type ShownProps = { anchor: Element; hide: () => void; onEnter: () => void; onLeave: () => void; children: string }

function TooltipBox({ anchor, hide, onEnter, onLeave, children }: ShownProps) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another size
  useLayoutEffect(() => {
    const tip = box.current
    if (!tip) return
    // in the browser's top layer, over dialogs and open menus
    if (!tip.matches(':popover-open')) tip.showPopover()
    const { left, top, bottom, width } = anchor.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    const fit = (start: number, size: number, room: number) => Math.max(edge, Math.min(start, room - size - edge))
    const above = top - tip.offsetHeight - gap
    tip.style.left = `${fit(left + width / 2 - tip.offsetWidth / 2, tip.offsetWidth, clientWidth)}px`
    tip.style.top = `${fit(above < edge ? bottom + gap : above, tip.offsetHeight, clientHeight)}px`
  }, [anchor, children])
  useEffect(() => {
    hideShown = hide
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // the dialog around the control stays
      event.stopPropagation()
      hide()
    }
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && target.contains(anchor)) hide()
    }
    // before any other listener
    window.addEventListener('keydown', onKey, true)
    window.addEventListener('scroll', onScroll, true)
    window.addEventListener('resize', hide)
    return () => {
      window.removeEventListener('keydown', onKey, true)
      window.removeEventListener('scroll', onScroll, true)
      window.removeEventListener('resize', hide)
      if (hideShown === hide) hideShown = null
      hiddenAt = Date.now()
    }
  }, [anchor, hide])
  return createPortal(
    <div
      ref={box}
      popover="manual"
      aria-hidden="true"
      data-tooltip=""
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      className="pointer-events-auto fixed inset-auto m-0 w-max max-w-70 animate-arrive overflow-visible rounded-pill border-0 bg-ink px-2 py-1 text-note text-paper print:hidden forced-colors:border"
    >
      {children}
    </div>,
    document.body,
  )
}
