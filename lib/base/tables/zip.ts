import type { Readable } from 'node:stream'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

/** The most files of an archive, and the most unpacked bytes of all files that are read from it. */
const maxFiles = 2_000
const maxBytes = 400 * 1024 ** 2

/** The most bytes of a chunk: other work of the process gets its turn between two chunks. */
const pieceBytes = 64 * 1024

const readDirectory = (bytes: Uint8Array): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    // the sizes that the archive states are checked while it is unpacked
    fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    )
  })

const readEntries = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    if (zip.entryCount > maxFiles) return reject(new Error('too many files'))
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries)).on('error', reject)
    zip.readEntry()
  })

/**
 * Opens an archive from an untrusted source. `has` returns whether it contains a file; `chunks` unpacks one outside of
 * the main thread, chunk by chunk. Before it unpacks a file, `chunks` throws if the file would have more than
 * `byteLimit` bytes, or if all files read so far would have more than 400 MiB.
 */
export async function openZip(bytes: Uint8Array) {
  const zip = await readDirectory(bytes)
  const entries = await readEntries(zip)
  let bytesLeft = maxBytes
  async function* chunks(name: string, byteLimit: number): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name)
    if (!entry) return
    bytesLeft -= entry.uncompressedSize
    if (bytesLeft < 0 || entry.uncompressedSize > byteLimit) throw new Error('the archive unpacks to too much')
    const stream = await new Promise<Readable>((resolve, reject) =>
      zip.openReadStream(entry, (error, entryStream) => (error ? reject(error) : resolve(entryStream))),
    )
    // a file that isn't compressed arrives as one chunk
    for await (const chunk of stream as AsyncIterable<Uint8Array>)
      for (let start = 0; start < chunk.byteLength; start += pieceBytes) yield chunk.subarray(start, start + pieceBytes)
  }
  return { has: (name: string) => entries.has(name), chunks }
}
