/** Returns a random id. `crypto.randomUUID` is missing on pages without https. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const files = new WeakMap<Blob, number>()
let counted = 0
/** Files are identified by object, because JSON would make all of them equal. */
const distinct = (_: string, value: unknown) => {
  if (typeof Blob === 'undefined' || !(value instanceof Blob)) return value
  if (!files.has(value)) files.set(value, ++counted)
  return { file: files.get(value) }
}

/**
 * Idempotency keys of one form. If the same input is sent again because the answer was lost, it keeps its key, so that
 * it is executed once. Other input, and anything after a success, gets a new key. `make` creates keys.
 */
export function createSendKeys(make = randomKey) {
  let last: { sent: string; key: string } | undefined
  return {
    keyOf(input: unknown): string {
      const sent = JSON.stringify(input, distinct) ?? ''
      if (last?.sent !== sent) last = { sent, key: make() }
      return last.key
    },
    done() {
      last = undefined
    },
  }
}
