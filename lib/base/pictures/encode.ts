import { availableParallelism } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { createConcurrencyLimit } from '../runtime/concurrency-limit'
import { type AppError, fieldError } from '../runtime/errors'

/** The sides of the stored squares. */
const pictureSizes = { small: 96, large: 256 } as const
export type PictureSize = keyof typeof pictureSizes
/** The longest sides of pictures that are stored without a crop. */
const wholeSizes = { small: 320, large: 1600 } as const

/** A square of the upright picture, in pixels of the picture. */
export type Crop = { left: number; top: number; size: number }

/** The most pixels that are decoded: a phone's picture has 12 to 24 million. The header says how many there are. */
const maxPixels = 30_000_000
/** Seconds after which the decoding of a picture is cancelled, whatever its header says. */
const timeoutSeconds = 10

// the library may only read these formats, whatever the bytes claim to be
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

/** A core decodes one picture at a time; others wait. */
const runLimited = createConcurrencyLimit(availableParallelism, 32)

const pictureError = () => fieldError('file', 'errorPicture')

/**
 * Returns a reader of the first frame. It refuses a picture that is cut off or faulty, instead of reading it in part.
 */
const firstFrameOf = (bytes: Buffer): Sharp => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })

/** Returns width and height of the upright picture. Throws 400 if it isn't a picture, or has too many pixels. */
async function sidesOf(bytes: Buffer) {
  const { width, height, autoOrient } = await sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 })
    .metadata()
    .catch((): never => {
      throw pictureError()
    })
  if (width * height > maxPixels) throw fieldError('file', 'errorPicturePixels', { max: maxPixels / 1_000_000 })
  return autoOrient
}

function cropError({ left, top, size }: Crop, sides: { width: number; height: number }): AppError | null {
  return left + size <= sides.width && top + size <= sides.height ? null : fieldError('size', 'errorRange')
}

type Encoded = Record<PictureSize, Buffer>
type DrawOptions = { square: (upright: Sharp) => Sharp; sizes: Record<PictureSize, number>; fit: 'cover' | 'inside' }

/** Encodes an upright picture in both sizes, without metadata. Throws 400 errorPicture for a faulty one. */
async function drawInSizes(bytes: Buffer, { square, sizes, fit }: DrawOptions): Promise<Encoded> {
  try {
    const scaled = (side: number) => ({ width: side, height: side, fit, withoutEnlargement: fit === 'inside' }) as const
    const upright = firstFrameOf(bytes).timeout({ seconds: timeoutSeconds }).autoOrient()
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
    // the library's message is of no use to people
    throw pictureError()
  }
}

/**
 * Re-encodes a PNG, a JPEG or a WebP as two WebP squares without metadata: of the crop, or of the middle without one.
 * Throws 400 errorPicture or errorPicturePixels for the file, 400 errorRange for a crop that exceeds the picture, 503
 * while too many pictures wait.
 */
export const encodePicture = (bytes: Buffer, crop?: Crop): Promise<Encoded> =>
  runLimited(async () => {
    const sides = await sidesOf(bytes)
    const error = crop && cropError(crop, sides)
    if (error) throw error
    const square = (upright: Sharp) =>
      crop ? upright.extract({ left: crop.left, top: crop.top, width: crop.size, height: crop.size }) : upright
    return drawInSizes(bytes, { square, sizes: pictureSizes, fit: 'cover' })
  })

/** The same without a crop: two WebP pictures within 320 and within 1600 pixels. Throws as `encodePicture` does. */
export const encodeWhole = (bytes: Buffer): Promise<Encoded> =>
  runLimited(async () => {
    await sidesOf(bytes)
    return drawInSizes(bytes, { square: (upright) => upright, sizes: wholeSizes, fit: 'inside' })
  })
