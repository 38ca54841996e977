import { createHash } from 'node:crypto'

/** A set of texts that is never wrong about its members, and rarely takes another text for one. */
export type Bloom = { bits: number; hashes: number; bytes: Uint8Array }

/** Bits per entry, and hashes per text: one in 100 000 other texts is taken for a member. */
const bitsPerEntry = 24
const hashes = 17

function* positions({ bits, hashes }: Pick<Bloom, 'bits' | 'hashes'>, text: string) {
  const hash = createHash('sha256').update(text).digest()
  let at = hash.readUInt32LE(0)
  let step = hash.readUInt32LE(4)
  for (let n = 0; n < hashes; n++) {
    yield at % bits
    // the step grows too: otherwise texts with the same first positions would have the same ones throughout
    at = (at + step) >>> 0
    step = (step + n) >>> 0
  }
}

export function makeBloom(texts: ReadonlySet<string>): Bloom {
  const bits = texts.size * bitsPerEntry
  const bloom = { bits, hashes, bytes: new Uint8Array(Math.ceil(bits / 8)) }
  for (const text of texts)
    for (const at of positions(bloom, text)) bloom.bytes[at >> 3] = (bloom.bytes[at >> 3] ?? 0) | (1 << (at & 7))
  return bloom
}

export function mayContain(bloom: Bloom, text: string): boolean {
  for (const at of positions(bloom, text)) if (((bloom.bytes[at >> 3] ?? 0) & (1 << (at & 7))) === 0) return false
  return true
}
