/**
 * Runs in the page. Returns the boxes and switches that have the name of another one in the same group, and the controls
 * that are marked as wrong but don't lead to the words that say why.
 */
export function controlFaults(): string[] {
  const groups = 'fieldset, [role=group], [role=dialog], section'
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], [inert]')
  const textOf = (element: Element | null) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? ''
  const referred = (element: Element, attribute: string) =>
    (element.getAttribute(attribute) ?? '').split(' ').flatMap((id) => document.getElementById(id) ?? [])
  const nameOf = (element: Element) =>
    referred(element, 'aria-labelledby').map(textOf).join(' ') ||
    element.getAttribute('aria-label') ||
    [...((element as HTMLInputElement).labels ?? [])].map(textOf).join(' ') ||
    textOf(element.querySelector(':scope > legend'))
  const groupsOf = (element: Element): Element[] => {
    const around = element.parentElement?.closest(groups)
    return around ? [around, ...groupsOf(around)] : []
  }

  const faults: string[] = []
  const boxes = [...document.querySelectorAll('[role=checkbox], [role=switch], input[type=checkbox]')].filter(
    (box) => isShown(box) && !box.matches(':disabled'),
  )
  const names = boxes.map((box) => [box, ...groupsOf(box)].map(nameOf).join(' in '))
  for (const name of new Set(names.filter((each, at) => names.indexOf(each) < at)))
    faults.push(`boxes of one name: ${name}`)

  const probe = document.body.appendChild(document.createElement('span'))
  probe.className = 'text-danger'
  const { color: danger } = getComputedStyle(probe)
  const saysWhy = (element: Element) =>
    isShown(element) &&
    textOf(element) !== '' &&
    [element, ...element.querySelectorAll('*')].some((each) => getComputedStyle(each).color === danger)
  for (const control of document.querySelectorAll('[aria-invalid=true]')) {
    // what is said of a group is said of each control in it
    const descriptions = [control, ...groupsOf(control)].flatMap((each) => [
      ...referred(each, 'aria-describedby'),
      ...referred(each, 'aria-errormessage'),
    ])
    if (isShown(control) && !descriptions.some(saysWhy))
      faults.push(`wrong without a reason: ${control.outerHTML.slice(0, 200)}`)
  }
  probe.remove()
  return faults
}
