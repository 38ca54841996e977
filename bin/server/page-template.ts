import { randomBytes } from 'node:crypto'
import { constants, crc32, createDeflateRaw } from 'node:zlib'

/** What differs between two answers with the same page: the nonce of its scripts and the token of its forms. */
export type Slots = { nonce: string; token: string }
const slotNames = ['nonce', 'token'] as const

/** Returns texts that nobody can guess, so that no text of a page contains them unless it is their place. */
export const newPlaceholders = (): Slots => ({
  // hexadecimal, which nothing that writes a page spells in another way
  nonce: randomBytes(16).toString('hex'),
  token: randomBytes(32).toString('hex'),
})

/** Slots are as long in every answer, because compressed text says how far back it refers. */
const lengths: Record<keyof Slots, number> = { nonce: 24, token: 96 }

/** A rendered text with places for the slots. */
export type Template = {
  fill(slots: Slots): Buffer
  /** Returns the form for `content-encoding: gzip`; its text is compressed once, and not for each answer. */
  fillZipped(slots: Slots): Buffer
  /** How many bytes both forms take. */
  bytes: number
}

/** A part of a text, or the name of the slot in its place. */
type Piece = Buffer | keyof Slots

// RFC 1952: deflate, no flags, no time, by an unknown system
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty last block of RFC 1951. */
const lastBlock = Buffer.from([3, 0])

/** A block of RFC 1951 whose bytes are stored as they are. */
function storedBlock(text: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(text.length, 1)
  head.writeUInt16LE(0xffff ^ text.length, 3)
  return Buffer.concat([head, text])
}

function gzipEnd(content: Buffer): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(content), 0)
  end.writeUInt32LE(content.length, 4)
  return end
}

/**
 * Compresses the parts of a text as one stream, each up to a byte's end, so that a stored block fits between two. What
 * the stream has for a slot is dropped: bytes of which UTF-8 has none, so that no later part refers to them.
 */
async function deflated(pieces: Piece[]): Promise<Piece[]> {
  const stream = createDeflateRaw()
  let output: Buffer[] = []
  stream.on('data', (chunk: Buffer) => output.push(chunk))
  const zipped: Piece[] = []
  for (const piece of pieces) {
    stream.write(typeof piece === 'string' ? Buffer.alloc(lengths[piece], 0xff) : piece)
    await new Promise<void>((resolve) => stream.flush(constants.Z_SYNC_FLUSH, resolve))
    zipped.push(typeof piece === 'string' ? piece : Buffer.concat(output))
    output = []
  }
  stream.destroy()
  return zipped
}

/** Returns the template of a rendered text, in which `placeholders` stand where each answer gets its own slots. */
export async function templateOf(text: string, placeholders: Slots): Promise<Template> {
  const nameOf = new Map(slotNames.map((name) => [placeholders[name], name]))
  const pattern = new RegExp(`(${[...nameOf.keys()].join('|')})`)
  const pieces: Piece[] = text.split(pattern).map((piece) => nameOf.get(piece) ?? Buffer.from(piece))
  const zipped = await deflated(pieces)
  const bytesOf = (slots: Slots) => (piece: Piece) =>
    typeof piece === 'string' ? Buffer.from(slots[piece], 'latin1') : piece
  const fill = (slots: Slots) => Buffer.concat(pieces.map(bytesOf(slots)))
  return {
    fill,
    fillZipped(slots) {
      for (const name of slotNames)
        if (slots[name].length !== lengths[name]) throw new Error(`the slot ${name} has another length`)
      const blocks = zipped.map((piece) => (typeof piece === 'string' ? storedBlock(bytesOf(slots)(piece)) : piece))
      return Buffer.concat([gzipHeader, ...blocks, lastBlock, gzipEnd(fill(slots))])
    },
    bytes: [...pieces, ...zipped].reduce((sum, piece) => sum + piece.length, 0),
  }
}
