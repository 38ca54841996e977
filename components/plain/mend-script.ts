/**
 * What the script of a public page does while somebody corrects a form that has failed: the error of the field goes,
 * and so does its line in the summary above the form, which goes with its last line. An error that two passwords share
 * (`data-shared`) goes from both. Codes stay red until the next one is sent. It is sent as it stands here.
 */
export function mendScript() {
  const errorOf = ({ id }: Element) => document.getElementById(`${id}-error`)
  const mend = (control: Element) => {
    const error = errorOf(control)
    control.removeAttribute('aria-invalid')
    const others = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== error?.id)
    control.setAttribute('aria-describedby', others.join(' '))
    error?.remove()
    const line = document.querySelector(`main li a[href="#${CSS.escape(control.id)}"]`)?.closest('li')
    const list = line?.parentElement
    line?.remove()
    if (list && !list.children.length) list.closest('[data-failure]')?.remove()
  }
  document.addEventListener('input', ({ target }) => {
    const control = (target as Element).closest('main [aria-invalid]:not([data-code])')
    if (!control) return
    if (control.matches('[data-shared]')) document.querySelectorAll('[data-shared][aria-invalid]').forEach(mend)
    else mend(control)
  })
}
