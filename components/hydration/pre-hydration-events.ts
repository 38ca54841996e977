type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
declare global {
  interface Window {
    /** Set by the early script when React has taken over the page. */
    pageAlive?: () => void
  }
}

/**
 * Records what a person types, clicks and submits before React has taken over the server's HTML, and repeats it
 * afterwards (ADR 36). It runs as an inline script, so it uses nothing from outside itself.
 */
export function preHydrationEvents() {
  const typed = new Map<Field, { value: string; checked: boolean }>()
  const acts = new Map<HTMLElement, { act: () => void; seen: string }>()
  let begun = false
  let composing = false
  let entering = false
  let pressed: Element | null = null
  let tries = 600

  const taken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
  // parts that are still streamed or loaded are hydrated later than the page around them
  const alive = (element: Element) => begun && (taken(element) || !taken(document.body))
  const buttonOf = ({ target }: Event) => (target instanceof Element ? target.closest('button') : null)

  /**
   * Returns what a control does, by its label. Parts that are hidden from screen readers, such as a shortcut's key, may
   * change.
   */
  const said = (element: Element) => {
    const copy = element.cloneNode(true) as Element
    for (const part of copy.querySelectorAll('[aria-hidden=true]')) part.remove()
    const states = ['aria-label', 'aria-checked', 'aria-pressed', 'value'].map((name) => element.getAttribute(name))
    return element.matches('form') ? '' : JSON.stringify([copy.textContent, ...states])
  }
  const keep = (element: HTMLElement, act: () => void) => acts.set(element, { act, seen: said(element) })

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
   * Gives React what was typed in the parts that it has taken over; `everywhere`: also in others, which makes React take
   * them over at once.
   */
  const enterTyped = (everywhere = false) => {
    for (const [field, value] of [...typed]) {
      if (field.isConnected && (composing || !(everywhere || alive(field)))) continue
      // before it is entered, because what follows from that may submit
      typed.delete(field)
      if (!field.isConnected) continue
      entering = true
      enter(field, value)
      entering = false
      if (!alive(field)) typed.set(field, value)
    }
  }
  const again = () => {
    enterTyped()
    for (const [element, kept] of acts) {
      if (element.isConnected && !alive(element)) continue
      // runs after React has rendered what was typed
      setTimeout(() => {
        // skip it if the person has repeated it, or if it would now do something else than what they saw
        if (acts.get(element) !== kept || !acts.delete(element)) return
        if (element.isConnected && said(element) === kept.seen) kept.act()
      })
    }
    if (typed.size + acts.size > 0 && tries-- > 0) setTimeout(again, 100)
  }

  const listen = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
    window.addEventListener(type, listener, true)
  listen('input', ({ target }) => {
    if (entering || !(target instanceof Element) || !target.matches('input, textarea, select')) return
    const field = target as Field
    // React has the whole value now
    if (alive(field)) return void typed.delete(field)
    typed.set(field, { value: field.value, checked: (field as HTMLInputElement).checked })
    // who goes on with what they submitted submits it again
    if (field.form?.matches('[data-type-ahead]')) acts.delete(field.form)
  })
  listen('compositionstart', () => {
    composing = true
  })
  listen('compositionend', () => {
    composing = false
  })
  listen('pointerdown', (event) => {
    const button = buttonOf(event)
    pressed = button && !alive(button) ? button : null
  })
  listen('click', (event) => {
    const button = buttonOf(event)
    if (!button || button.disabled) return
    if (alive(button)) {
      acts.delete(button)
      // who clicks as soon as the page is alive sends what they typed before
      enterTyped(true)
      if (pressed === button) press(button)
      pressed = null
      return
    }
    // the browser follows these itself
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
    const [button] = [...document.querySelectorAll<HTMLElement>('button[aria-keyshortcuts]')].filter((one) =>
      one.getAttribute('aria-keyshortcuts')?.split(' ').includes(keys),
    )
    if (!button || alive(button)) return
    event.preventDefault()
    keep(button, () => button.click())
  })
  listen('submit', (event) => {
    const form = event.target as HTMLFormElement
    const action = form.getAttribute('action')
    if (alive(form)) {
      acts.delete(form)
      enterTyped(true)
    }
    // a form with its own address needs no script
    if (alive(form) || (action !== null && !action.startsWith('javascript:'))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const submitter = event.submitter as HTMLButtonElement | null
    keep(form, () => form.requestSubmit(submitter?.form === form ? submitter : null))
  })
  window.pageAlive = () => {
    begun = true
    setTimeout(again)
  }
}
