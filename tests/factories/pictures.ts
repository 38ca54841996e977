import sharp from 'sharp'
import { samples } from './file-samples'

export const fileOf = (bytes: Uint8Array, type = 'image/png') => new File([new Uint8Array(bytes)], 'me.png', { type })

/** Red on the left, blue on the right. */
export const halves = (width = 400, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#00f' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#f00' } },
      left: 0,
      top: 0,
    },
  ])

/** A JPEG whose metadata tell a place and an author (Semyon), with a script and an archive behind it. */
export async function tellingPicture() {
  const secret = 'GPS 55.7558 37.6173 by Semyon'
  const exif = { IFD0: { Artist: secret, ImageDescription: secret }, IFD3: { GPSLatitude: '55/1 45/1 20/1' } }
  const picture = await halves().jpeg().withExif(exif).withXmp(`<x>${secret}</x>`).toBuffer()
  return Buffer.concat([picture, Buffer.from(`<script>alert(1)</script>PK\u0003\u0004${secret}`)])
}

const white = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()

/** Pictures that are cut off, broken or huge: what they are, how they are made, and which of both they are. */
export const faultyPictures: [name: string, make: () => Promise<Uint8Array>, fault: 'broken' | 'huge'][] = [
  [
    'a JPEG that ends early',
    async () => {
      const jpeg = await halves(800, 800).jpeg().toBuffer()
      return jpeg.subarray(0, jpeg.length / 2)
    },
    'broken',
  ],
  ['a PNG that ends early', async () => (await halves().png().toBuffer()).subarray(0, 60), 'broken'],
  [
    'a PNG with other data',
    async () => {
      const png = await halves().png().toBuffer()
      return png.fill(0x41, 60, png.length - 20)
    },
    'broken',
  ],
  ['a signature alone', async () => samples['image/jpeg'], 'broken'],
  ['100 megapixels in a few bytes', () => white(10_000, 10_000), 'huge'],
  ['a line of 100 megapixels', () => white(1_000_000, 100), 'huge'],
]
