import { type RefObject, useLayoutEffect } from 'react'

/**
 * Gives the focus back when a part of a form goes away with it: to the field that had it last if the person uses the
 * keyboard, otherwise to the page, because a field would open the keyboard of a phone.
 */
export function useFocusBack(part: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const shown = part.current
    const form = shown?.closest('form')
    if (!shown || !form) return
    const fieldOf = (target: EventTarget | null) =>
      target instanceof HTMLElement && form.contains(target) && !shown.contains(target) ? target.id : ''
    let last = fieldOf(document.activeElement)
    const note = ({ target }: FocusEvent) => {
      last = fieldOf(target) || last
    }
    form.addEventListener('focusin', note)
    return () => {
      form.removeEventListener('focusin', note)
      if (!shown.contains(document.activeElement)) return
      const byKeyboard = shown.querySelector(':focus-visible') !== null
      // by its id, when all is rendered: the fields may be new ones
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const field = byKeyboard && last ? document.getElementById(last) : null
        const next = field ?? document.getElementById('main')
        next?.focus({ preventScroll: !field })
      })
    }
  }, [part])
}
