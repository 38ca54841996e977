import type { FileType } from '@/lib/base/contracts/file'

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const text = (value: string) => new TextEncoder().encode(value)

/** The smallest content of each type. */
export const samples: Record<FileType, Uint8Array<ArrayBuffer>> = {
  'image/png': bytes(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000970485973000003e8000003e801b57b526b0000000d49444154089963606462fe0f0001140106f4eeadd10000000049454e44ae426082',
  ),
  'image/jpeg': bytes('ffd8ffe000104a46494600010100000100010000ffdb004300ffd9'),
  'image/webp': bytes('524946461a000000574542505650384c0d0000002f00000010071011118888fe0700'),
  'image/gif': bytes('47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b'),
  'application/pdf': text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
  'application/zip': bytes('504b0506000000000000000000000000000000000000'),
  'image/svg+xml': text('<?xml version="1.0"?>\n<!-- mark --><svg xmlns="http://www.w3.org/2000/svg"/>'),
  'application/json': text('{"a":1}'),
  'text/csv': text('\ufeffимя;код\nАнна;1\n'),
  'text/plain': text('просто текст\n'),
  'application/octet-stream': bytes('c8ecff3bcaeee40d0ac0ededc03b310d0a'),
}

function joinedPicture(size: number) {
  const png = samples['image/png']
  const chunk = new Uint8Array(size + 12)
  new DataView(chunk.buffer).setUint32(0, size)
  chunk.set(text('iCCP'), 4)
  return joined(png.slice(0, 33), chunk, png.slice(33))
}

function joined(...parts: Uint8Array[]) {
  return new Uint8Array(Buffer.concat(parts))
}

/** A picture whose metadata, such as a color profile, is longer than the part that is examined. */
export const wordyPicture = joinedPicture(10_000)

/** Contents that aren't png, jpeg or webp, whatever their names claim. */
export const lies: Record<string, Uint8Array<ArrayBuffer>> = {
  html: text('<!doctype html><script>alert(1)</script>'),
  'svg with a script': text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'a picture behind html': joined(text('<script>alert(1)</script>'), samples['image/png']),
  'a picture behind a blank': joined(text(' '), samples['image/png']),
  'half a signature': samples['image/png'].slice(0, 3),
  gif: samples['image/gif'],
  pdf: samples['application/pdf'],
  'an archive': samples['application/zip'],
  'a program': bytes('4d5a90000300000004000000ffff0000b800000000000000'),
  'a shell script': text('#!/bin/sh\nrm -rf /\n'),
  noughts: new Uint8Array(5000),
}
