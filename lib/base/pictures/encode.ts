import { availableParallelism } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { createConcurrencyLimit } from '../runtime/concurrency-limit'
import { type AppError, fieldError } from '../runtime/errors'

/** The sides of the stored squares. */
const pictureSizes = { small: 96, large: 256 } as const
export type PictureSize = keyof typeof pictureSizes
/** The longest side of the stored pictures that are kept whole. */
const wholeSizes = { small: 320, large: 1600 } as const

/** A square of the upright picture, in its pixels. */
export type Crop = { left: number; top: number; size: number }

/** The most pixels that are decoded: a phone's picture has 12 to 24 million. The header says how many there are. */
const mostPixels = 30_000_000
/** Seconds after which a picture is given up, whatever its header says. */
const patience = 10

// of the formats of the library only these are ever read, whatever the bytes claim to be
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

/** A core decodes one picture at a time; others wait. */
const gate = createConcurrencyLimit(availableParallelism, 32)

const broken = () => fieldError('file', 'errorPicture')

/** Reads the first frame alone. Anything that is cut off or faulty is refused, and not shown in part. */
const open = (bytes: Buffer): Sharp => sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })

/** Returns width and height of the upright picture. Throws 400 for no picture, and for one with too many pixels. */
async function sidesOf(bytes: Buffer) {
  const { width, height, autoOrient } = await sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 })
    .metadata()
    .catch((): never => {
      throw broken()
    })
  if (width * height > mostPixels) throw fieldError('file', 'errorPicturePixels', { max: mostPixels / 1_000_000 })
  return autoOrient
}

function requireInside({ left, top, size }: Crop, sides: { width: number; height: number }): AppError | null {
  return left + size <= sides.width && top + size <= sides.height ? null : fieldError('size', 'errorRange')
}

type Encoded = Record<PictureSize, Buffer>
type Draw = { square: (upright: Sharp) => Sharp; sizes: Record<PictureSize, number>; fit: 'cover' | 'inside' }

/** Draws an upright picture anew in both sizes, without any metadata. Throws 400 errorPicture for one that is faulty. */
async function drawn(bytes: Buffer, { square, sizes, fit }: Draw): Promise<Encoded> {
  try {
    const scaled = (side: number) => ({ width: side, height: side, fit, withoutEnlargement: fit === 'inside' }) as const
    const upright = open(bytes).timeout({ seconds: patience }).autoOrient()
    const { data, info } = await square(upright)
      .resize(scaled(sizes.large))
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = { raw: { width: info.width, height: info.height, channels: info.channels } }
    const [small, large] = await Promise.all([
      sharp(data, raw).resize(scaled(sizes.small)).webp({ quality: 82 }).toBuffer(),
      sharp(data, raw).webp({ quality: 82 }).toBuffer(),
    ])
    return { small, large }
  } catch {
    // the library names what it stumbled over, which is of no use to the person
    throw broken()
  }
}

/**
 * Takes the bytes of a PNG, a JPEG or a WebP and draws them anew as two WebP squares without any metadata: of the crop,
 * else of the middle. Throws 400 errorPicture or errorPicturePixels for the file, 400 errorRange for a crop that reaches
 * outside, 503 while too many pictures wait.
 */
export const encodePicture = (bytes: Buffer, crop?: Crop): Promise<Encoded> =>
  gate(async () => {
    const sides = await sidesOf(bytes)
    const outside = crop && requireInside(crop, sides)
    if (outside) throw outside
    const square = (upright: Sharp) =>
      crop ? upright.extract({ left: crop.left, top: crop.top, width: crop.size, height: crop.size }) : upright
    return drawn(bytes, { square, sizes: pictureSizes, fit: 'cover' })
  })

/** The same for a picture that is kept whole, within 320 and within 1600 pixels. Throws as `encodePicture` does. */
export const encodeWhole = (bytes: Buffer): Promise<Encoded> =>
  gate(async () => {
    await sidesOf(bytes)
    return drawn(bytes, { square: (upright) => upright, sizes: wholeSizes, fit: 'inside' })
  })
