import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { UploadedFile } from '@/lib/base/contracts/file'
import { encodeWhole } from '@/lib/base/pictures/encode'
import { cleanSvg } from '@/lib/base/pictures/svg'
import { notFound } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { insertPicture, type Logo, removePicture, selectPicture } from './queries'

/**
 * Draws an uploaded logo or icon anew. Returns an SVG without anything that runs or loads, another picture as WebP.
 * Call it before a transaction. Throws what `cleanSvg` and `encodeWhole` throw.
 */
export async function drawLogo(file: UploadedFile): Promise<Logo> {
  const bytes = await file.bytes()
  if (file.type !== 'image/svg+xml') return { type: 'image/webp', content: (await encodeWhole(bytes)).small }
  return { type: 'image/svg+xml', content: Buffer.from(cleanSvg(bytes)) }
}

/** The chunks of a WebP that are pixels: other chunks may contain anything, such as the place of a photo. */
const pixelParts = ['VP8 ', 'VP8L', 'VP8X', 'ALPH']

function isPixelsAlone(webp: Buffer): boolean {
  if (webp.toString('latin1', 0, 4) !== 'RIFF' || webp.toString('latin1', 8, 12) !== 'WEBP') return false
  let offset = 12
  while (offset + 8 <= webp.length) {
    if (!pixelParts.includes(webp.toString('latin1', offset, offset + 4))) return false
    const size = webp.readUInt32LE(offset + 4)
    offset += 8 + size + (size % 2)
  }
  return offset === webp.length
}

/**
 * Returns a picture that another instance drew: unchanged if it contains nothing but pixels, else drawn anew. Call it
 * before the row that shows it is written. Throws what `drawLogo` throws.
 */
export async function drawnElsewhere({ type, content }: Logo): Promise<Logo> {
  if (type === 'image/svg+xml') return { type, content: Buffer.from(cleanSvg(content)) }
  const { small } = await encodeWhole(content)
  return { type, content: isPixelsAlone(content) && content.byteLength <= 2 * small.byteLength ? content : small }
}

/**
 * Replaces a picture with a drawn one, or removes it (null). Returns the new id, which the calling function stores and
 * records with the picture's owner; null if there is none now.
 */
export async function replaceLogo(
  tx: Transaction,
  ctx: Pick<Ctx, 'now'>,
  { before, logo }: { before: string | null; logo: Logo | null },
): Promise<string | null> {
  if (before) await removePicture(tx, before)
  return logo ? insertPicture(tx, logo, ctx.now()) : null
}

/** Returns a logo or an icon by its id. It checks no access. Throws 404. */
export async function readLogo(_: Ctx, { params: { fileId } }: ServiceInput<typeof calls.readLogo>) {
  const logo = await selectPicture(fileId)
  if (!logo) throw notFound()
  const { type, content } = logo
  return {
    name: type === 'image/svg+xml' ? 'logo.svg' : 'logo.webp',
    type,
    size: content.byteLength,
    chunks: (async function* () {
      yield content
    })(),
  }
}
