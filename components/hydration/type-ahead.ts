declare global {
  interface Window {
    /** Ends what `typeAhead` began, and returns the typed text. */
    takeTyped?: () => string
  }
}

/**
 * Records what a person types after they submitted a form with `data-type-ahead`, for the field of the next step:
 * people type the password right after Enter (ADR 49). The text is never shown, and stays in this closure. It runs as
 * an inline script before any other, so it uses nothing from outside itself.
 */
export function typeAhead() {
  let typedAhead: { text: string; lost: boolean; field: HTMLInputElement | null; value: string } | null = null

  const fieldOf = (target: EventTarget | null) => (target instanceof HTMLInputElement ? target : null)
  const replaces = ({ target }: Event) => {
    const field = fieldOf(target)
    return field !== null && field.selectionStart !== field.selectionEnd
  }
  const drop = () => {
    typedAhead = null
  }
  const hold = (form: Element) => {
    if (typedAhead) return
    const field = form.querySelector<HTMLInputElement>('input:not([type=hidden], [type=checkbox])')
    // a later selection is the person's, who replaces what they submitted
    if (field && field === document.activeElement) field.setSelectionRange(field.value.length, field.value.length)
    typedAhead = { text: '', lost: false, field, value: field?.value ?? '' }
  }
  const listen = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
    window.addEventListener(type, listener, true)

  listen('submit', ({ target }) => {
    if (target instanceof Element && target.matches('[data-type-ahead]')) hold(target)
  })
  listen('keydown', (event) => {
    if (!typedAhead) return
    const { key } = event
    // the person moves to another control
    if (key === 'Tab' || key === 'Escape' || replaces(event)) return drop()
    // AltGr, which types characters, counts as Ctrl and Alt
    if (event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'))) return
    // dead keys can't be combined into a character here
    if (key === 'Dead' || event.isComposing) typedAhead.lost = true
    else if (key === 'Backspace') typedAhead.text = [...typedAhead.text].slice(0, -1).join('')
    else if ([...key].length === 1) typedAhead.text += key
    else return
    event.preventDefault()
  })
  // on-screen keyboards, and pasted text
  listen('beforeinput', (event) => {
    if (!typedAhead) return
    if (replaces(event)) return drop()
    if (!event.cancelable) return
    event.preventDefault()
    if (event.inputType.startsWith('insert')) typedAhead.text += event.data ?? ''
    else typedAhead.text = ''
  })
  listen('input', (event) => {
    // the pre-hydration script restores the field's value
    if (!typedAhead || (event.target === typedAhead.field && typedAhead.field?.value === typedAhead.value)) return
    // the browser, or the person, entered another identifier
    if (
      !(event as InputEvent).inputType?.startsWith('insert') ||
      !typedAhead.field ||
      event.target !== typedAhead.field
    )
      return drop()
    // the text of an input method, which can't be prevented
    typedAhead.lost = true
    typedAhead.field.value = typedAhead.value
    event.stopImmediatePropagation()
  })
  listen('pointerdown', ({ target }) => {
    if (!(target instanceof Element && target.closest('[data-type-ahead] [type=submit]'))) drop()
  })
  listen('popstate', drop)
  listen('pagehide', drop)
  window.takeTyped = () => {
    const text = typedAhead && !typedAhead.lost ? typedAhead.text : ''
    drop()
    return text
  }
}
