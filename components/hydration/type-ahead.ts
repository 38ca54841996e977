declare global {
  interface Window {
    /** Ends what `typeAhead` began, and returns what was typed. */
    takeTyped?: () => string
  }
}

/**
 * Keeps what a person types after they submitted a form with `data-type-ahead`, for the field of the next step: people
 * type the password right after Enter (ADR 49). It is never shown, and stays in this closure. It runs as an inline
 * script before any other, so it uses nothing from outside itself.
 */
export function typeAhead() {
  let held: { text: string; lost: boolean; field: HTMLInputElement | null; value: string } | null = null

  const fieldOf = (target: EventTarget | null) => (target instanceof HTMLInputElement ? target : null)
  const replaces = ({ target }: Event) => {
    const field = fieldOf(target)
    return field !== null && field.selectionStart !== field.selectionEnd
  }
  const drop = () => {
    held = null
  }
  const hold = (form: Element) => {
    if (held) return
    const field = form.querySelector<HTMLInputElement>('input:not([type=hidden], [type=checkbox])')
    // a selection that is there later is the person's, who replaces what they submitted
    if (field && field === document.activeElement) field.setSelectionRange(field.value.length, field.value.length)
    held = { text: '', lost: false, field, value: field?.value ?? '' }
  }
  const listen = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
    window.addEventListener(type, listener, true)

  listen('submit', ({ target }) => {
    if (target instanceof Element && target.matches('[data-type-ahead]')) hold(target)
  })
  listen('keydown', (event) => {
    if (!held) return
    const { key } = event
    // the person goes elsewhere
    if (key === 'Tab' || key === 'Escape' || replaces(event)) return drop()
    // AltGr, which types characters, counts as Ctrl and Alt
    if (event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'))) return
    // parts of a character can't be put together here
    if (key === 'Dead' || event.isComposing) held.lost = true
    else if (key === 'Backspace') held.text = [...held.text].slice(0, -1).join('')
    else if ([...key].length === 1) held.text += key
    else return
    event.preventDefault()
  })
  // keyboards on a screen, and what is pasted
  listen('beforeinput', (event) => {
    if (!held) return
    if (replaces(event)) return drop()
    if (!event.cancelable) return
    event.preventDefault()
    if (event.inputType.startsWith('insert')) held.text += event.data ?? ''
    else held.text = ''
  })
  listen('input', (event) => {
    // the early script gives the field its value again
    if (!held || (event.target === held.field && held.field?.value === held.value)) return
    // the browser, or the person, filled in another identifier
    if (!(event as InputEvent).inputType?.startsWith('insert') || !held.field || event.target !== held.field)
      return drop()
    // an input method's text, which can't be prevented
    held.lost = true
    held.field.value = held.value
    event.stopImmediatePropagation()
  })
  listen('pointerdown', ({ target }) => {
    if (!(target instanceof Element && target.closest('[data-type-ahead] [type=submit]'))) drop()
  })
  listen('popstate', drop)
  listen('pagehide', drop)
  window.takeTyped = () => {
    const text = held && !held.lost ? held.text : ''
    drop()
    return text
  }
}
