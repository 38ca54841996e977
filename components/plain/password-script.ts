import type { randomPassword } from '@/lib/sign-in/passwords/random-password'

/**
 * What the script of a public page does for a new password and its repetition (`PasswordPair`): it marks the rules that
 * are met, says that the two differ, shows and hides both together, and generates one. It is sent as it stands here.
 */
export function passwordScript(random: typeof randomPassword) {
  const byId = (id: string | undefined) => document.getElementById(id ?? '') as HTMLInputElement | null
  for (const marks of document.querySelectorAll<HTMLElement>('ul[data-marks]')) {
    const { marks: id, repeat: repeatId, passed = '', failed = '' } = marks.dataset
    const [field, repeat] = [byId(id), byId(repeatId)]
    if (!field || !repeat) continue
    const rules = [...marks.children].map((item) => ({
      item: item as HTMLElement,
      rule: new RegExp((item as HTMLElement).dataset.rule ?? '', 'u'),
    }))
    const normal = ({ value }: { value: string }) => value.normalize('NFKC')
    const mark = () => {
      for (const { item, rule } of rules) {
        const isMet = rule.test(normal(field))
        item.toggleAttribute('data-met', isMet)
        const word = item.querySelector('[data-word]')
        if (word) word.textContent = `: ${isMet ? passed : failed}`
      }
    }
    const differ = byId(`${repeat.id}-differs`)
    const compare = (complete: boolean) => {
      const differs = repeat.value !== '' && normal(field) !== normal(repeat)
      if (differ && (complete || !differs)) differ.textContent = differs ? (differ.dataset.text ?? '') : ''
    }
    mark()
    field.addEventListener('input', () => {
      mark()
      compare(false)
    })
    repeat.addEventListener('input', () => compare(false))
    for (const input of [field, repeat]) input.addEventListener('change', () => compare(true))

    const reveals = [...document.querySelectorAll<HTMLElement>('button[data-reveal]')].filter((button) =>
      [field.id, repeat.id].includes(button.getAttribute('aria-controls') ?? ''),
    )
    for (const button of reveals)
      button.addEventListener('click', () => {
        for (const other of reveals) if (field.type !== repeat.type && other !== button) other.click()
      })

    const button = document.querySelector<HTMLElement>(`button[data-generate="${field.id}"]`)
    if (!button) continue
    const below = (bound: number): number => {
      const limit = Math.floor(2 ** 32 / bound) * bound
      const value = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
      return value < limit ? value % bound : below(bound)
    }
    const { groups, length, generated = '', luckless = '' } = button.dataset
    button.hidden = false
    button.addEventListener('click', () => {
      const accepts = (password: string) => rules.every(({ rule }) => rule.test(password))
      const password = random(JSON.parse(groups ?? ''), Number(length), below, accepts)
      const status = button.nextElementSibling
      if (status) status.textContent = password === null ? luckless : generated
      if (password === null) return
      for (const input of [field, repeat]) {
        input.value = password
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
      if (field.type === 'password') reveals[0]?.click()
    })
    for (const input of [field, repeat])
      input.addEventListener('input', ({ isTrusted }) => {
        const status = button.nextElementSibling
        if (isTrusted && status) status.textContent = ''
      })
  }
}
