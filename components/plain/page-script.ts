/**
 * What the script of a public page does: the page works without it, and it makes it quicker to use. It is sent as it
 * stands here, so it uses nothing from outside itself but what it is given.
 *
 * | attribute | effect |
 * |---|---|
 * | `data-countdown="45"` | counts the seconds down, then shows `data-over` or hides |
 * | `data-expires="code"` | at its end the code in this field is out of date |
 * | `data-wait`, `data-after-wait` | while the one counts, the other stays hidden |
 * | `data-here` | the address under which the page of this form stands in the browser's history |
 * | `data-keeps-typed` | the form leads back to its page, which keeps what was typed in other forms |
 * | `data-offline` | holds what is shown if a form fails: `data-unanswered` if no answer came, else `data-failed` |
 * | `data-hidden` | holds an element that has an effect with a script only |
 * | `data-code="6"` | takes digits only, and sends the form after the last one |
 * | `data-reveal` | shows and hides the password that `aria-controls` names |
 * | `data-caps` | is shown while Caps Lock is on in the password before it |
 * | `data-answer` | the page answers a form, so it can't be loaded again |
 * | `data-metrics="runs"` | the frame of the counter, which gets the address of the page; `waits` until the person agrees |
 * | `data-consent="account"` | agrees to cookies on this page, and for the account or this `browser` alone |
 */
