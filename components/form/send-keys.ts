/** Also where the page isn't secure, and `crypto.randomUUID` therefore missing. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Idempotency keys of one form: what is sent again as it was, because the answer got lost, keeps its key, so that it
 * is done once. Another input, and anything after a success, gets a new one. `make` gives keys.
 */
export function createSendKeys(make = randomKey) {
  let last: { sent: string; key: string } | undefined
  return {
    keyOf(input: unknown): string {
      const sent = JSON.stringify(input) ?? ''
      if (last?.sent !== sent) last = { sent, key: make() }
      return last.key
    },
    done() {
      last = undefined
    },
  }
}
