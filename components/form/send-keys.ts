/** Also where the page isn't secure, and `crypto.randomUUID` therefore missing. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const files = new WeakMap<Blob, number>()
let counted = 0
/** Files by which they are: JSON would make every one of them the same. */
const distinct = (_: string, value: unknown) => {
  if (typeof Blob === 'undefined' || !(value instanceof Blob)) return value
  if (!files.has(value)) files.set(value, ++counted)
  return { file: files.get(value) }
}

/**
 * Idempotency keys of one form: what is sent again as it was, because the answer got lost, keeps its key, so that it
 * is done once. Another input, and anything after a success, gets a new one. `make` gives keys.
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
