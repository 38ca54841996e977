/** What the person has typed since they submitted a step, while the next one loads. */
let typed = ''
let stop: (() => void) | undefined

const onKey = (event: KeyboardEvent) => {
  // AltGr, which types characters, counts as Ctrl and Alt
  if (event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'))) return
  if (event.key === 'Backspace') typed = typed.slice(0, -1)
  else if ([...event.key].length === 1) typed += event.key
  else return
  event.preventDefault()
}
/** For keyboards on a screen, and what is pasted. */
const onInput = (event: InputEvent) => {
  if (event.inputType.startsWith('insert')) typed += event.data ?? ''
  event.preventDefault()
}

/** Keeps what is typed from now on out of the field that was submitted, for the next step to take. */
export function keepTyping() {
  takeTyped()
  document.addEventListener('keydown', onKey, true)
  document.addEventListener('beforeinput', onInput, true)
  stop = () => {
    document.removeEventListener('keydown', onKey, true)
    document.removeEventListener('beforeinput', onInput, true)
  }
}

/** Ends that, and returns what was typed. */
export function takeTyped(): string {
  stop?.()
  stop = undefined
  const taken = typed
  typed = ''
  return taken
}
