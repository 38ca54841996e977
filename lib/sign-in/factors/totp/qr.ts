import { encode } from 'uqr'

/** A QR code as one path of an SVG of this width and height, with a margin of two modules. */
export type QrCode = { size: number; path: string }

/** Returns the QR code of a text. */
export function qrCodeOf(text: string): QrCode {
  const { data, size } = encode(text, { border: 2, ecc: 'M' })
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
  return { size, path: rows.join('') }
}
