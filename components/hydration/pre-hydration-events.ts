type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
declare global {
  interface Window {
    /** Set by the pre-hydration script; called when React has taken over a part of the page. */
    partHydrated?: () => void
  }
}

/**
 * Records what a person types, clicks and submits before hydration, and repeats it afterwards (ADR 36). It runs as an
 * inline script, so it uses nothing from outside itself.
 */
export function preHydrationEvents() {
  const typed = new Map<Field, { value: string; checked: boolean }>()
  const acts = new Map<HTMLElement, { act: () => void; seen: string }>()
  let composing = false
  let entering = false
  let pressed: Element | null = null

  /** The end of the part of the page in which an element lies. What React itself has added to the page lies in none. */
  const partEnd = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement)
      for (let next = at.nextElementSibling; next; next = next.nextElementSibling)
        if (next.matches('[data-part-end]')) return next
    return null
  }
  const isHydrated = (element: Element) => partEnd(element)?.getAttribute('data-part-end') !== ''
  const buttonOf = ({ target }: Event) => (target instanceof Element ? target.closest('button') : null)

  /**
   * Returns what a control does, by its label and states. Leaves out parts that are hidden from screen readers, such as
   * a shortcut's key, because they may change.
   */
  const labelOf = (element: Element) => {
    const copy = element.cloneNode(true) as Element
    for (const part of copy.querySelectorAll('[aria-hidden=true]')) part.remove()
    const states = ['aria-label', 'aria-checked', 'aria-pressed', 'value'].map((name) => element.getAttribute(name))
    return element.matches('form') ? '' : JSON.stringify([copy.textContent, ...states])
  }
  const keep = (element: HTMLElement, act: () => void) => acts.set(element, { act, seen: labelOf(element) })

  /** Some controls, such as menus, react to pointerdown and not to click. */
  const press = (button: Element) => {
    const pointer = { bubbles: true, cancelable: true, pointerType: 'mouse', isPrimary: true }
    const mouse = { bubbles: true, cancelable: true }
    button.dispatchEvent(new PointerEvent('pointerdown', pointer))
    button.dispatchEvent(new MouseEvent('mousedown', mouse))
    button.dispatchEvent(new PointerEvent('pointerup', pointer))
    button.dispatchEvent(new MouseEvent('mouseup', mouse))
  }
  const enter = (field: Field, { value, checked }: { value: string; checked: boolean }) => {
    if (field.type === 'checkbox' || field.type === 'radio') {
      const box = field as HTMLInputElement
      box.checked = !checked
      return box.click()
    }
    if (field.type === 'file') return field.dispatchEvent(new Event('change', { bubbles: true }))
    const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
    if (field instanceof HTMLSelectElement) {
      set?.call(field, value)
      return field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    if (field.defaultValue === value) return
    const { selectionStart, selectionEnd } = field
    // React compares with the value that was set through the element's own setter
    field.value = field.defaultValue
    set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    if (selectionStart !== null && field === document.activeElement)
      field.setSelectionRange(selectionStart, selectionEnd)
  }
  /**
   * Enters the typed text into React's fields, in hydrated parts; `everywhere`: also in others, which makes React
   * hydrate them at once.
   */
  const enterTyped = (everywhere = false) => {
    for (const [field, value] of [...typed]) {
      if (field.isConnected && (composing || !(everywhere || isHydrated(field)))) continue
      // deleted first, because entering the text may submit the form
      typed.delete(field)
      if (!field.isConnected) continue
      entering = true
      enter(field, value)
      entering = false
      if (!isHydrated(field)) typed.set(field, value)
    }
  }
  const replayEvents = () => {
    enterTyped()
    for (const [element, recorded] of acts) {
      if (element.isConnected && !isHydrated(element)) continue
      // runs after React has rendered what was typed
      setTimeout(() => {
        // skip it if the person has repeated it, or if it would now do something else than what they saw
        if (acts.get(element) !== recorded || !acts.delete(element)) return
        if (element.isConnected && labelOf(element) === recorded.seen) recorded.act()
      })
    }
  }

  const listen = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
    window.addEventListener(type, listener, true)
  listen('input', ({ target }) => {
    if (entering || !(target instanceof Element) || !target.matches('input, textarea, select')) return
    const field = target as Field
    // React has the whole value now
    if (isHydrated(field)) return void typed.delete(field)
    typed.set(field, { value: field.value, checked: (field as HTMLInputElement).checked })
    // a person who changes a submitted form submits it again, so the recorded submission is dropped
    if (field.form?.matches('[data-type-ahead]')) acts.delete(field.form)
  })
  listen('compositionstart', () => {
    composing = true
  })
  listen('compositionend', () => {
    composing = false
    setTimeout(replayEvents)
  })
  listen('pointerdown', (event) => {
    const button = buttonOf(event)
    pressed = button && !isHydrated(button) ? button : null
  })
  listen('click', (event) => {
    const button = buttonOf(event)
    if (!button || button.disabled) return
    if (isHydrated(button)) {
      acts.delete(button)
      // a click right after hydration sends what was typed before it
      enterTyped(true)
      if (pressed === button) press(button)
      pressed = null
      return
    }
    // the browser submits these itself
    if ((button.type === 'submit' && button.form) || button.hasAttribute('popovertarget')) return
    event.stopImmediatePropagation()
    keep(button, () => {
      press(button)
      button.click()
    })
  })
  listen('keydown', (event) => {
    if (event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return
    const keys = `${event.ctrlKey ? 'Control' : 'Meta'}+${event.code.replace('Key', '')}`
    const [button] = [...document.querySelectorAll<HTMLElement>('button[aria-keyshortcuts]')].filter((each) =>
      each.getAttribute('aria-keyshortcuts')?.split(' ').includes(keys),
    )
    if (!button || isHydrated(button)) return
    event.preventDefault()
    keep(button, () => button.click())
  })
  listen('submit', (event) => {
    const form = event.target as HTMLFormElement
    const action = form.getAttribute('action')
    if (isHydrated(form)) {
      acts.delete(form)
      enterTyped(true)
    }
    // a form with its own address needs no script
    if (isHydrated(form) || (action !== null && !action.startsWith('javascript:'))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const submitter = event.submitter as HTMLButtonElement | null
    keep(form, () => form.requestSubmit(submitter?.form === form ? submitter : null))
  })
  window.partHydrated = () => void setTimeout(replayEvents)
}
