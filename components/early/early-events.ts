type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
declare global {
  interface Window {
    /** Set by the script of `earlyEvents`: React has taken over the page. */
    pageAlive?: () => void
  }
}

/**
 * Keeps what a person types, clicks and submits before React has taken over what the server drew, and does it again
 * afterwards (ADR 36). It runs as an inline script, so it uses nothing from outside itself.
 */
export function earlyEvents() {
  const typed = new Map<Field, { value: string; checked: boolean }>()
  const acts = new Map<HTMLElement, { act: () => void; seen: string }>()
  let begun = false
  let composing = false
  let pressed: Element | null = null
  let tries = 600

  const taken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
  // parts that are still streamed or loaded are taken over later than the page around them
  const alive = (element: Element) => begun && (taken(element) || !taken(document.body))
  const buttonOf = ({ target }: Event) => (target instanceof Element ? target.closest('button') : null)

  /** What a control says that it does; what is hidden from screen readers may change, such as a shortcut's key. */
  const said = (element: Element) => {
    const copy = element.cloneNode(true) as Element
    for (const part of copy.querySelectorAll('[aria-hidden=true]')) part.remove()
    const states = ['aria-label', 'aria-checked', 'aria-pressed', 'value'].map((name) => element.getAttribute(name))
    return element.matches('form') ? '' : JSON.stringify([copy.textContent, ...states])
  }
  const keep = (element: HTMLElement, act: () => void) => acts.set(element, { act, seen: said(element) })

  /** Some controls, such as menus, answer to the press and not to the click. */
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
    // React compares with the value that was set through the element itself
    field.value = field.defaultValue
    set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    if (selectionStart !== null && field === document.activeElement)
      field.setSelectionRange(selectionStart, selectionEnd)
  }
  const again = () => {
    for (const [field, value] of typed) {
      if (field.isConnected && (composing || !alive(field))) continue
      typed.delete(field)
      if (field.isConnected) enter(field, value)
    }
    for (const [element, kept] of acts) {
      if (element.isConnected && !alive(element)) continue
      // after React has drawn what was typed
      setTimeout(() => {
        // the person has done it again meanwhile, or it would do something else than what they saw
        if (acts.get(element) !== kept || !acts.delete(element)) return
        if (element.isConnected && said(element) === kept.seen) kept.act()
      })
    }
    if (typed.size + acts.size > 0 && tries-- > 0) setTimeout(again, 100)
  }

  const listen = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
    window.addEventListener(type, listener, true)
  listen('input', ({ target }) => {
    if (!(target instanceof Element) || !target.matches('input, textarea, select')) return
    const field = target as Field
    // React knows the whole value now
    if (alive(field)) typed.delete(field)
    else typed.set(field, { value: field.value, checked: (field as HTMLInputElement).checked })
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
      if (pressed === button) press(button)
      pressed = null
      return
    }
    // the browser does these itself
    if ((button.type === 'submit' && button.form) || button.hasAttribute('popovertarget')) return
    event.stopImmediatePropagation()
    keep(button, () => {
      press(button)
      button.click()
    })
  })
  listen('submit', (event) => {
    const form = event.target as HTMLFormElement
    const action = form.getAttribute('action')
    if (alive(form)) acts.delete(form)
    // a form with an address of its own needs no script
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
