/** The event by which an element in a closed part of the page, such as a tab, asks to be shown. */
export const revealEvent = 'reveal'

/** Moves the focus to the element with this id, and opens the tab that contains it. */
export function reveal(id: string) {
  const element = document.getElementById(id)
  element?.dispatchEvent(new Event(revealEvent, { bubbles: true }))
  element?.focus()
}
