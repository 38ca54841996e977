import type { Readable } from 'node:stream'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

/** How many files an archive may have, and how many bytes all that are read may have unpacked. */
const mostFiles = 2_000
const mostBytes = 400 * 1024 ** 2

/** How many bytes come at once: others get their turn between two pieces. */
const pieceBytes = 64 * 1024

const opened = (bytes: Uint8Array): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    // the sizes that the archive states are checked while it is unpacked
    fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    )
  })

const listed = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    if (zip.entryCount > mostFiles) return reject(new Error('too many files'))
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries)).on('error', reject)
    zip.readEntry()
  })

/**
 * Opens an archive that strangers may have made. `has` says whether it has a file; `chunks` unpacks one outside of the
 * main thread, part by part. It throws when it has more than so many bytes, or all that was read would unpack to more than
 * 400 MiB, before it is unpacked.
 */
export async function openZip(bytes: Uint8Array) {
  const zip = await opened(bytes)
  const entries = await listed(zip)
  let left = mostBytes
  async function* chunks(name: string, atMost: number): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name)
    if (!entry) return
    left -= entry.uncompressedSize
    if (left < 0 || entry.uncompressedSize > atMost) throw new Error('the archive unpacks to too much')
    const stream = await new Promise<Readable>((resolve, reject) =>
      zip.openReadStream(entry, (error, found) => (error ? reject(error) : resolve(found))),
    )
    // what isn't compressed comes in one piece
    for await (const chunk of stream as AsyncIterable<Uint8Array>)
      for (let at = 0; at < chunk.byteLength; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
  return { has: (name: string) => entries.has(name), chunks }
}
