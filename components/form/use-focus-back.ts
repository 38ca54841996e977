import { type RefObject, useLayoutEffect } from 'react'

/**
 * Returns the focus when a focused part of a form disappears: to the last focused field if the person uses the
 * keyboard, otherwise to the page, because a field would open the on-screen keyboard of a phone.
 */
export function useFocusBack(part: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = part.current
    const form = element?.closest('form')
    if (!element || !form) return
    const fieldOf = (target: EventTarget | null) =>
      target instanceof HTMLElement && form.contains(target) && !element.contains(target) ? target.id : ''
    let lastFieldId = fieldOf(document.activeElement)
    const note = ({ target }: FocusEvent) => {
      lastFieldId = fieldOf(target) || lastFieldId
    }
    form.addEventListener('focusin', note)
    return () => {
      form.removeEventListener('focusin', note)
      if (!element.contains(document.activeElement)) return
      const byKeyboard = element.querySelector(':focus-visible') !== null
      // by its id, after rendering: the fields may be new elements
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const field = byKeyboard && lastFieldId ? document.getElementById(lastFieldId) : null
        const next = field ?? document.getElementById('main')
        next?.focus({ preventScroll: !field })
      })
    }
  }, [part])
}