export function pageScript(counterAddress: (page: string, previousPage: string) => string | null) {
  const root = document.documentElement
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const setCookie = (name: string, value: string, age: number) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that people use
    document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${age}; Path=/; SameSite=Lax${secure}`
  }
  root.dataset.script = ''
  for (const holder of all('[data-hidden]')) holder.outerHTML = holder.innerHTML
  const hasAddress = !document.querySelector('[data-answer]')

  // what was typed before the language was changed, by the names of the fields
  const typedKey = `typed ${location.pathname}`
  const takeTyped = (): [string, string][] => {
    try {
      const text = sessionStorage.getItem(typedKey)
      sessionStorage.removeItem(typedKey)
      return text ? JSON.parse(text) : []
    } catch {
      // the browser keeps nothing for this site
      return []
    }
  }
  for (const [name, value] of takeTyped())
    for (const field of all(`main [name="${CSS.escape(name)}"]`) as HTMLInputElement[])
      if (field.type === 'checkbox') field.checked ||= field.value === value
      else if (field.type !== 'hidden') field.value = value
  const keepTyped = () => {
    const form = document.querySelector<HTMLFormElement>('main form')
    if (!form) return
    const secret = '[autocomplete$=-password], [autocomplete=one-time-code], [type=hidden]'
    const secrets = new Set([...form.querySelectorAll<HTMLInputElement>(secret)].map(({ name }) => name))
    const typed = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !secrets.has(name))
    try {
      sessionStorage.setItem(typedKey, JSON.stringify(typed))
    } catch {
      // what was typed is typed again
    }
  }

  const two = (value: number) => String(value).padStart(2, '0')
  const now = Date.now()
  for (const timer of all('[data-countdown]')) {
    const end = now + Number(timer.dataset.countdown) * 1000
    const digits = timer.querySelector('span')
    const waiting = 'wait' in timer.dataset ? all('[data-after-wait]') : []
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      if (digits) digits.textContent = `${Math.floor(left / 60)}:${two(left % 60)}`
      for (const button of waiting) button.hidden = left > 0
      if (left > 0) return void setTimeout(tick, 500)
      const expired = timer.dataset.expires && document.getElementById(timer.dataset.expires)
      if (expired) {
        const note = document.getElementById(`${expired.id}-expired`)
        note?.removeAttribute('hidden')
        expired.setAttribute('aria-invalid', 'true')
        expired.setAttribute('aria-describedby', note?.id ?? '')
      }
      if (timer.dataset.over) timer.textContent = timer.dataset.over
      else timer.hidden = true
    }
    tick()
  }

  const busy = new Set<HTMLFormElement>()
  for (const field of all('input[data-code]') as HTMLInputElement[]) {
    const length = Number(field.dataset.code)
    let sent = ''
    field.maxLength = 524_288
    const enter = () => {
      const digits = field.value.replace(/\D/g, '').slice(0, length)
      if (field.value !== digits) field.value = digits
      if (digits.length < length || digits === sent) return
      sent = digits
      field.form?.requestSubmit()
    }
    field.addEventListener('input', enter)
    if (field.getAttribute('aria-invalid')) field.value = ''
    // typed before this script came; going back, the browser fills in an old code
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (visit?.type === 'navigate') setTimeout(enter)
  }

  for (const button of all('button[data-reveal]') as HTMLButtonElement[]) {
    const field = document.getElementById(button.getAttribute('aria-controls') ?? '') as HTMLInputElement | null
    if (!field) continue
    button.hidden = false
    button.addEventListener('click', () => {
      const reveals = field.type === 'password'
      field.type = reveals ? 'text' : 'password'
      button.setAttribute('aria-label', (reveals ? button.dataset.hide : button.dataset.reveal) ?? '')
      button.toggleAttribute('data-shown', reveals)
    })
    const note = field.parentElement?.querySelector<HTMLElement>('[data-caps]')
    const look = (event: KeyboardEvent | MouseEvent) => {
      if (note) note.textContent = event.getModifierState('CapsLock') ? (note.dataset.caps ?? '') : ''
    }
    field.addEventListener('keydown', look)
    field.addEventListener('keyup', look)
    field.addEventListener('click', look)
    field.addEventListener('blur', () => {
      if (note) note.textContent = ''
    })
  }

  // the field with the fault is typed anew
  const first = document.querySelector<HTMLInputElement>('main [autofocus]')
  if (first && (document.activeElement === document.body || document.activeElement === first)) {
    first.focus()
    if (first.getAttribute('aria-invalid')) first.select?.()
  }

  const failures = document.querySelector('[data-offline]')
  /**
   * Shows above the form of the page that a form failed, with the id of the request if the server answered; the person
   * may send it again.
   */
  const showFailure = (form: HTMLFormElement, submitter: HTMLElement | null, requestId: string | null) => {
    if (!failures) return
    const holder = document.createElement('template')
    holder.innerHTML = failures.innerHTML
    const box = holder.content.firstElementChild as HTMLElement
    for (const old of all('[data-offline-shown]')) old.remove()
    box.dataset.offlineShown = ''
    box.querySelector(requestId === null ? '[data-failed]' : '[data-unanswered]')?.remove()
    const reference = box.querySelector('[data-reference]')
    if (requestId) reference?.querySelector('span')?.append(requestId)
    else reference?.remove()
    box.querySelector('button')?.addEventListener('click', () => form.requestSubmit(submitter))
    // a form of the header stands in a menu, which closes
    const place = document.querySelector('main form') ?? document.querySelector('main h1')
    place?.before(box)
    // the only field keeps the focus
    const fields = form.querySelectorAll<HTMLElement>('input:not([type=hidden], [type=checkbox], [tabindex="-1"])')
    ;(fields.length === 1 ? (fields[0] ?? box) : box).focus()
  }

  /**
   * While a form is sent, what is typed into it would be lost, and might be meant for the field of the next step. Returns
   * the function that ends this.
   */
  const lock = (form: HTMLFormElement) => {
    const fields = [...form.querySelectorAll<HTMLInputElement>(':is(input, textarea):not([readonly])')]
    for (const field of fields) field.readOnly = true
    return () => {
      for (const field of fields) field.readOnly = false
    }
  }

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.elements.namedItem('token') || event.defaultPrevented) return
    event.preventDefault()
    if (busy.has(form)) return
    busy.add(form)
    const submitter = event.submitter as HTMLButtonElement | null
    const button = submitter ?? form.querySelector<HTMLButtonElement>('button[type=submit]')
    button?.setAttribute('aria-busy', 'true')
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value))
    if ('keepsTyped' in form.dataset) keepTyped()
    const unlock = lock(form)
    const fail = (requestId: string | null) => {
      busy.delete(form)
      unlock()
      button?.removeAttribute('aria-busy')
      takeTyped()
      showFailure(form, submitter, requestId)
    }
    const aborting = new AbortController()
    const timer = setTimeout(() => aborting.abort(), 30_000)
    fetch(form.action, {
      method: 'POST',
      body,
      headers: { accept: 'application/json' },
      cache: 'no-store',
      signal: aborting.signal,
    })
      .then(async (response) => {
        if (!response.ok) return fail(response.headers.get('x-request-id') ?? '')
        const { to } = (await response.json()) as { to: string }
        if (!to) throw new Error('no answer')
        if (form.dataset.here) history.replaceState(null, '', form.dataset.here)
        location.assign(to)
      })
      // a network that wants a sign-in of its own answers with a page
      .catch(() => fail(null))
      .finally(() => clearTimeout(timer))
  })

  for (const menu of all('details[data-menu]') as HTMLDetailsElement[]) {
    const close = (event: Event) => {
      if (!menu.open || menu.contains(event.target as Node)) return
      menu.open = false
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
    for (const option of menu.querySelectorAll<HTMLButtonElement>('button[name]'))
      option.addEventListener('click', (event) => {
        const { name, value } = option
        if (name !== 'theme') return
        event.preventDefault()
        setCookie(name, value, 34_560_000)
        if (value === 'system') delete root.dataset.theme
        else root.dataset.theme = value
        for (const other of menu.querySelectorAll('button'))
          other.setAttribute('aria-pressed', String(other === option))
        menu.open = false
        menu.querySelector('summary')?.focus()
      })
  }

  try {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const stored = document.cookie.split('; ').includes(`timeZone=${encodeURIComponent(timeZone)}`)
    if (timeZone && !stored) {
      setCookie('timeZone', timeZone, 34_560_000)
      // the page shows a time in another zone
      if (hasAddress && document.querySelector('main time')) location.replace(location.href)
    }
  } catch {
    // times stay in the zone of the account, or of Moscow
  }

  const count = (state: string) => {
    for (const frame of all(`iframe[data-metrics=${state}]`) as HTMLIFrameElement[]) {
      const address = counterAddress(location.href, document.referrer)
      if (address) frame.src = address
    }
  }
  count('runs')

  for (const form of all('form[data-consent]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      setCookie('cookieConsent', '1', 34_560_000)
      if (form.dataset.consent === 'account')
        fetch('/api/v1/platform/users/settings', {
          method: 'PATCH',
          body: '{"settings":{"cookie":true}}',
          headers: { 'content-type': 'application/json' },
          // it is stored also if the person leaves the page at once
          keepalive: true,
        }).catch((error) => console.warn('the consent to cookies is not kept on the server', error))
      // nothing moves; the button disappears with the notice, so the focus moves to the beginning of the page
      const notice = form.closest<HTMLElement>('[data-cookie-notice]')
      notice?.removeAttribute('data-cookie-notice')
      if (notice) notice.style.visibility = 'hidden'
      document.getElementById('main')?.focus({ preventScroll: true })
      count('waits')
    })

  // the browser restored the page from its cache, as it was while it waited for an answer
  addEventListener('pageshow', ({ persisted }) => void (persisted && hasAddress && busy.size > 0 && location.reload()))
}
