import { createHash } from 'node:crypto'

/** A set of texts (a Bloom filter). It recognizes every member, and rarely takes another text for a member. */
export type Bloom = { bits: number; hashes: number; bytes: Uint8Array }

/** Bits per entry, and hashes per text: one in 100 000 other texts is taken for a member. */
const bitsPerEntry = 24
const hashes = 17

function* positions({ bits, hashes }: Pick<Bloom, 'bits' | 'hashes'>, text: string) {
  const hash = createHash('sha256').update(text).digest()
  let offset = hash.readUInt32LE(0)
  let step = hash.readUInt32LE(4)
  for (let n = 0; n < hashes; n++) {
    yield offset % bits
    // the step grows too: otherwise texts with the same first positions would have the same ones throughout
    offset = (offset + step) >>> 0
    step = (step + n) >>> 0
  }
}

export function makeBloom(texts: ReadonlySet<string>): Bloom {
  const bits = texts.size * bitsPerEntry
  const bloom = { bits, hashes, bytes: new Uint8Array(Math.ceil(bits / 8)) }
  for (const text of texts)
    for (const bit of positions(bloom, text)) bloom.bytes[bit >> 3] = (bloom.bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
  return bloom
}

export function mayContain(bloom: Bloom, text: string): boolean {
  for (const bit of positions(bloom, text)) if (((bloom.bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false
  return true
}
